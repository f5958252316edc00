"""From what a caller calls a control to the one that is meant. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.core.names import nearest

SHOWN = 8
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Locator:
    """What a control is called by, when no ref is given.

    Attributes:
        role, name: as observed; the name as a whole, or a part of it when nothing has it as a whole.
        text: a part of the name or text, in any case.
        nth: which of several, from 1.
    """

    role: str | None = None
    name: str | None = None
    text: str | None = None
    nth: int | None = None

    def __str__(self) -> str:
        parts = [self.role or "", f'"{self.name}"' if self.name else ""]
        parts.append(f'with text "{self.text}"' if self.text else "")
        return " ".join(part for part in parts if part) or "nothing"


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """What is chosen from, in words.

    Attributes:
        word: for one of them; an `s` makes it several.
        told: ref, role and name of one.
        alike: whether a role is the one that was asked for.
        none, many: failure codes.
    """

    word: str
    told: Callable[[T], tuple[str, str, str]]
    alike: Callable[[str, str], bool]
    none: Code
    many: Code

    def line(self, one: T) -> str:
        """One of them in words, with its ref."""
        ref, role, name = self.told(one)
        return f'{ref} {role} "{name[:60]}"'

    def of_role(self, rows: Sequence[T], locator: Locator) -> list[T]:
        """Those that have the locator's role, or all where it names none."""
        return [one for one in rows if locator.role is None or self.alike(self.told(one)[1], locator.role)]


def plain(text: str) -> str:
    """A text as names are compared: blanks and case do not count."""
    return " ".join(text.split()).casefold()


def whole_first(rows: Sequence[T], told: Callable[[T], str], *needles: str) -> list[T]:
    """Those whose text is the first needle, else those whose text holds any of them."""
    whole = [row for row in rows if told(row) == needles[0]]
    return whole or [row for row in rows if any(needle and needle in told(row) for needle in needles)]


def the_one(found: Sequence[T], rows: Sequence[T], locator: Locator, kind: Kind[T], *, unread: int = 0) -> T:
    """The one of those that fit which the locator means.

    Args:
        found: those that fit.
        rows: all there are, for candidates.
        unread: how many more there are that were not read.

    Raises:
        EyesError: the kind's codes; candidates are in the details.
    """
    if locator.nth is not None and 1 <= locator.nth <= len(found):
        return found[locator.nth - 1]
    if len(found) == 1 and locator.nth is None:
        return found[0]
    if found:
        fit = f"{kind.word} fits" if len(found) == 1 else f"{kind.word}s fit"
        raise EyesError(
            kind.many,
            f"{len(found)} {fit} {locator}.",
            details={"dispatched": "no", "candidates": [kind.line(one) for one in found[:SHOWN]]},
        )
    more = f" among those that were read; {unread} further down were not, scroll to them first" if unread else ""
    raise EyesError(
        kind.none,
        f"No {kind.word} fits {locator}{more}.",
        details={"dispatched": "no", "candidates": _near(rows, locator, kind)},
    )


def _near(rows: Sequence[T], locator: Locator, kind: Kind[T]) -> list[str]:
    """Those of the same role, the one whose name comes nearest first."""
    same = sorted(kind.of_role(rows, locator) or rows, key=lambda one: not kind.told(one)[2])
    named = {kind.told(one)[2]: one for one in same if kind.told(one)[2]}
    near = nearest(locator.name or locator.text or "", list(named))
    first = [named[near]] if near else []
    return [kind.line(one) for one in [*first, *(one for one in same if one not in first)][:SHOWN]]
