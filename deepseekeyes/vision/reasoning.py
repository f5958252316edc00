"""Understanding what a reasoning model said: an answer, or one private request for a further look."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from deepseekeyes.contracts.evidence import Region
from deepseekeyes.core.errors import Code
from deepseekeyes.core.geometry import OVERSHOOT
from deepseekeyes.evidence.codes import INVALID_MODEL_OUTPUT
from deepseekeyes.vision.codes import INVALID_VISION_REQUEST
from deepseekeyes.vision.thoughts import split_thoughts

REQUEST_OPEN: Final = "<deepseekeyes-request>"
REQUEST_CLOSE: Final = "</deepseekeyes-request>"
LONGEST_QUESTION: Final = 2_000
LONGEST_REQUEST: Final = 20_000

_FENCED = re.compile(r"```[ \t]*\w{0,20}[ \t]*\r?\n(?P<inside>.*?)\r?\n?[ \t]*```", re.DOTALL)
_INSIDE_FENCE = re.compile(r"```[ \t]*(?:json)?\s*(?P<inside>\{.*\})\s*```", re.DOTALL | re.IGNORECASE)
_BEGUN = re.compile(r"\s*(?:```|\{)")


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, without thoughts and blanks around it."""

    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """One fact that is missing: a question about a picture, or about a part of it."""

    image_sha256: str
    question: str
    region: Region | None = None


@dataclass(frozen=True, slots=True)
class Malformed:
    """Something that was meant as a request and is none. `reason` is a part of a sentence that the model may read."""

    code: Code
    reason: str


Decision = Reply | Request | Malformed


def read_decision(text: str, known: Collection[str]) -> Decision:
    """What a reply means.

    A request is a whole reply, in a fence or bare. A reply that quotes the mark is an answer; one that mixes words with
    a request for a known picture is neither, and malformed.

    Args:
        text: everything the model said.
        known: hashes of the pictures that may be asked about.
    """
    said = split_thoughts(text)[0].strip()
    fenced = _FENCED.fullmatch(said)
    bare = fenced["inside"].strip() if fenced else said
    if bare.startswith(REQUEST_OPEN):
        inside = bare[len(REQUEST_OPEN) :]
        if inside.endswith(REQUEST_CLOSE) and REQUEST_OPEN not in inside:
            return _request(inside.removesuffix(REQUEST_CLOSE), known)
        if _BEGUN.match(inside):
            return Malformed(INVALID_VISION_REQUEST, "the request is not the whole reply")
    if _mixed(said, known):
        return Malformed(INVALID_VISION_REQUEST, "the reply holds other words beside a request")
    return Reply(said)


def _request(inside: str, known: Collection[str]) -> Request | Malformed:
    asked = _object(inside)
    if asked is None:
        return Malformed(INVALID_MODEL_OUTPUT, "the text between the marks is not one JSON object")
    image, question = asked.get("imageSha256"), asked.get("question")
    if not isinstance(image, str) or image not in known:
        return Malformed(INVALID_VISION_REQUEST, "imageSha256 names no picture of the list")
    if not isinstance(question, str) or not 0 < len(question.strip()) <= LONGEST_QUESTION:
        return Malformed(INVALID_VISION_REQUEST, f"question is no text of 1 to {LONGEST_QUESTION} characters")
    if asked.get("region") is None:
        return Request(image, question.strip())
    region = _region(asked["region"])
    if region is None:
        return Malformed(INVALID_VISION_REQUEST, "region is no part of the picture: x, y, width, height, from 0 to 1")
    return Request(image, question.strip(), region)


def _object(inside: str) -> Mapping[str, Any] | None:
    text = inside.strip()
    if len(text) > LONGEST_REQUEST:
        return None
    fenced = _INSIDE_FENCE.fullmatch(text)
    try:
        found = json.loads(fenced["inside"] if fenced else text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _refused(word: str) -> None:
    raise ValueError(word)


def _region(value: object) -> Region | None:
    if not isinstance(value, Mapping):
        return None
    sides = [value.get(name) for name in ("x", "y", "width", "height")]
    if not all(isinstance(side, int | float) and not isinstance(side, bool) and math.isfinite(side) for side in sides):
        return None
    x, y, width, height = (float(side) for side in sides)  # type: ignore[arg-type]
    most = 1 + OVERSHOOT
    if min(x, y) < 0 or min(width, height) <= 0 or max(x, y) > 1 or x + width > most or y + height > most:
        return None
    return Region(x=x, y=y, width=min(width, 1.0), height=min(height, 1.0))


def _mixed(said: str, known: Collection[str]) -> bool:
    """Whether a line of the reply begins a request for a known picture, outside of any fence."""
    at = -1
    while (at := said.find(REQUEST_OPEN, at + 1)) >= 0:
        line = said[said.rfind("\n", 0, at) + 1 : at]
        end = said.find(REQUEST_CLOSE, at)
        if end < 0:
            return False
        if line.strip() or said.count("```", 0, at) % 2:
            continue
        asked = _object(said[at + len(REQUEST_OPEN) : end])
        if asked is not None and asked.get("imageSha256") in list(known):
            return True
    return False
