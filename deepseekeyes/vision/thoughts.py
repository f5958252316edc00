"""What a model thought aloud at the start of its text, told apart from its answer."""

from __future__ import annotations

import re
from typing import Literal

from deepseekeyes.evidence.reasoning_blocks import next_landmark

_ORPHAN = re.compile(
    r"</\s*think(?:ing)?\s*>|\[/think\]|◁/think▷|<\|end_of_(?:thought|think)\|>|<\|(?:end_thinking|think_end)\|>",
    re.IGNORECASE,
)
_OPENED = re.compile(r"<\s*think|\[think\]|◁think▷|<\|(?:begin_of_th|start_th|think_start)", re.IGNORECASE)
_OPENING = re.compile(r"<\|?[^<>\s]{0,40}|\[[^\]\s]{0,8}|◁[^▷\s]{0,8}")


def split_thoughts(text: str) -> tuple[str, str]:
    """The answer, and the thoughts before it.

    Thoughts are the blocks a text begins with, also one that never ends, and everything before an end mark whose start
    was a part of the prompt. Marks further inside of an answer are a part of it.
    """
    thoughts: list[str] = []
    rest = text
    while (end := _leading(rest)) is not None:
        thoughts.append(rest[:end])
        rest = rest[end:]
    orphan = _ORPHAN.search(rest)
    if orphan is not None and _ends_thoughts(rest[: orphan.start()]):
        thoughts.append(rest[: orphan.end()])
        rest = rest[orphan.end() :]
    return (rest, "".join(thoughts)) if thoughts else (text, "")


def _ends_thoughts(before: str) -> bool:
    """Whether an end mark after this text can have its start in the prompt: it is not quoted and nothing opened it."""
    return not before.endswith("`") and _OPENED.search(before) is None


def _leading(text: str) -> int | None:
    """Where the thought ends that a text begins with; None when it begins with none."""
    blank = len(text) - len(text.lstrip())
    mark = next_landmark(text, blank) if blank < len(text) else None
    if mark is None or mark.kind != "opened" or mark.start != blank:
        return None
    return len(text) if mark.resume is None else mark.resume


def beginning(text: str) -> Literal["answer", "thought", "unclear"] | int:
    """How a text that is still arriving begins, blanks at its start already cut.

    Returns:
        `answer`; `thought` while a thought goes on; `unclear` while the first mark is not whole; or the place where
        the thought at its beginning ends.
    """
    mark = next_landmark(text, 0)
    if mark is not None and mark.kind == "opened" and mark.start == 0:
        return "thought" if mark.resume is None else mark.resume
    return "unclear" if _OPENING.fullmatch(text) else "answer"
