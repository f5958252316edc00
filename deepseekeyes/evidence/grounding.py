"""Boxes and words inside the special tokens of grounding models.

Such models wrap what they point at (`<|ref|>OK<|/ref|>`) and where (`<|det|>[[10, 20, 30, 40]]<|/det|>`,
`<|box_start|>(10,20),(30,40)<|box_end|>`). The tokens always hold opposite corners.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_REFS = (
    (r"<\|ref\|>", r"<\|/ref\|>"),
    (r"<\|object_ref_start\|>", r"<\|object_ref_end\|>"),
    (r"<ref>", r"</ref>"),
)
_BOXES = (
    (r"<\|det\|>", r"<\|/det\|>"),
    (r"<\|box_start\|>", r"<\|box_end\|>"),
    (r"<\|begin_of_box\|>", r"<\|end_of_box\|>"),
    (r"<box>", r"</box>"),
)
_NUMBERS = r"[-+0-9.eE,\s()\[\]]{1,200}"
_BOX = "(?:" + "|".join(f"{opening}{_NUMBERS}{closing}" for opening, closing in _BOXES) + ")"
_REF = "(?:" + "|".join(f"{opening}(?P<words{i}>.*?){closing}" for i, (opening, closing) in enumerate(_REFS)) + ")"

_BARE = re.compile(rf'(?P<key>"bbox"\s*:\s*)(?P<box>{_BOX})')
_WRAPPED_BOX = re.compile(rf"\s*{_BOX}\s*")
_WRAPPED = re.compile(rf"\s*{_REF}\s*(?P<box>{_BOX})?\s*", re.DOTALL)
_DECIMAL = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


class Grounded(NamedTuple):
    """The words inside the tokens, and the box beside them when there is one."""

    words: str
    corners: list[float] | None


def quoted(text: str) -> str:
    """The text with a token box that stands bare behind a `bbox` key made a JSON string, so that it can be parsed."""
    if "<" not in text:
        return text
    return _BARE.sub(lambda found: f'{found["key"]}"{" ".join(found["box"].split())}"', text)


def corners(text: str) -> list[float] | None:
    """The four numbers of a string that is one token box; None for everything else."""
    if len(text) > 400 or _WRAPPED_BOX.fullmatch(text) is None:
        return None
    inside = text[text.index(">") + 1 : text.rindex("<")]
    numbers = [_number(digits) for digits in _DECIMAL.findall(inside)]
    return numbers if len(numbers) == 4 else None


def grounded(text: str) -> Grounded | None:
    """What a string says that is wholly wrapped in reference tokens; None for ordinary text."""
    if not text.lstrip().startswith("<"):
        return None
    found = _WRAPPED.fullmatch(text)
    if found is None:
        return None
    words = next(found[f"words{index}"] for index in range(len(_REFS)) if found[f"words{index}"] is not None)
    words = words.strip()
    if not words or _WRAPPED.fullmatch(words):
        return None
    return Grounded(words, corners(found["box"]) if found["box"] else None)


def _number(digits: str) -> float:
    value = float(digits)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value
