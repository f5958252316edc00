"""Changes of the configured MCP servers, and the report of the lint."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from deepseekeyes.cli.render.screen import Screen

OFF = "MCP servers are switched off: set `enabled = true` under [mcp], or add --enable to a command."


def added(document: Any, screen: Screen) -> None:
    """What was written, what has to be set, and what to type next."""
    screen.heading(f"{'replaced' if document.replaced else 'added'} {document.server} in {document.path}")
    _variables(document.variables, screen)
    for note in document.notes:
        screen.line(note)
    if not document.switched_on:
        screen.line(OFF, "yellow")
    screen.line(f"next: deepseekeyes mcp test {document.server}" + ("" if document.switched_on else " --enable"), "dim")


def removed(document: Any, screen: Screen) -> None:
    """What went and what stays."""
    screen.heading(f"removed {document.server} from {document.path}")
    if document.pins_kept:
        screen.line(
            f"The definitions of {document.pins_kept} tools stay remembered; --forget drops them at the next removal."
        )


def allowed(document: Any, screen: Screen) -> None:
    """The list as it is now."""
    screen.heading(f"{document.changed} of {document.server}")
    for name in dict.fromkeys((*document.before, *document.after)):
        mark = " " if name in document.before and name in document.after else "+" if name in document.after else "-"
        screen.line(f"{mark} {name}", {"+": "green", "-": "red"}.get(mark, ""))


def imported(document: Any, screen: Screen) -> None:
    """One line a server, then what each needs."""
    screen.heading(f"{'would be written to' if document.dry_run else 'written to'} {document.path}")
    screen.table(("server", "", "as", "why"), [_import_row(item) for item in document.items], fold=3)
    for item in document.items:
        _variables(item.variables, screen, of=item.id)
        notes = [*item.notes]
        if item.ignored:
            notes.append(f"These keys mean nothing here: {', '.join(item.ignored)}.")
        screen.bullets(item.id, notes)
    if not document.switched_on:
        screen.line()
        screen.line(OFF, "yellow")


def linted(document: Any, screen: Screen) -> None:
    """One line a check, how to mend what fails, and the score."""
    name = f"{document.server_name or document.server} {document.server_version or ''}".strip()
    screen.heading(f"{name}: {document.tool_count} tools, {document.protocol_version or 'no greeting'}")
    screen.table(("", "check", "seen"), [(check.status, check.id, check.seen) for check in document.checks], fold=2)
    screen.bullets(
        "to mend", [f"{c.id}: {c.fix}" for c in document.checks if c.fix and c.status in ("failed", "warning")]
    )
    counts = document.counts
    screen.line()
    screen.line(
        f"{'passed' if document.passed else 'failed'}, {document.score} of 100: {counts.ok} ok, {counts.warning}"
        f" warnings, {counts.failed} failed, {counts.skipped} skipped",
        "green" if document.passed else "bold red",
    )


def _import_row(item: Any) -> tuple[object, ...]:
    transport = (item.definition or {}).get("transport", "")
    off = (item.definition or {}).get("enabled") is False
    why = item.error.message if item.error else f"{transport}{', switched off' if off else ''}"
    return item.name, item.status, item.id, why


def _variables(variables: Iterable[Any], screen: Screen, of: str | None = None) -> None:
    missing = [each for each in variables if each.hint]
    screen.bullets(f"to set for {of}" if of else "to set", [f"{each.field}: {each.hint}" for each in missing])
