"""One piece of work on one route, with the few repetitions that the same route deserves."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from deepseekeyes.core.clock import Clock
from deepseekeyes.core.errors import Details, EyesError
from deepseekeyes.evidence.reasoning_blocks import spoken
from deepseekeyes.routing import codes
from deepseekeyes.routing.capabilities import EYE, capability
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.ports import Engine, EngineReply, EngineRequest
from deepseekeyes.routing.tally import Repetition, Tally

TRANSPORT_CODES: Final = frozenset({"INCOMPLETE_STREAM"})
TRANSPORT_TEXT_CODES: Final = frozenset(
    {"ENGINE_FAILED", "ENGINE_BAD_REQUEST", "ENGINE_UNREACHABLE", "ENGINE_MALFORMED"}
)
TRANSPORT_TEXT: Final = re.compile(
    r"\bSSE\b|content_block_delta|unexpected end of JSON input|stream ended|premature|connection reset|socket hang ?up"
    r"|reset by peer|peer closed|disconnected",
    re.IGNORECASE,
)
BUDGET_CODES: Final = frozenset({"ENGINE_BUDGET_REJECTED", "ENGINE_CONTEXT_OVERFLOW"})
REASONING_NOTE: Final = "answer-from-reasoning"


@dataclass(slots=True)
class _Left:
    """Repetitions that are still allowed; each kind happens once."""

    transport: int = 1
    budget: int = 1
    room: int = 1


async def ask(
    engine: Engine,
    route: Route,
    request: EngineRequest,
    *,
    tally: Tally,
    clock: Clock,
    usable: Callable[[str], bool] | None = None,
) -> EngineReply:
    """Run one request and return a whole answer.

    A refused output budget is asked again without it; a broken transport is asked again when the work is idempotent;
    an answer that is missing or cut is asked again with thinking off or twice the room. Each happens at most once.
    Bad content never is asked again.

    Args:
        usable: whether a text counts as an answer. Used only when the answer is empty and the model reasoned aloud;
            without it such a text is never taken.

    Raises:
        EyesError: `NO_ANSWER`, `VISION_OUTPUT_TRUNCATED`, `CONTENT_FILTERED`, or what the engine raised. Its
            `details.usage` holds the tokens of that last call; `tally` holds all.
    """
    left = _Left()
    current = _fitted(route, request)
    while True:
        started = clock.monotonic()
        try:
            reply = await engine.run(route, current)
        except EyesError as error:
            tally.add_failed(error)
            again = _after_error(route, current, error, left)
            if again is None:
                raise
            current = _repeated(again, tally, error, clock.milliseconds_since(started))
            continue
        tally.add(reply.usage)
        answer = _answer(reply, current, usable)
        if answer is not None:
            return answer
        problem = _problem(reply, current)
        again = _with_more_room(route, current, reply, left) if problem.code is not codes.CONTENT_FILTERED else None
        if again is None:
            raise problem
        current = _repeated(again, tally, problem, clock.milliseconds_since(started))


def _repeated(request: EngineRequest, tally: Tally, error: EyesError, duration_ms: int) -> EngineRequest:
    tally.repetitions.append(Repetition(error.code.name, duration_ms))
    if request.on_restart is not None:
        request.on_restart()
    return request


def is_idempotent(route: Route, name: str) -> bool:
    """Whether the work may be tried again after it was submitted: the entry's word, else the capability's."""
    return capability(name).idempotent if route.idempotent is None else route.idempotent


def _fitted(route: Route, request: EngineRequest) -> EngineRequest:
    count, pictures = route.limits.max_images, sum(len(message.pictures) for message in request.messages)
    if pictures > count:
        raise EyesError(
            codes.ENGINE_IMAGE_REJECTED,
            f"The request holds {pictures} pictures and route {route.id} takes {count}.",
            details={
                "dispatched": "no",
                "limit": {"name": "max_images", "value": count, "setting": f"routes.{route.id}.limits.max_images"},
            },
        )
    most = route.limits.max_output_tokens
    if most is not None and request.max_tokens is not None and request.max_tokens > most:
        return replace(request, max_tokens=most)
    return request


def _after_error(route: Route, request: EngineRequest, error: EyesError, left: _Left) -> EngineRequest | None:
    if error.code.name in BUDGET_CODES and request.max_tokens is not None and left.budget:
        left.budget -= 1
        return replace(request, max_tokens=None, repeat=True)
    if left.transport and _is_transport(error) and is_idempotent(route, request.capability):
        left.transport -= 1
        return replace(request, repeat=True)
    return None


def _is_transport(error: EyesError) -> bool:
    if error.code.name in TRANSPORT_CODES:
        return True
    return error.code.name in TRANSPORT_TEXT_CODES and TRANSPORT_TEXT.search(error.message) is not None


def _answer(reply: EngineReply, request: EngineRequest, usable: Callable[[str], bool] | None) -> EngineReply | None:
    if reply.document is not None:
        return reply
    reply = _without_answer(reply) if _only_thoughts(reply.text) else reply
    if reply.finish == "content-filter" or (reply.finish == "max-tokens" and request.capability == EYE):
        return None
    if reply.text.strip() or reply.finish == "tool-calls":
        return reply
    if usable is not None and reply.reasoning.strip() and usable(reply.reasoning):
        return replace(reply, text=reply.reasoning, notes=(*reply.notes, REASONING_NOTE))
    return None


def _only_thoughts(text: str) -> bool:
    return bool(text.strip()) and not spoken(text)


def _without_answer(reply: EngineReply) -> EngineReply:
    """A reply that holds marked thoughts and nothing else, told as what it is."""
    return replace(reply, text="", reasoning=reply.reasoning + reply.text)


def _problem(reply: EngineReply, request: EngineRequest) -> EyesError:
    details: Details = {"usage": reply.usage.model_dump(mode="json", by_alias=True), "dispatched": "yes"}
    if reply.finish == "content-filter":
        return EyesError(codes.CONTENT_FILTERED, "The provider withheld the answer.", details=details)
    if not spoken(reply.text):
        spent = " after thinking" if reply.reasoning.strip() or reply.text.strip() else ""
        return EyesError(codes.NO_ANSWER, f"The model ended without an answer{spent}.", details=details)
    if request.max_tokens is not None:
        details["limit"] = {"name": "max_tokens", "value": request.max_tokens, "setting": _BUDGETS.get(request.variant)}
    return EyesError(codes.VISION_OUTPUT_TRUNCATED, "The answer was cut at its token budget.", details=details)


_BUDGETS: Final = {"base": "vision.base_max_tokens", "target": "vision.target_max_tokens", None: None}


def _with_more_room(route: Route, request: EngineRequest, reply: EngineReply, left: _Left) -> EngineRequest | None:
    if not left.room or not is_idempotent(route, request.capability):
        return None
    quieter = route.thinking_switch != "none" and request.thinking != "off"
    room = _twice(route, request.max_tokens)
    if quieter and (reply.reasoning.strip() or not reply.text.strip() or room is None):
        changed = replace(request, thinking="off", repeat=True)
    elif room is not None:
        changed = replace(request, max_tokens=room, repeat=True)
    else:
        return None
    left.room -= 1
    return changed


def _twice(route: Route, budget: int | None) -> int | None:
    if budget is None:
        return None
    most = min(route.limits.max_output_tokens or 2 * budget, route.limits.context_tokens or 2 * budget, 2 * budget)
    return most if most > budget else None
