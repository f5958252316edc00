"""States and actions of a browser as text that people and models read."""

from __future__ import annotations

from typing import Any

from deepseekeyes.browser.compact import line
from deepseekeyes.cli.render.screen import Screen

VERDICTS = {"verified": "green", "unverified": "yellow", "refused": "bold red"}


def observation(document: Any, screen: Screen) -> None:
    """A state: where, what is open, one line a control, the text, and how to get what is left out."""
    screen.heading(f"{document.title or 'untitled'}  {document.url}")
    screen.line(f"state {document.state_id}", "dim")
    size, at = document.viewport, document.scroll
    screen.line(
        f"page {document.page}, {size.width}x{size.height}, scrolled to {at.x:g},{at.y:g} of "
        f"{at.document_width}x{at.document_height}, {document.elements_total} controls, about {document.tokens} tokens",
        "dim",
    )
    if document.dialog is not None:
        screen.line(f'dialog ({document.dialog.type}): "{document.dialog.message}"', "yellow")
    for one in document.pages:
        if not one.active:
            screen.line(f"page {one.id}: {one.url}", "dim")
    for one in document.downloads:
        screen.line(f"download {one.id} {one.state}: {one.suggested_name} {one.path or one.error or ''}")
    for warning in document.warnings:
        screen.line(f"note: {warning}", "yellow")
    for element in document.elements:
        screen.line(line(element.model_dump(by_alias=True)))
    if document.text:
        screen.line("--- text")
        screen.line(document.text)
    if document.truncated:
        left = document.omitted
        roles = ", ".join(f"{count} {role}" for role, count in left.roles.items())
        told = f"{left.elements} controls ({roles})" if roles else f"{left.elements} controls"
        screen.line(f"left out: {told}, {left.text_chars} characters", "yellow")
        for how in left.how:
            screen.line(f"  {how}", "dim")


def action(document: Any, screen: Screen) -> None:
    """What an action did, and the state after it."""
    target = f' {document.target.role} "{document.target.name}"' if document.target is not None else ""
    screen.line(f"{document.action}{target}: {document.verdict or 'done'}", VERDICTS.get(document.verdict or "", ""))
    if document.error is not None:
        screen.line(f"{document.error.code}: {document.error.message}", "bold red")
        screen.line(f"hint: {document.error.hint}", "dim")
    for row in document.compared:
        if document.verdict == "verified" and row.holds is not True:
            continue
        held = {True: "yes", False: "no", None: "unknown"}[row.holds]
        screen.line(f"  {row.what}: {held}", "dim")
    if document.state is not None:
        screen.line()
        observation(document.state, screen)


def assertion(document: Any, screen: Screen) -> None:
    """A claim and whether it holds."""
    row = document.assertion
    screen.line(f"{row.assertion} {row.target or ''}: {'passed' if row.passed else 'failed'}")
    screen.facts((("expected", row.expected), ("actual", row.actual), ("tries", row.attempts)))
    if document.error is not None:
        screen.line(f"{document.error.code}: {document.error.message}", "bold red")


def report(document: Any, screen: Screen) -> None:
    """The counts of a run and where its files are."""
    found = document.summary
    for step in document.steps:
        if step.error is not None:
            screen.line(f"step {step.index} {step.action}: {step.error.code}", "yellow")
    screen.line("passed" if found.passed else "failed", "green" if found.passed else "bold red")
    screen.facts(
        (
            ("run", document.run_id),
            (
                "actions",
                f"{found.action_count}, {found.action_failure_count} failed, {found.unverified_count} unverified",
            ),
            ("assertions", f"{found.assertion_count}, {found.assertion_failure_count} failed"),
            ("chain", f"{document.chain.steps} steps, head {document.chain.head}"),
            ("report", document.path),
            ("page", document.page),
        )
    )
