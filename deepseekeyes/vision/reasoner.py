"""One call of a reasoning model: a walk over the routes that may answer, its budget fitted, its thoughts set aside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.ask import ask as ask_route
from deepseekeyes.routing.capabilities import REASONING
from deepseekeyes.routing.ports import Engine, EngineReply, EngineRequest, Message
from deepseekeyes.routing.tally import Repetition, Tally
from deepseekeyes.routing.walk import Walked, walk
from deepseekeyes.vision.codes import FINAL_CONTEXT_EXHAUSTED
from deepseekeyes.vision.fitting import after_overflow, fitted
from deepseekeyes.vision.thoughts import split_thoughts

if TYPE_CHECKING:
    from deepseekeyes.core.clock import Clock
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.metered import Annotate
    from deepseekeyes.routing.plan import Plan
    from deepseekeyes.vision.ask_deps import AskDeps
    from deepseekeyes.vision.speech import Speech

CAPPED: Final = "output-budget-capped"
OVERFLOW: Final = "ENGINE_CONTEXT_OVERFLOW"


@dataclass(frozen=True, slots=True)
class Fitted:
    """`Engine` around a reasoning model's engine.

    It caps the output budget to what the window leaves, repeats a call once with the room that an overflow refusal
    states, and moves thoughts out of the text, so that a reply of thoughts alone counts as no answer.
    """

    engine: Engine
    tally: Tally
    clock: Clock

    async def run(self, route: Route, request: EngineRequest) -> EngineReply:
        """One call, or two after an overflow.

        Raises:
            EyesError: `FINAL_CONTEXT_EXHAUSTED`, or what the engine raised.
        """
        budget = fitted(request.max_tokens, route.limits.context_tokens, request.messages)
        current = replace(request, max_tokens=budget)
        started = self.clock.monotonic()
        try:
            reply = await self.engine.run(route, current)
        except EyesError as error:
            room = after_overflow(error.message, budget) if error.code.name == OVERFLOW else None
            if room is None:
                raise
            if room == 0:
                raise _exhausted(route, error) from error
            self.tally.add_failed(error)
            self.tally.repetitions.append(Repetition(error.code.name, self.clock.milliseconds_since(started)))
            budget = room
            reply = await self.engine.run(route, replace(current, max_tokens=room, repeat=True))
        return _answered(reply, capped=budget != request.max_tokens)


async def speak(
    plan: Plan,
    messages: Callable[[Route], tuple[Message, ...]],
    deps: AskDeps,
    *,
    annotate: Annotate,
    speech: Speech | None,
    wait: bool,
) -> Walked[EngineReply]:
    """Ask the reasoning model once.

    Args:
        plan: who may answer.
        messages: what a route is sent.
        deps: see `AskDeps`.
        annotate: has the last word over what is booked for each call.
        speech: shows the reply while it arrives.
        wait: whether the walk may wait for a resting route.

    Raises:
        EyesError: what the walk raises.
    """
    vision = deps.vision
    tally = Tally()
    budget = vision.settings.answer_max_tokens or None

    async def run(route: Route) -> EngineReply:
        request = EngineRequest(
            capability=REASONING,
            messages=messages(route),
            max_tokens=budget,
            on_text=None if speech is None else speech.hear,
            on_restart=None if speech is None else speech.restart,
        )
        engine = Fitted(deps.reasoner(route, annotate), tally, vision.clock)
        if speech is not None:
            speech.restart()
        return await ask_route(engine, route, request, tally=tally, clock=vision.clock)

    return await walk(
        plan,
        run,
        vision.walk(),
        operation="answer",
        tally=tally,
        session_hash=vision.session_hash,
        wait_s=vision.max_wait_s if wait else 0.0,
    )


def _answered(reply: EngineReply, *, capped: bool) -> EngineReply:
    text, thoughts = split_thoughts(reply.text)
    return replace(
        reply,
        text=text,
        reasoning=reply.reasoning + thoughts,
        finish="other" if reply.finish == "tool-calls" else reply.finish,
        notes=(*reply.notes, CAPPED) if capped else reply.notes,
    )


def _exhausted(route: Route, error: EyesError) -> EyesError:
    return EyesError(
        FINAL_CONTEXT_EXHAUSTED,
        f"The evidence leaves no room for an answer in the window of {route.id}.",
        details=error.details,
    )
