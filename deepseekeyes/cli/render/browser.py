"""States and actions of a browser as text that people and models read."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.render.screen import Screen
from deepseekeyes.serve.page_text import state_rows

STYLES = {"aside": "dim", "notice": "yellow"}
VERDICTS = {"verified": "green", "unverified": "yellow", "refused": "bold red"}


def observation(document: Any, screen: Screen) -> None:
    """A state: where, what is open, one line a control, the text, and how to get what is left out."""
    for text, kind in state_rows(document):
        if kind == "title":
            screen.heading(text)
        else:
            screen.line(text, STYLES.get(kind, ""))


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
