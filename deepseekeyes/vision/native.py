"""Handing the pictures themselves to a reasoning model that declares to see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.ports import Engine, EngineReply, EngineRequest, Message, Picture
from deepseekeyes.vision.answer_document import documented
from deepseekeyes.vision.codes import NATIVE_IMAGE_REFUSED
from deepseekeyes.vision.conversation import native
from deepseekeyes.vision.gather import has_pixels, picture_of
from deepseekeyes.vision.reasoner import speak
from deepseekeyes.vision.see import persisted
from deepseekeyes.vision.speech import Speech
from deepseekeyes.vision.work import rendition_spec

if TYPE_CHECKING:
    from deepseekeyes.contracts.answer import Answer
    from deepseekeyes.contracts.usage import UsageEvent
    from deepseekeyes.imaging.decode import Decoded
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.plan import Plan
    from deepseekeyes.vision.answer_document import Turned
    from deepseekeyes.vision.deps import VisionDeps
    from deepseekeyes.vision.gather import Subject
    from deepseekeyes.vision.turn import Turn

REFUSALS = frozenset({"ENGINE_IMAGE_UNSUPPORTED"})


@dataclass(frozen=True, slots=True)
class Seeing:
    """`Engine` that tells a route which turns out not to see from one that fails: the former need not rest."""

    engine: Engine

    async def run(self, route: Route, request: EngineRequest) -> EngineReply:
        """One call.

        Raises:
            EyesError: `NATIVE_IMAGE_REFUSED`, or what the engine raised.
        """
        try:
            return await self.engine.run(route, request)
        except EyesError as error:
            if error.code.name not in REFUSALS:
                raise
            raise EyesError(
                NATIVE_IMAGE_REFUSED,
                f"Route {route.id} declares image input and refused the picture.",
                details=error.details,
            ) from error


def seeing(plan: Plan, subjects: Sequence[Subject], deps: VisionDeps, turn: Turn) -> Plan | None:
    """The part of a plan that gets the pictures themselves, when its first route does; None sends all over the bridge.

    Declared image input is enough. A stored verdict that the route does not see, more pictures than it takes, or a
    picture that is not at hand send the turn over the bridge, and the answer says so.
    """
    if not plan.places or not plan.places[0].route.sees:
        return None
    first = plan.places[0].route
    if not all(has_pixels(subject, deps) for subject in subjects):
        turn.note(f"Route {first.id} declares image input, but not every picture is at hand: it got evidence instead.")
        return None
    if _blind(first, deps):
        turn.note(f"Route {first.id} declares image input, but failed to prove its sight: it got evidence instead.")
        return None
    if len(subjects) > first.limits.max_images:
        turn.note(
            f"Route {first.id} takes {first.limits.max_images} pictures at once, not {len(subjects)}: "
            "it got evidence instead."
        )
        return None
    fit = tuple(
        place
        for place in plan.places
        if place.route.sees and len(subjects) <= place.route.limits.max_images and not _blind(place.route, deps)
    )
    return plan._replace(places=fit)


def native_messages(route: Route, decoded: Sequence[Decoded], question: str) -> tuple[Message, ...]:
    """The question with every picture in the form that a route takes."""
    from deepseekeyes.imaging.rendition import render

    pictures = tuple(
        Picture(piece.data, piece.media_type, piece.width, piece.height, piece.sha256)
        for one in decoded
        for piece in render(one, rendition_spec(route)).pictures
    )
    system, text = native(question)
    return Message("system", system), Message("user", text, pictures)


def refused_pictures(error: EyesError) -> bool:
    """Whether a walk ended because a route turned out not to take pictures."""
    if error.code is NATIVE_IMAGE_REFUSED:
        return True
    attempts = error.details.get("attempts", ())
    return any(attempt.get("errorCode") == NATIVE_IMAGE_REFUSED.name for attempt in attempts)


async def see_natively(turned: Turned, plan: Plan) -> Answer | Plan:
    """The answer of a model that is given the pictures, or who may answer over the bridge after all.

    Raises:
        EyesError: what intake and the walk raise, where no other route could be asked over the bridge.
    """
    from deepseekeyes.imaging.decode import decode

    request, deps, turn = turned.request, turned.deps, turned.turn
    decoded = []
    for subject in turned.subjects:
        data = (await picture_of(subject, deps.vision)).data or b""
        decoded.append(decode(data, deps.vision.settings.limits, request.frame))
        if deps.vision.keep_pictures:
            persisted(partial(deps.vision.blobs.put, data))
    counters = {"visualTurns": 1, "nativeVisualTurns": 1}

    def annotate(event: UsageEvent, reply: EngineReply | None) -> UsageEvent:
        return event if reply is None else event.model_copy(update={"counters": {**event.counters, **counters}})

    seeing_deps = replace(deps, reasoner=lambda route, last: Seeing(deps.reasoner(route, last)))
    speech = None if deps.show is None else Speech(deps.show, guarded=False)
    try:
        walked = await speak(
            plan,
            lambda route: native_messages(route, decoded, request.question),
            seeing_deps,
            annotate=annotate,
            speech=speech,
            wait=request.wait,
        )
    except EyesError as error:
        return _over_the_bridge(turned, plan, error)
    if speech is not None:
        speech.end(answer=True)
    turn.book("final", walked.usage, walked.attempts)
    pictures = tuple(one.source.blob() for one in decoded)
    return documented(turned, answer=walked.value.text.strip(), mode="native", walked=walked, pictures=pictures)


def _over_the_bridge(turned: Turned, plan: Plan, error: EyesError) -> Plan:
    """Who may answer from evidence after the pictures themselves led nowhere; the failure is on the books then.

    Raises:
        EyesError: the failure itself, where every route that may answer was asked.
    """
    from deepseekeyes.contracts.attempt import Attempt
    from deepseekeyes.routing.tally import usage_of

    refused = refused_pictures(error)
    asked = {place.route.id for place in plan.places}
    others = tuple(place for place in turned.plan.places if refused or place.route.id not in asked)
    if not others:
        raise error
    attempts = [Attempt.model_validate(one) for one in error.details.get("attempts", ())]
    turned.turn.book("final", usage_of(error), attempts)
    first = plan.places[0].route.id
    what = "refused the picture although it declares image input" if refused else "could not answer from the picture"
    turned.turn.note(f"Route {first} {what} [{error.code.name}]: the answer rests on evidence instead.")
    return turned.plan._replace(places=others)


def _blind(route: Route, deps: VisionDeps) -> bool:
    known = deps.verifier().known(route)
    return known is not None and known.status == "failed"
