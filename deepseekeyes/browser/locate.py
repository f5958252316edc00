"""From what a caller calls a control to the one control of an observation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deepseekeyes.automation.choosing import Kind, Locator, plain, the_one, whole_first
from deepseekeyes.automation.surface import Control
from deepseekeyes.browser.codes import BROWSER_MANY_MATCHES, BROWSER_NO_MATCH

CONTROLS: Final[Kind[Control]] = Kind(
    word="control",
    told=lambda one: (one.ref, one.role, one.name),
    alike=lambda role, wanted: role == wanted.strip().lower(),
    none=BROWSER_NO_MATCH,
    many=BROWSER_MANY_MATCHES,
)


def matches(elements: Sequence[Control], locator: Locator) -> tuple[Control, ...]:
    """Every control the locator fits; whole names win over parts of names."""
    found = CONTROLS.of_role(elements, locator)
    for wanted in (locator.name, locator.text):
        if wanted is not None:
            found = whole_first(found, lambda one: plain(one.name), plain(wanted))
    return tuple(found)


def only(elements: Sequence[Control], locator: Locator, *, unread: int = 0) -> Control:
    """The one control a locator fits.

    Args:
        unread: how many controls of the page are not among the elements.

    Raises:
        EyesError: BROWSER_NO_MATCH, BROWSER_MANY_MATCHES; candidates are in the details.
    """
    return the_one(matches(elements, locator), elements, locator, CONTROLS, unread=unread)
