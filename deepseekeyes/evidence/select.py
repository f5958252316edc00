"""Finding the evidence object in what a model wrote.

A model wraps its answer in fences, prose, drafts and thoughts. Every brace that can begin an object is tried with a
real decoder, and reading goes on behind each object that parses; so neither a stray quote nor an unmatched brace hides
what follows. Time is bounded: what broken fragments cost is counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from deepseekeyes.contracts.evidence import Variant
from deepseekeyes.core.errors import EyesError
from deepseekeyes.evidence.bounds import DEFAULT_BOUNDS, MAX_CHARS_SETTING, AnswerBounds, bounded
from deepseekeyes.evidence.codes import INVALID_MODEL_OUTPUT, MODEL_OUTPUT_TOO_LARGE, NO_ANSWER
from deepseekeyes.evidence.decode import Broken, Found, ObjectDecoder
from deepseekeyes.evidence.grounding import quoted
from deepseekeyes.evidence.reasoning_blocks import next_landmark
from deepseekeyes.evidence.schema import Shape, shape

BLANK = " \t\r\n\f\v\ufeff\u00a0\u2028\u2029"
_FENCE = re.compile(r"```[ \t]*(?:json)?[ \t]*(?=[\r\n{])(?P<inside>.*)```", re.IGNORECASE | re.DOTALL)
_FIRST_KEY = re.compile(r'\{\s*"(\w{1,40})"\s*:')
_INK = re.compile(f"[^{BLANK}]")
_ATTEMPT = 200


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen object.

    Attributes:
        value: the object as it was written.
        candidates: how many objects stood in the text outside of thoughts.
        thoughts: whether text was left out because it was reasoning.
    """

    value: dict[str, Any]
    candidates: int
    thoughts: bool = False


class _Scan:
    """What a walk over the text has found so far.

    Attributes:
        best: the object to take, among those that are no piece of a broken one.
        count: how many objects parsed.
        broken: the last object that began as evidence and does not parse.
        shadow: up to where pieces of broken evidence lie.
        thoughts: whether a thought was skipped; `unclosed` when it never ended.
        rest: whether there is text outside of thoughts.
    """

    def __init__(self, text: str, form: Shape) -> None:
        self._text = text
        self._form = form
        self.thoughts = False
        self.unclosed = False
        self.forget()

    def forget(self) -> None:
        """All that was read so far turned out to be thought."""
        self.best: Found | None = None
        self.count = 0
        self.broken: Broken | None = None
        self.shadow = 0
        self.rest = False

    def take(self, item: Found) -> None:
        self.count += 1
        if item.start >= self.shadow and (self.best is None or self.rank(item) >= self.rank(self.best)):
            self.best = item

    def rank(self, item: Found) -> tuple[bool, int]:
        """The version beats everything; without it the number of the variant's fields decides."""
        if item.value.get("schemaVersion") == self._form.version:
            return True, 0
        return False, len(self._form.signature & item.value.keys())

    def note_broken(self, broken: Broken) -> None:
        """Remember a broken object that began as evidence; other braces are prose."""
        self.rest = True
        key = _FIRST_KEY.match(self._text, broken.start)
        if key is not None and (key[1] == "schemaVersion" or key[1] in self._form.signature):
            self.broken = broken
            self.shadow = max(self.shadow, broken.reached)


def select(text: str, variant: Variant, *, bounds: AnswerBounds = DEFAULT_BOUNDS) -> Selection:
    """The one object in the text that is meant as evidence.

    A text that is one object (fenced or not) is taken whatever it holds. Otherwise the last object with the variant's
    version wins, else the one with the most of the variant's fields, the later one among equals.

    Args:
        text: what the model answered.
        variant: which evidence was asked for.
        bounds: ceilings.

    Raises:
        EyesError: MODEL_OUTPUT_TOO_LARGE, NO_ANSWER (there were only thoughts), INVALID_MODEL_OUTPUT.
    """
    if len(text) > bounds.chars:
        raise EyesError(
            MODEL_OUTPUT_TOO_LARGE,
            f"The answer has {len(text):,} characters, more than {bounds.chars:,}.",
            details={"limit": {"name": "characters of an answer", "value": bounds.chars, "setting": MAX_CHARS_SETTING}},
        )
    trimmed = text.strip(BLANK)
    if not trimmed:
        raise EyesError(INVALID_MODEL_OUTPUT, "The answer is empty.")
    trimmed = quoted(trimmed)
    whole = _whole(trimmed)
    if whole is not None:
        return Selection(_usable(whole, bounds), 1)
    scan = _scan(trimmed, shape(variant))
    chosen = _choose(scan)
    return Selection(_usable(chosen, bounds), scan.count, scan.thoughts)


def _whole(trimmed: str) -> Found | None:
    fenced = _FENCE.fullmatch(trimmed)
    inside = fenced["inside"].strip(BLANK) if fenced else trimmed
    if not (inside.startswith("{") and inside.endswith("}")):
        return None
    read = ObjectDecoder(inside).read(0)
    return read if isinstance(read, Found) and read.end == len(inside) else None


def _scan(text: str, form: Shape) -> _Scan:
    scan = _Scan(text, form)
    decoder = ObjectDecoder(text)
    budget = 2 * len(text) + 1_000_000
    position = 0
    while (mark := next_landmark(text, position)) is not None:
        scan.rest = scan.rest or not _blank(text, position, mark.start)
        if mark.resume is None:
            scan.thoughts = scan.unclosed = True
            return scan
        position = mark.resume
        if mark.kind == "opened":
            scan.thoughts = True
        elif mark.kind == "closed":
            scan.forget()
            scan.thoughts = True
        else:
            read = decoder.read(mark.start)
            if isinstance(read, Found):
                scan.take(read)
                position = read.end
                continue
            scan.note_broken(read)
            budget -= read.reached - read.start + _ATTEMPT
            if budget < 0:
                raise EyesError(INVALID_MODEL_OUTPUT, "The answer is made of too many broken fragments to be searched.")
    scan.rest = scan.rest or not _blank(text, position, len(text))
    return scan


def _blank(text: str, start: int, end: int) -> bool:
    return _INK.search(text, start, end) is None


def _choose(scan: _Scan) -> Found:
    best, broken = scan.best, scan.broken
    if broken is not None and (best is None or scan.rank(best) == (False, 0) or broken.start > best.start):
        raise EyesError(INVALID_MODEL_OUTPUT, f"The evidence object cannot be read: {broken.reason}.")
    if best is not None:
        return best
    if scan.unclosed or not scan.rest:
        raise EyesError(NO_ANSWER, "The model only thought; no evidence followed.")
    raise EyesError(INVALID_MODEL_OUTPUT, "The answer holds no JSON object.")


def _usable(item: Found, bounds: AnswerBounds) -> dict[str, Any]:
    if item.faults:
        reasons = "; ".join(item.faults[:3])
        raise EyesError(INVALID_MODEL_OUTPUT, f"The evidence object is not strict JSON: {reasons}.")
    bounded(item.value, bounds)
    return item.value
