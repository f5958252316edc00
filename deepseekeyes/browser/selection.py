"""Which part of a state is shown, and how to get the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from deepseekeyes.browser.ports import PageView, Subtree


@dataclass(frozen=True, slots=True)
class Selection:
    """What a caller asks to see of a state.

    Attributes:
        find: controls and lines of text that hold this, in any case.
        role: controls of one role.
        inside: refs and text inside the element that was asked for; None for the whole page.
        start: how many fitting controls to pass over.
        most: fewer controls than configured.
        text_start: how many characters of text to pass over.
    """

    find: str | None = None
    role: str | None = None
    inside: Subtree | None = None
    start: int = 0
    most: int | None = None
    text_start: int = 0


@dataclass(frozen=True, slots=True)
class Chosen:
    """The part that is shown, with counts of what is not."""

    elements: tuple[Mapping[str, Any], ...]
    text: str
    omitted_elements: int
    omitted_chars: int
    how: tuple[str, ...]
    omitted_roles: Mapping[str, int] = field(default_factory=dict)


def select(view: PageView, wanted: Selection, *, most: int, chars: int) -> Chosen:
    """Cut a state to its budgets; controls in the viewport come first when not all of them fit.

    Args:
        most: controls.
        chars: characters of text.
    """
    limit = min(most, wanted.most or most)
    fitting = [row for row in view.elements if _fits(row, wanted)]
    order = fitting
    if len(fitting) > limit:
        order = [*(row for row in fitting if row["inViewport"]), *(row for row in fitting if not row["inViewport"])]
    page = order[wanted.start : wanted.start + limit]
    kept = {row["ref"] for row in page}
    text = view.text if wanted.inside is None else wanted.inside.text
    text = _lines_with(text, wanted.find) if wanted.find else text
    shown = text[wanted.text_start : wanted.text_start + chars]
    beyond = max(0, view.elements_total - len(view.elements)) if len(fitting) == len(view.elements) else 0
    left = max(0, len(order) - wanted.start - len(page)) + beyond
    cut = max(0, len(text) - wanted.text_start - len(shown)) + (view.text_omitted if wanted.inside is None else 0)
    roles = Counter(str(row["role"]) for row in order[wanted.start + len(page) :])
    rows = tuple(row for row in fitting if row["ref"] in kept)
    return Chosen(rows, shown, left, cut, _how(wanted, page, shown, left, cut), dict(roles.most_common()))


def _how(wanted: Selection, page: list[Mapping[str, Any]], shown: str, left: int, cut: int) -> tuple[str, ...]:
    how: list[str] = []
    if left:
        how.append(f"deepseekeyes browser observe --start {wanted.start + len(page)}")
        how.append("deepseekeyes browser observe --find TEXT, --role ROLE, or --subtree REF")
    if cut:
        how.append(f"deepseekeyes browser observe --text-start {wanted.text_start + len(shown)}")
    return tuple(how)


def _fits(row: Mapping[str, Any], wanted: Selection) -> bool:
    if wanted.role is not None and row["role"] != wanted.role.strip().lower():
        return False
    if wanted.inside is not None and row["ref"] not in wanted.inside.refs:
        return False
    if wanted.find is None:
        return True
    needle = wanted.find.casefold()
    return any(needle in str(row.get(key) or "").casefold() for key in ("name", "value", "role", "href"))


def _lines_with(text: str, find: str) -> str:
    needle = find.casefold()
    return "\n".join(line for line in text.splitlines() if needle in line.casefold())
