"""An engine that books every call, failed and repeated ones included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from deepseekeyes.contracts.usage import Purpose, TokenUsage, UsageEvent
from deepseekeyes.core.clock import Clock, rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.ports import Engine, EngineReply, EngineRequest
from deepseekeyes.routing.tally import usage_of

Booked = Literal["success", "failed", "retry"]
Annotate = Callable[[UsageEvent, EngineReply | None], UsageEvent]


@dataclass(frozen=True, slots=True)
class Metered:
    """`Engine` around an engine: one `UsageEvent` a call.

    Attributes:
        record: takes each event; must not raise.
        purpose: what the calls are for.
        session_hash: hash of the session they belong to, if any.
        annotate: has the last word over an event, for calls whose purpose shows only in their answer.
    """

    engine: Engine
    record: Callable[[UsageEvent], None]
    clock: Clock
    purpose: Purpose
    session_hash: str | None = None
    annotate: Annotate | None = None

    async def run(self, route: Route, request: EngineRequest) -> EngineReply:
        """Make the call. One that was given up half way (an interrupt, a time limit around it) may still be billed."""
        started = self.clock.monotonic()
        try:
            reply = await self.engine.run(route, request)
        except EyesError as error:
            if error.details.get("dispatched") != "no":
                self._book(route, request, "retry" if request.repeat else "failed", started, usage_of(error), None)
            raise
        except BaseException:
            self._book(route, request, "retry" if request.repeat else "failed", started, TokenUsage(), None)
            raise
        self._book(route, request, "retry" if request.repeat else "success", started, reply.usage, reply)
        return reply

    def _book(
        self,
        route: Route,
        request: EngineRequest,
        outcome: Booked,
        started: float,
        usage: TokenUsage,
        reply: EngineReply | None,
    ) -> None:
        event = UsageEvent(
            at=rfc3339(self.clock.now()),
            purpose=self.purpose,
            provider=route.provider,
            model=route.model,
            route=route.id,
            session_hash=self.session_hash,
            outcome=outcome,
            duration_ms=self.clock.milliseconds_since(started),
            usage=usage,
            counters=_sent(request),
        )
        self.record(event if self.annotate is None else self.annotate(event, reply))


def _sent(request: EngineRequest) -> dict[str, int]:
    """How many pictures went out, and their pixels: what image tokens are to be compared with."""
    pictures = [picture for message in request.messages for picture in message.pictures]
    if not pictures:
        return {}
    pixels = sum(picture.width * picture.height for picture in pictures)
    return {"picturesSent": len(pictures), "pixelsSent": pixels}
