"""From a backend's windows and elements to the rows of an observation. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from deepseekeyes.automation.keys import Keys
from deepseekeyes.automation.refs import ref_key
from deepseekeyes.automation.surface import Control
from deepseekeyes.core.geometry import Box
from deepseekeyes.core.redact import redact
from deepseekeyes.desktop.identity import element_refs, window_refs
from deepseekeyes.desktop.ports import Element, Monitor, Window
from deepseekeyes.desktop.safety import denied
from deepseekeyes.desktop.settings import DesktopSettings

LISTED: Final = frozenset({"normal", "dialog", "utility", "menu", "popup", "notification"})
POPUPS: Final = frozenset({"menu", "popup"})
NAME_CHARS: Final = 500
VALUE_CHARS: Final = 2_000
ID_CHARS: Final = 300
ACTION_CHARS: Final = 120
MOST_ACTIONS: Final = 24
WITHHELD: Final = "(withheld)"


def window_rows(windows: Sequence[Window], settings: DesktopSettings) -> tuple[tuple[dict[str, Any], ...], int]:
    """Rows of the listed windows, front first, and how many there are in all.

    Titles of programs that are left alone are withheld.
    """
    listed = [one for one in windows if one.kind in LISTED]
    refs = window_refs(one.identity for one in listed)
    rows = tuple(_window(one, refs, settings) for one in listed[: settings.max_windows])
    return rows, len(listed)


def _window(window: Window, refs: Mapping[str, str], settings: DesktopSettings) -> dict[str, Any]:
    bounds = window.bounds if all(map(math.isfinite, window.bounds)) else None
    hidden = denied(window.app, settings) is not None
    title = WITHHELD if hidden else _clean(redact(_clean(window.title, NAME_CHARS)), NAME_CHARS)
    return {
        "ref": refs[window.identity],
        "app": _clean(window.app, 200),
        "title": title or _clean(window.app, 200),
        "pid": window.pid,
        "kind": window.kind,
        "active": window.active,
        "modal": window.modal,
        "dialog": window.dialog,
        "minimised": window.minimised,
        "viewable": window.viewable,
        "owner": refs.get(window.transient_for or ""),
        "z": window.z,
        "bounds": None if bounds is None else _pixels(bounds),
        "identity": window.identity,
        "box": None if bounds is None else list(bounds),
    }


def element_rows(
    elements: Sequence[Element], window: Window, window_ref: str, screen: Mapping[str, Any]
) -> tuple[dict[str, Any], ...]:
    """Rows of a window's elements: each one right before everything inside it."""
    refs = element_refs(one.handle for one in elements)
    seen: Counter[tuple[str, str, str]] = Counter()
    rows = []
    for one in _nested(elements):
        same = (one.role, clean_name(one), one.automation_id)
        rows.append(_element(one, window, window_ref, screen, refs, seen[same]))
        seen[same] += 1
    return tuple(rows)


def _nested(elements: Sequence[Element]) -> list[Element]:
    """Elements with what they hold right behind them; one whose holder is not listed stands on its own."""
    handles = {one.handle for one in elements}
    inside: dict[str | None, list[Element]] = {}
    for one in elements:
        inside.setdefault(one.parent if one.parent in handles else None, []).append(one)
    found: list[Element] = []
    due = inside.pop(None, [])[::-1]
    while due:
        found.append(due.pop())
        due += inside.pop(found[-1].handle, [])[::-1]
    return found + [one for left in inside.values() for one in left]


def _element(
    one: Element,
    window: Window,
    window_ref: str,
    screen: Mapping[str, Any],
    refs: Mapping[str, str],
    ordinal: int,
) -> dict[str, Any]:
    bounds = finite(one.bounds)
    scale, left, top = screen["scale"], screen["x"], screen["y"]
    bbox = (
        None
        if bounds is None
        else Box((bounds.x - left) * scale, (bounds.y - top) * scale, bounds.width * scale, bounds.height * scale)
    )
    name = clean_name(one)
    return {
        "ref": refs[one.handle],
        "refKey": ref_key("dt", one.role, name, window.app, one.automation_id, ordinal=ordinal),
        "window": window_ref,
        "role": one.role,
        "name": name,
        "description": _clean(one.description, NAME_CHARS) or None,
        "value": None if one.protected or one.value is None else one.value[:VALUE_CHARS],
        "automationId": _clean(one.automation_id, ID_CHARS) or None,
        "protected": one.protected,
        "enabled": one.enabled,
        "visible": one.visible,
        "focused": one.focused,
        "editable": one.editable,
        "checked": "checked" in one.states if "checkable" in one.states or "checked" in one.states else None,
        "selected": "selected" in one.states if "selectable" in one.states or "selected" in one.states else None,
        "expanded": "expanded" in one.states if "expandable" in one.states or "expanded" in one.states else None,
        "bbox": None if bbox is None else _pixels(bbox),
        "actions": list(dict.fromkeys(action[:ACTION_CHARS] for action in one.actions))[:MOST_ACTIONS],
        "depth": one.depth,
        "container": one.container,
        "handle": one.handle,
        "box": None if bounds is None else list(bounds),
    }


def clean_name(element: Element) -> str:
    """The name as rows carry it."""
    return _clean(element.name, NAME_CHARS)


def finite(box: Box | None) -> Box | None:
    """A box whose four numbers mean something, or None."""
    if box is None or not all(math.isfinite(value) and abs(value) < 1e6 for value in box):
        return None
    return box if box.width > 0 and box.height > 0 else None


def element_control(row: Mapping[str, Any], identity: str, keys: Keys | None = None) -> Control:
    """An element as the shared order of gestures knows it.

    Args:
        keys: of the run; the value is compared as its keyed digest, so that no session document holds what was typed.
            None leaves the value out.
    """
    names = ("description", "enabled", "visible", "focused", "editable", "checked", "selected", "expanded")
    fields = {name: row[name] for name in names if row[name] is not None}
    fields["actions"] = tuple(row["actions"])
    if row["value"] is not None and keys is not None:
        fields["value"] = keys.digest(row["value"])
    bbox = row["bbox"]
    return Control(
        ref=row["ref"],
        key=row["refKey"],
        role=row["role"],
        name=row["name"],
        place=row["window"],
        document=identity,
        protected=row["protected"],
        box=None if bbox is None else Box(bbox["x"], bbox["y"], bbox["width"], bbox["height"]),
        fields=fields,
    )


def window_control(row: Mapping[str, Any]) -> Control:
    """A window as the shared order of gestures knows it; its title may change without it being another one."""
    bounds = row["bounds"]
    fields = {name: row[name] for name in ("title", "active", "modal", "minimised", "owner") if row[name] is not None}
    fields.update(bounds or {})
    return Control(
        ref=row["ref"],
        key=ref_key("dt", "window", row["app"], row["app"]),
        role="window",
        name=row["app"],
        place="desktop",
        document=row["identity"],
        fields=fields,
    )


def monitor_rows(monitors: Iterable[Monitor]) -> tuple[dict[str, Any], ...]:
    """Rows of the monitors."""
    return tuple(
        {
            "index": one.index,
            "name": one.name,
            "primary": one.primary,
            "scale": one.scale,
            "bounds": _pixels(one.bounds),
        }
        for one in monitors
    )


def _pixels(box: Box) -> dict[str, float]:
    return {
        "x": round(box.x, 2),
        "y": round(box.y, 2),
        "width": round(max(0.0, box.width), 2),
        "height": round(max(0.0, box.height), 2),
    }


def _clean(text: str, limit: int) -> str:
    return " ".join(text.split())[:limit]
