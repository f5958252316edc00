"""From what a caller calls a control to the one control of an observation."""

from __future__ import annotations

from collections.abc import Sequence

from deepseekeyes.automation.surface import Control
from deepseekeyes.browser.codes import BROWSER_MANY_MATCHES, BROWSER_NO_MATCH
from deepseekeyes.browser.ports import Locator
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.names import nearest

SHOWN = 8


def matches(elements: Sequence[Control], locator: Locator) -> tuple[Control, ...]:
    """Every control the locator fits; whole names win over parts of names, names over texts."""
    found = [one for one in elements if locator.role is None or one.role == locator.role.strip().lower()]
    if locator.name is not None:
        found = _by(found, locator.name, whole_first=True)
    if locator.text is not None:
        found = _by(found, locator.text, whole_first=True)
    return tuple(found)


def only(elements: Sequence[Control], locator: Locator) -> Control:
    """The one control a locator fits.

    Raises:
        EyesError: BROWSER_NO_MATCH, BROWSER_MANY_MATCHES; candidates are in the details.
    """
    found = matches(elements, locator)
    if locator.nth is not None and 1 <= locator.nth <= len(found):
        return found[locator.nth - 1]
    if len(found) == 1 and locator.nth is None:
        return found[0]
    if found:
        raise EyesError(
            BROWSER_MANY_MATCHES,
            f"{len(found)} controls fit {called(locator)}.",
            details={"dispatched": "no", "candidates": [_told(one) for one in found[:SHOWN]]},
        )
    raise EyesError(
        BROWSER_NO_MATCH,
        f"No control fits {called(locator)}.",
        details={"dispatched": "no", "candidates": _near(elements, locator)},
    )


def called(locator: Locator) -> str:
    """A locator in words."""
    parts = [locator.role or "", f'"{locator.name}"' if locator.name else ""]
    parts.append(f'with text "{locator.text}"' if locator.text else "")
    return " ".join(part for part in parts if part) or "nothing"


def _by(elements: list[Control], wanted: str, *, whole_first: bool) -> list[Control]:
    plain = _plain(wanted)
    whole = [one for one in elements if _plain(one.name) == plain] if whole_first else []
    return whole or [one for one in elements if plain and plain in _plain(one.name)]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _told(control: Control) -> str:
    return f'{control.ref} {control.role} "{control.name[:60]}"'


def _near(elements: Sequence[Control], locator: Locator) -> list[str]:
    same = [one for one in elements if locator.role is None or one.role == locator.role] or list(elements)
    names = {one.name: one for one in same if one.name}
    near = nearest(locator.name or locator.text or "", list(names))
    first = [names[near]] if near else []
    return [_told(one) for one in [*first, *(one for one in same if one not in first)][:SHOWN]]
