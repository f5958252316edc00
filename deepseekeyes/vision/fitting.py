"""Fitting an answer's output budget into a model's window."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from deepseekeyes.routing.ports import Message

CHARS_PER_TOKEN: Final = 4
OVERHEAD: Final = 4
PIXELS_PER_TOKEN: Final = 750

_DENSE = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)
_OVERFLOW = re.compile(
    r"maximum context[^0-9]{0,60}(?P<window>[\d,]+)[^0-9]{0,120}requested[^0-9]{0,40}[\d,]+"
    r"[^0-9]{0,40}(?P<input>[\d,]+)[^0-9]{0,40}messages?[^0-9]{0,40}(?P<output>[\d,]+)[^0-9]{0,40}completion",
    re.IGNORECASE,
)


def tokens_of(text: str) -> int:
    """Estimated tokens of a text: a quarter of its characters, but each character of a dense script counts whole."""
    dense = len(_DENSE.findall(text))
    return ceil((len(text) - dense) / CHARS_PER_TOKEN) + dense


def estimate(messages: Sequence[Message]) -> int:
    """Estimated input tokens of a request, pictures by their pixels."""
    total = 0
    for message in messages:
        total += tokens_of(message.text) + OVERHEAD
        total += 0 if message.role == "system" else OVERHEAD
        total += sum(ceil(one.width * one.height / PIXELS_PER_TOKEN) + OVERHEAD for one in message.pictures)
    return total


def margin(window: int) -> int:
    """Tokens that stay free: 1 % of the window, between 256 and 8192."""
    return min(8192, max(256, ceil(window / 100)))


def fitted(requested: int | None, window: int | None, messages: Sequence[Message]) -> int | None:
    """An output budget that fits beside the input; unchanged where the request or the window is not known."""
    if requested is None or window is None:
        return requested
    return min(requested, max(1, window - estimate(messages) - margin(window)))


def after_overflow(message: str, before: int | None) -> int | None:
    """The output budget that a provider's refusal leaves room for.

    Args:
        message: the refusal, as OpenAI-style endpoints word it: window, requested, in the messages, in the completion.
        before: the budget that was refused, where one was sent.

    Returns:
        None when the message does not say; 0 when nothing smaller than before is left.
    """
    found = _OVERFLOW.search(message)
    if found is None:
        return None
    window, used, output = (int(found[name].replace(",", "")) for name in ("window", "input", "output"))
    room = window - used - margin(window)
    return room if 0 < room < (before if before is not None else output) else 0
