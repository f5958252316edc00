"""What the engines over HTTP have in common: one call, and an answer that grows while it arrives."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing import codes
from deepseekeyes.routing.adapters.http import Exchange, Http, exchange
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.ports import EngineReply, EngineRequest, Finish


@dataclass(slots=True)
class Growing:
    """What has arrived so far."""

    route: Route
    request: EngineRequest
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)
    model: str | None = None

    def say(self, text: object) -> None:
        """A piece of the answer; whoever waits for it hears it at once."""
        if isinstance(text, str) and text:
            self.text.append(text)
            if self.request.on_text is not None:
                self.request.on_text(text)

    def think(self, text: object) -> None:
        """A piece of the reasoning beside the answer."""
        if isinstance(text, str) and text:
            self.reasoning.append(text)

    def served_by(self, document: Mapping[str, Any]) -> None:
        """Note the model a document names."""
        if isinstance(document.get("model"), str):
            self.model = document["model"]

    def counted(self) -> tuple[TokenUsage, tuple[str, ...]]:
        """The tokens in our words, and what is odd about them."""
        raise NotImplementedError

    def ending(self) -> tuple[Finish, tuple[str, ...]]:
        """Why the answer ended, and what is odd about that."""
        raise NotImplementedError

    def reply(self) -> EngineReply:
        """The whole answer."""
        usage, odd = self.counted()
        finish, odder = self.ending()
        return EngineReply(
            text="".join(self.text),
            reasoning="".join(self.reasoning),
            finish=finish,
            usage=usage,
            served_model=self.model,
            notes=(*odd, *odder),
        )

    def with_usage(self, error: EyesError) -> EyesError:
        """The failure, carrying what was spent before it."""
        if self.usage:
            error.details["usage"] = self.counted()[0].model_dump(mode="json", by_alias=True)
        return error


Answer = TypeVar("Answer", bound=Growing)


async def answered(
    http: Http,
    url: str,
    headers: Mapping[str, str],
    body: Mapping[str, Any],
    answer: Answer,
    read: Callable[[Exchange, Answer], Awaitable[None]],
) -> EngineReply:
    """Send one request and read its answer.

    Args:
        answer: grows by what `read` hears.

    Raises:
        EyesError: what the endpoint refused, `ENGINE_UNREACHABLE`, `ENGINE_TIMEOUT`, `ANSWER_TOO_LARGE`, what `read`
            raises; `details.usage` holds what was spent.
    """
    sent = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    try:
        async with exchange(http, answer.route, "POST", url, headers=headers, body=sent) as opened:
            await read(opened, answer)
    except EyesError as error:
        raise answer.with_usage(error) from error.__cause__
    return answer.reply()


def parsed(route: Route, raw: bytes) -> object:
    """One JSON value.

    Raises:
        EyesError: `ENGINE_MALFORMED`.
    """
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise malformed(route, "text that is not JSON") from error


def malformed(route: Route, what: str) -> EyesError:
    """The endpoint does not speak the protocol."""
    return EyesError(codes.ENGINE_MALFORMED, f"Route {route.id} answered with {what}.", details={"dispatched": "yes"})


def cut_off(route: Route) -> EyesError:
    """The stream ended too early."""
    return EyesError(
        codes.INCOMPLETE_STREAM,
        f"The stream of route {route.id} ended before the answer was whole.",
        details={"dispatched": "unknown"},
    )
