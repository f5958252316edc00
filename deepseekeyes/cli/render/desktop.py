"""States and actions of a desktop as text that people and models read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from deepseekeyes.cli.render.browser import VERDICTS
from deepseekeyes.cli.render.screen import Screen
from deepseekeyes.core.redact import clip

NAME_CHARS = 100


def observation(document: Any, screen: Screen) -> None:
    """A state: what was looked at, the windows, one line an element."""
    captured = next((one for one in document.windows if one.ref == document.captured_window), None)
    name = f"{captured.app}: {captured.title}" if captured is not None else document.capture_lost or "desktop"
    screen.heading(clip(name, 2 * NAME_CHARS))
    screen.line(f"state {document.state_id}", "dim")
    where, told = document.screen, document.semantic_status
    screen.line(
        f"{document.backend} {document.display}, {where.width}x{where.height} at {where.x:g},{where.y:g} scale "
        f"{where.scale:g}; tree {told.quality}, aim by {told.preferred_targeting}",
        "dim",
    )
    if document.capture_lost is not None:
        screen.line(f"gone: {document.capture_lost}", "yellow")
    if document.screenshot is not None:
        shown = document.visual_delivery
        screen.line(f"pixels sha256:{document.screenshot.sha256} ({shown.reason})", "dim")
    for warning in document.warnings:
        screen.line(f"note: {warning}", "yellow")
    for window in document.windows:
        screen.line(_window(window))
    _tree(document.elements, screen)
    left = document.omitted
    if left.elements or left.windows:
        screen.line(f"left out: {left.elements} elements, {left.windows} windows", "yellow")


def _tree(elements: Iterable[Any], screen: Screen) -> None:
    """One line an element, indented once for every listed one it lies in; what only groups others has no line."""
    holders: list[Any] = []
    for element in elements:
        while holders and holders[-1].depth >= element.depth:
            holders.pop()
        if not element.container:
            inside = sum(not one.container for one in holders)
            screen.line(f"{'  ' * (1 + inside)}{_element(element)}")
        holders.append(element)


def windows(document: Any, screen: Screen) -> None:
    """One line a window, front first."""
    for monitor in document.monitors:
        bounds = monitor.bounds
        screen.line(f"monitor {monitor.index} {bounds.width:g}x{bounds.height:g} at {bounds.x:g},{bounds.y:g}", "dim")
    for window in document.items:
        screen.line(_window(window))
    if document.truncated:
        screen.line(f"left out: {document.omitted} windows", "yellow")


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


def _window(window: Any) -> str:
    flags = [name for name in ("active", "modal", "minimised") if getattr(window, name)]
    if window.kind != "normal":
        flags.append(window.kind)
    bounds = window.bounds
    place = "somewhere" if bounds is None else f"{bounds.width:g}x{bounds.height:g} at {bounds.x:g},{bounds.y:g}"
    return (
        f'{window.ref} {window.app} "{clip(window.title, NAME_CHARS)}" {place}{" " + " ".join(flags) if flags else ""}'
    )


def _element(element: Any) -> str:
    parts = [element.ref, element.role, f'"{clip(element.name, NAME_CHARS)}"']
    if element.value:
        parts.append(f"= {element.value[:80]!r}")
    flags = [name for name in ("protected", "focused", "checked", "selected", "expanded") if getattr(element, name)]
    if not element.enabled:
        flags.append("disabled")
    parts += flags
    if element.bbox is not None:
        box = element.bbox
        parts.append(f"({box.x:g},{box.y:g} {box.width:g}x{box.height:g})")
    return " ".join(parts)
