"""States and actions of a desktop as text that people read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from deepseekeyes.cli.render.browser import STYLES, VERDICTS
from deepseekeyes.cli.render.screen import Screen
from deepseekeyes.serve.desk_text import state_rows, window_rows


def observation(document: Any, screen: Screen) -> None:
    """A state: what was looked at, the windows, one line an element."""
    _rows(state_rows(document), screen)


def windows(document: Any, screen: Screen) -> None:
    """One line a window, front first."""
    _rows(window_rows(document), screen)


def action(document: Any, screen: Screen) -> None:
    """What an action did (or would do), and the state after it."""
    target = f' {document.target.role} "{document.target.name}"' if document.target is not None else ""
    verdict = "planned" if document.plan is not None else document.verdict or "done"
    screen.line(f"{document.action}{target}: {verdict}", VERDICTS.get(document.verdict or "", ""))
    if document.plan is not None:
        plan = document.plan
        point = f"{plan.point.x:g},{plan.point.y:g}" if plan.point is not None else None
        screen.facts(
            (
                ("window", plan.window),
                ("point", point),
                ("topmost", plan.topmost),
                ("keyboard", plan.foreground),
                ("held by", plan.grabbed),
            )
        )
    if document.error is not None:
        screen.line(f"{document.error.code}: {document.error.message}", "bold red")
        screen.line(f"hint: {document.error.hint}", "dim")
    for row in document.compared:
        held = {True: "yes", False: "no", None: "unknown"}[row.holds]
        screen.line(f"  {row.what}: {held}", "dim")
    if document.state is not None:
        screen.line()
        observation(document.state, screen)


def _rows(rows: Iterable[tuple[str, str]], screen: Screen) -> None:
    for text, kind in rows:
        if kind == "title":
            screen.heading(text)
        else:
            screen.line(text, STYLES.get(kind, ""))
