"""From what a caller calls a window or a control to the one that is meant. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from deepseekeyes.automation.choosing import SHOWN, Kind, Locator, plain, the_one, whole_first
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.codes import DESKTOP_MANY_MATCHES, DESKTOP_NO_MATCH
from deepseekeyes.desktop.safety import plain as plain_app

SMALL_PX = 100
RANK = {"normal": 0, "dialog": 1, "utility": 2, "notification": 3, "menu": 4, "popup": 5}
Row = Mapping[str, Any]
ELEMENTS: Final[Kind[Row]] = Kind(
    word="element",
    told=lambda row: (row["ref"], row["role"], row["name"]),
    alike=lambda role, wanted: _role(role) == _role(wanted),
    none=DESKTOP_NO_MATCH,
    many=DESKTOP_MANY_MATCHES,
)


def windows_called(rows: Sequence[Row], app: str | None, title: str | None) -> list[Row]:
    """Every window a name fits, the best first.

    Whole names win over parts of names; ordinary windows over dialogs, large ones over tiny ones, the front over the
    back.
    """
    found = list(rows)
    if app is not None:
        found = whole_first(found, lambda row: plain_app(str(row["app"])), plain_app(app), plain(app))
    if title is not None:
        found = whole_first(found, lambda row: plain(row["title"]), plain(title))
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
    found = ELEMENTS.of_role(rows, locator)
    if locator.name is not None:
        found = whole_first(found, lambda row: plain(row["name"]), plain(locator.name))
    if locator.text is not None:
        needle = plain(locator.text)
        found = [row for row in found if needle in plain(row["name"]) or needle in plain(row["value"] or "")]
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
    return the_one(controls_first(elements_called(rows, locator)), rows, locator, ELEMENTS)


def told_window(row: Row) -> str:
    """A window in words, with its ref."""
    return f'{row["ref"]} {row["app"]} "{row["title"][:60]}"'


def _no_window(rows: Sequence[Row], app: str | None, title: str | None) -> EyesError:
    return EyesError(
        DESKTOP_NO_MATCH,
        f"No window fits {_said(app, title)}.",
        details={"dispatched": "no", "candidates": [told_window(row) for row in sorted(rows, key=_rank)[:SHOWN]]},
    )


def _said(app: str | None, title: str | None) -> str:
    return " ".join(part for part in (app or "", f'"{title}"' if title else "") if part) or "nothing"


def _rank(row: Row) -> tuple[int, int, int, int]:
    bounds = row["bounds"] or {"width": 0, "height": 0}
    tiny = bounds["width"] < SMALL_PX or bounds["height"] < SMALL_PX
    return (int(not row["viewable"]), int(tiny), RANK.get(row["kind"], 9), row["z"])


def _role(role: str) -> str:
    return "_".join(role.casefold().replace("-", " ").replace("_", " ").split())
