"""From what a caller calls a window or a control to the one that is meant. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.names import nearest
from deepseekeyes.desktop.codes import DESKTOP_MANY_MATCHES, DESKTOP_NO_MATCH
from deepseekeyes.desktop.safety import plain

SHOWN = 8
SMALL_PX = 100
RANK = {"normal": 0, "dialog": 1, "utility": 2, "notification": 3, "menu": 4, "popup": 5}
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Locator:
    """What a control is called by, when no ref is given.

    Attributes:
        role, name: as observed; the name as a whole, or a part of it when nothing has it as a whole.
        text: a part of the name or value, in any case.
        nth: which of several, from 1.
    """

    role: str | None = None
    name: str | None = None
    text: str | None = None
    nth: int | None = None

    def __str__(self) -> str:
        parts = [
            self.role or "",
            f'"{self.name}"' if self.name else "",
            f'with text "{self.text}"' if self.text else "",
        ]
        return " ".join(part for part in parts if part) or "nothing"


def windows_called(rows: Sequence[Row], app: str | None, title: str | None) -> list[Row]:
    """Every window a name fits, the best first.

    Whole names win over parts of names; ordinary windows over dialogs, large ones over tiny ones, the front over the
    back.
    """
    found = list(rows)
    if app is not None:
        found = _whole_first(found, app, lambda row: plain(str(row["app"])), plain(app))
    if title is not None:
        found = _whole_first(found, title, lambda row: _plain(row["title"]), _plain(title))
    return sorted(found, key=_rank)


def best_window(rows: Sequence[Row], app: str | None, title: str | None) -> Row:
    """The window a name fits best, for looking.

    Raises:
        EyesError: DESKTOP_NO_MATCH.
    """
    found = windows_called(rows, app, title)
    if not found:
        raise _no_window(rows, app, title)
    return found[0]


def only_window(rows: Sequence[Row], app: str | None, title: str | None) -> Row:
    """The one window a name fits, for acting; menus and popups beside it do not count.

    Raises:
        EyesError: DESKTOP_NO_MATCH, DESKTOP_MANY_MATCHES.
    """
    found = windows_called(rows, app, title)
    if not found:
        raise _no_window(rows, app, title)
    others = [row for row in found if row["kind"] in ("normal", "dialog")] or found
    if len(others) > 1:
        raise EyesError(
            DESKTOP_MANY_MATCHES,
            f"{len(others)} windows fit {_said(app, title)}.",
            details={"dispatched": "no", "candidates": [told_window(row) for row in others[:SHOWN]]},
        )
    return others[0]


def elements_called(rows: Sequence[Row], locator: Locator) -> list[Row]:
    """Every element the locator fits; whole names win over parts of names."""
    found = [row for row in rows if locator.role is None or _role(row["role"]) == _role(locator.role)]
    if locator.name is not None:
        found = _whole_first(found, locator.name, lambda row: _plain(row["name"]), _plain(locator.name))
    if locator.text is not None:
        needle = _plain(locator.text)
        found = [row for row in found if needle in _plain(row["name"]) or needle in _plain(row["value"] or "")]
    return found


def controls_first(rows: Sequence[Row]) -> list[Row]:
    """Without the labels, where something that can be used has the same name."""
    used = [row for row in rows if row["editable"] or row["actions"]]
    return used or list(rows)


def only_element(rows: Sequence[Row], locator: Locator) -> Row:
    """The one element a locator fits.

    Raises:
        EyesError: DESKTOP_NO_MATCH, DESKTOP_MANY_MATCHES; candidates are in the details.
    """
    found = controls_first(elements_called(rows, locator))
    if locator.nth is not None and locator.nth <= len(found):
        return found[locator.nth - 1]
    if len(found) == 1 and locator.nth is None:
        return found[0]
    if found:
        raise EyesError(
            DESKTOP_MANY_MATCHES,
            f"{len(found)} elements fit {locator}.",
            details={"dispatched": "no", "candidates": [told_element(row) for row in found[:SHOWN]]},
        )
    raise EyesError(
        DESKTOP_NO_MATCH,
        f"No element fits {locator}.",
        details={"dispatched": "no", "candidates": _near(rows, locator)},
    )


def told_window(row: Row) -> str:
    """A window in words, with its ref."""
    return f'{row["ref"]} {row["app"]} "{row["title"][:60]}"'


def told_element(row: Row) -> str:
    """An element in words, with its ref."""
    return f'{row["ref"]} {row["role"]} "{row["name"][:60]}"'


def _no_window(rows: Sequence[Row], app: str | None, title: str | None) -> EyesError:
    return EyesError(
        DESKTOP_NO_MATCH,
        f"No window fits {_said(app, title)}.",
        details={"dispatched": "no", "candidates": [told_window(row) for row in sorted(rows, key=_rank)[:SHOWN]]},
    )


def _said(app: str | None, title: str | None) -> str:
    return " ".join(part for part in (app or "", f'"{title}"' if title else "") if part) or "nothing"


def _whole_first(rows: list[Row], wanted: str, told: Any, needle: str) -> list[Row]:
    whole = [row for row in rows if told(row) == needle]
    return whole or [row for row in rows if needle and (needle in told(row) or _plain(wanted) in told(row))]


def _rank(row: Row) -> tuple[int, int, int, int]:
    bounds = row["bounds"] or {"width": 0, "height": 0}
    tiny = bounds["width"] < SMALL_PX or bounds["height"] < SMALL_PX
    return (int(not row["viewable"]), int(tiny), RANK.get(row["kind"], 9), row["z"])


def _role(role: str) -> str:
    return "_".join(role.casefold().replace("-", " ").replace("_", " ").split())


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _near(rows: Sequence[Row], locator: Locator) -> list[str]:
    same = [row for row in rows if locator.role is None or _role(row["role"]) == _role(locator.role)] or list(rows)
    named = {row["name"]: row for row in same if row["name"]}
    near = nearest(locator.name or locator.text or "", list(named))
    first = [named[near]] if near else []
    return [told_element(row) for row in [*first, *(row for row in same if row["name"] and row not in first)][:SHOWN]]
