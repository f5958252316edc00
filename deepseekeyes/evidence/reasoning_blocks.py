"""The ways in which models mark what they only thought.

Each family is an opening mark and the mark that closes it. What lies between is never an answer. A closing mark
without an opening one means that the opening one was part of the prompt, so that all before it was thought.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORDS = r"(?:[\w.-]{1,20}:)?(?:think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad|inner_monologue)"
_FINAL = r"<\|channel\|>\s*final[^<]{0,50}<\|message\|>"
_TURN_ENDS = rf"<\|(?:end|return)\|>(?:\s*<\|start\|>\w{{0,20}})?(?:\s*{_FINAL})?|{_FINAL}"

_FAMILIES: tuple[tuple[str, str], ...] = (
    (rf"<{_WORDS}(?:\s[^<>]{{0,200}})?(?<!/)>", rf"</\s*{_WORDS}\s*>"),
    (r"\[think\]", r"\[/think\]"),
    (r"◁think▷", r"◁/think▷"),
    (r"<\|begin_of_(?:thought|think)\|>", r"<\|end_of_(?:thought|think)\|>"),
    (r"<\|(?:start_thinking|think_start|thinking)\|>", r"<\|(?:end_thinking|think_end|/thinking)\|>"),
    (r"<\|channel\|>\s*(?:analysis|commentary)\b[^<]{0,200}<\|message\|>", _TURN_ENDS),
    (r"<\|channel>thought", r"<channel\|>"),
    (r"<unused94>", r"<unused95>"),
)
_ORPHANS = tuple(index for index in range(len(_FAMILIES)) if index != 5)

_OBJECT = r'(?P<object>\{(?=\s*["}]))'
_LANDMARK = re.compile(
    "|".join(
        [
            _OBJECT,
            *(f"(?P<open{index}>{opening})" for index, (opening, _) in enumerate(_FAMILIES)),
            "(?P<close>" + "|".join(_FAMILIES[index][1] for index in _ORPHANS) + ")",
        ]
    ),
    re.IGNORECASE,
)
_CLOSINGS = tuple(re.compile(closing, re.IGNORECASE) for _, closing in _FAMILIES)


@dataclass(frozen=True, slots=True)
class Landmark:
    """Something the reader stops at: the brace of an object, a thought that opens, or one that only closes.

    `resume` is where reading goes on: for an opened thought the end of its block, None when it never closes.
    """

    kind: str
    start: int
    resume: int | None


def next_landmark(text: str, position: int) -> Landmark | None:
    """The first landmark at or after `position`; None when only prose is left."""
    found = _LANDMARK.search(text, position)
    if found is None:
        return None
    name = found.lastgroup or ""
    if name == "object":
        return Landmark("object", found.start(), found.start() + 1)
    if name == "close":
        return Landmark("closed", found.start(), found.end())
    closing = _CLOSINGS[int(name.removeprefix("open"))].search(text, found.end())
    return Landmark("opened", found.start(), closing.end() if closing else None)


def spoken(text: str) -> str:
    """What is left of a text without its thoughts; an opening mark that never closes takes the rest with it."""
    kept: list[str] = []
    position = 0
    while (found := next_landmark(text, position)) is not None:
        kept.append(text[position : found.start])
        if found.kind == "object":
            kept.append(text[found.start : found.resume])
        elif found.kind == "closed":
            kept.clear()
        if found.resume is None:
            return "".join(kept).strip()
        position = found.resume
    return "".join((*kept, text[position:])).strip()
