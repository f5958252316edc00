"""The document of an answer, and what stays the same while a question is answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deepseekeyes.contracts.answer import Answer, AnsweredBy, AnswerMode, Extract, LookTaken
from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.vision.reasoner import CAPPED

if TYPE_CHECKING:
    from deepseekeyes.contracts.evidence import EvidenceRecord
    from deepseekeyes.routing.plan import Plan
    from deepseekeyes.routing.ports import EngineReply
    from deepseekeyes.routing.walk import Walked
    from deepseekeyes.vision.ask import AskRequest
    from deepseekeyes.vision.ask_deps import AskDeps
    from deepseekeyes.vision.gather import Subject
    from deepseekeyes.vision.turn import Turn


@dataclass(frozen=True, slots=True)
class Turned:
    """Everything that stays the same while a question is answered."""

    request: AskRequest
    deps: AskDeps
    turn: Turn
    plan: Plan
    subjects: tuple[Subject, ...]


def documented(
    turned: Turned,
    *,
    answer: str | None,
    mode: AnswerMode,
    walked: Walked[EngineReply] | None = None,
    records: tuple[EvidenceRecord, ...] = (),
    looks: tuple[LookTaken, ...] = (),
    looks_left: int = 0,
    pictures: tuple[BlobRef, ...] | None = None,
    extracts: tuple[Extract, ...] = (),
    hint: str | None = None,
) -> Answer:
    """The answer's document."""
    turn, vision = turned.turn, turned.deps.vision
    by = None if walked is None else _answered_by(turned, walked)
    return Answer(
        answer=answer,
        mode=mode,
        question=turned.request.question,
        route=by,
        finish=None if walked is None else walked.value.finish,
        pictures=tuple(record.source.blob() for record in records) if pictures is None else pictures,
        evidence=records,
        looks=looks,
        looks_left=looks_left,
        extracts=extracts,
        notes=tuple(turn.notes),
        hint=hint,
        at=rfc3339(vision.clock.now()),
        duration_ms=vision.clock.milliseconds_since(turn.started),
        attempts=tuple(turn.attempts),
        usage=turn.usage(),
        persistence=vision.persistence(),
    )


def _answered_by(turned: Turned, walked: Walked[EngineReply]) -> AnsweredBy:
    route, reply = walked.route, walked.value
    places = turned.plan.places
    place = next((one for one in places if one.route.id == route.id), walked.place)
    first = places[0].route
    if route.id != first.id:
        turned.turn.note(f"Route {route.id} answered because {first.id} did not; the configured order lets it.")
    if reply.finish == "max-tokens":
        turned.turn.note("The answer was cut at its token budget.")
    if CAPPED in reply.notes:
        turned.turn.note(f"The output budget was cut to fit the window of {route.id}.")
    return AnsweredBy(
        id=route.id,
        provider=route.provider,
        engine=route.engine,
        model=route.model,
        served_model=reply.served_model,
        decided_by=place.decided_by,
        asked=route.id == first.id,
    )
