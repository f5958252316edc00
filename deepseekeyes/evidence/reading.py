"""The one way from an answer to evidence: select, repair, read the boxes, drop what has none, validate.

Models answer with text, prompt-free eyes with a document; both take this way, and so does `vision validate`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deepseekeyes.contracts.evidence import Coordinates, Repair, Variant
from deepseekeyes.core.geometry import Affine
from deepseekeyes.evidence.bounds import DEFAULT_BOUNDS, AnswerBounds, bounded
from deepseekeyes.evidence.coordinates import Normalised, Sent, normalise
from deepseekeyes.evidence.mend import mended
from deepseekeyes.evidence.repair import repair
from deepseekeyes.evidence.schema import Shape, shape
from deepseekeyes.evidence.select import select
from deepseekeyes.evidence.validate import InvalidEvidence, Problem, Problems, problems

_IDENTITY = Affine()


@dataclass(frozen=True, slots=True)
class Reading:
    """Valid evidence and how it came about.

    Paths in `repairs` and in the transforms are JSON pointers into the answer before entries were dropped.
    """

    evidence: dict[str, Any]
    repairs: tuple[Repair, ...]
    coordinates: Coordinates


@dataclass(frozen=True, slots=True)
class Examined:
    """The same, for an answer that may be invalid.

    Attributes:
        selected: the object as the answer gave it.
        evidence: the end of the way; keeps the contract when `problems` is empty.
        notes: why each dropped entry had no legal box.
        problems: what is wrong, in full up to the bound.
    """

    selected: dict[str, Any]
    evidence: dict[str, Any]
    repairs: tuple[Repair, ...]
    coordinates: Coordinates
    notes: tuple[Problem, ...]
    problems: Problems


def read_answer(
    answer: str | Mapping[str, Any],
    variant: Variant,
    *,
    width: float | None = None,
    height: float | None = None,
    declared: str | None = None,
    affine: Affine = _IDENTITY,
    source_size: tuple[float, float] | None = None,
    bounds: AnswerBounds = DEFAULT_BOUNDS,
) -> Reading:
    """Turn an answer into valid evidence of the upright source.

    Args:
        answer: a model's text, or an eye's document.
        variant: which evidence was asked for.
        width: of the picture that was sent, pixels.
        height: likewise.
        declared: the route's coordinate convention; None to infer it.
        affine: source pixels to sent pixels; a crop has an offset.
        source_size: width and height of the upright source; None when it is what was sent.
        bounds: ceilings.

    Raises:
        EyesError: MODEL_OUTPUT_TOO_LARGE, NO_ANSWER, INVALID_MODEL_OUTPUT, UNKNOWN_CONVENTION, PICTURE_SIZE_NEEDED.
        InvalidEvidence: INVALID_VISION_EVIDENCE.
    """
    sent = Sent(width, height, affine, source_size)
    examined = examine(answer, variant, sent=sent, declared=declared, bounds=bounds)
    if examined.problems:
        raise InvalidEvidence(examined.problems)
    return Reading(examined.evidence, examined.repairs, examined.coordinates)


def examine(
    answer: str | Mapping[str, Any],
    variant: Variant,
    *,
    sent: Sent,
    declared: str | None = None,
    bounds: AnswerBounds = DEFAULT_BOUNDS,
) -> Examined:
    """Go the whole way and report, also when the end is not valid. Arguments and codes as in `read_answer`."""
    if isinstance(answer, str):
        found = select(answer, variant, bounds=bounds).value
    else:
        found = dict(answer)
        bounded(found, bounds)
    selected, mends = mended(found)
    repaired = repair(selected, variant)
    read = normalise(repaired.evidence, variant, sent=sent, declared=declared, forms=repaired.forms)
    evidence = repaired.evidence
    repairs = [*mends, *repaired.repairs]
    notes: tuple[Problem, ...] = ()
    faults = Problems()
    if read.refusal is not None:
        faults = Problems((Problem(*read.refusal),))
    else:
        _put(evidence, read)
        repairs += [*read.clamped, *_drop(evidence, read, shape(variant))]
        notes = tuple(Problem(path, reason) for path, reason in read.illegal.items())
        if len(notes) > max(1, read.boxed / 10):
            faults = Problems(notes[: bounds.errors], max(0, len(notes) - bounds.errors))
    faults = faults or problems(evidence, variant, bounds.errors)
    return Examined(selected, evidence, tuple(repairs), read.coordinates, notes, faults)


def _put(evidence: dict[str, Any], read: Normalised) -> None:
    for path, box in read.boxes.items():
        _, name, index, _ = path.split("/")
        evidence[name][int(index)]["bbox"] = box


def _drop(evidence: dict[str, Any], read: Normalised, form: Shape) -> list[Repair]:
    """Take entries without a legal box out of their lists; what they say is kept as an uncertainty."""
    words = {listed.name: str(listed.text) for listed in form.boxed}
    room = next(listed.limit for listed in form.lists if listed.name == "uncertainties")
    dropped: list[Repair] = []
    gone: dict[str, set[int]] = {}
    for path in read.illegal:
        _, name, index, _ = path.split("/")
        entry = evidence[name][int(index)]
        gone.setdefault(name, set()).add(int(index))
        dropped.append(Repair(path=f"/{name}/{index}", action="dropped-entry", original=entry))
        text, uncertain = entry.get(words[name]), evidence.get("uncertainties")
        if isinstance(text, str) and text and isinstance(uncertain, list) and len(uncertain) < room:
            uncertain.append(text)
    for name, indices in gone.items():
        evidence[name] = [entry for index, entry in enumerate(evidence[name]) if index not in indices]
    return dropped
