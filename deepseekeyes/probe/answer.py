"""Reads the one JSON object of a probe answer.

Stricter than evidence selection: the whole text, fenced or not, or a single object inside prose. Two objects are
refused, since nobody could say which one is the answer.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import islice
from typing import Any, NoReturn

ANSWER_LIMIT = 65_536
MOST_STARTS = 1_024
"""Places in prose where an object is looked for; more of them are noise."""

_START = re.compile(r"\{\s*[\"}]")
_FENCE = re.compile(r"\A```(?:json)?[ \t]*\r?\n(?P<inside>.*?)\r?\n?```\Z", re.DOTALL | re.IGNORECASE)
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parsed:
    """The object of an answer and the text around it, or the reason why there is none."""

    value: dict[str, Any] | None
    around: str = ""
    problem: str | None = None


def parse(text: str, limit: int = ANSWER_LIMIT) -> Parsed:
    """The object of an answer. Never raises; `problem` is one plain clause."""
    if len(text) > limit:
        return Parsed(None, problem=f"the answer has {len(text)} characters, more than {limit}")
    text = _THOUGHT.sub("", text).strip().strip("\ufeff").strip()
    if not text:
        return Parsed(None, problem="the answer is empty")
    fenced = _FENCE.match(text)
    whole = _object(fenced["inside"] if fenced else text)
    if whole is not None:
        return Parsed(whole)
    return _embedded(text)


def _embedded(text: str) -> Parsed:
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    found: list[tuple[dict[str, Any], int, int]] = []
    end = 0
    for start in islice(_START.finditer(text), MOST_STARTS):
        at = start.start()
        if at < end or len(found) > 1:
            continue
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        found.append((value, at, end))
    if not found:
        return Parsed(None, problem="the answer holds no JSON object")
    if len(found) > 1:
        return Parsed(None, problem="the answer holds more than one JSON object")
    value, begin, end = found[0]
    return Parsed(value, text[:begin] + " " + text[end:])


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)
