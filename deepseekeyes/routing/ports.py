"""What the routing spine needs from outside, and what an engine is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from deepseekeyes.contracts.evidence import Region, Variant
from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.routing.catalog import Route


@dataclass(frozen=True, slots=True)
class Picture:
    """Encoded pixels to send; sizes in pixels."""

    data: bytes
    media_type: str
    width: int
    height: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Message:
    """One turn: pictures first, then text."""

    role: Literal["system", "user", "assistant"]
    text: str
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class EngineRequest:
    """One request of one capability.

    `variant`, `question` and `region` serve eyes that take no prompt (a local reader): they get the same pictures and
    return `EngineReply.document` instead of text. `on_text` receives deltas while they arrive. `repeat` marks a further
    call of the same work, so that accounting can tell it apart; `on_restart` says that earlier deltas are void.
    """

    capability: str
    messages: tuple[Message, ...]
    max_tokens: int | None = None
    temperature: float | None = None
    thinking: Literal["default", "off"] = "default"
    variant: Variant | None = None
    question: str | None = None
    region: Region | None = None
    repeat: bool = False
    on_text: Callable[[str], None] | None = None
    on_restart: Callable[[], None] | None = None


Finish = Literal["stop", "max-tokens", "tool-calls", "content-filter", "other"]


@dataclass(frozen=True, slots=True)
class EngineReply:
    """What an engine answered. `document` is set by prompt-free eyes, `text` by models.

    `reasoning` is what the model said aside; it never counts as an answer by itself.
    """

    text: str = ""
    reasoning: str = ""
    finish: Finish = "stop"
    usage: TokenUsage = field(default_factory=TokenUsage)
    served_model: str | None = None
    document: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()


class Engine(Protocol):
    """Runs one request on one route. Raises `EyesError`; never retries by itself."""

    async def run(self, route: Route, request: EngineRequest) -> EngineReply: ...


@dataclass(frozen=True, slots=True)
class Readied:
    """A route that is up. `checked` tells a fresh answer from a remembered one and from none needed."""

    checked: Literal["fresh", "cached", "none"]
    detail: str = ""


class Readiness(Protocol):
    """Makes sure a route is up before its first use. Raises `EyesError` with the reason when it is not.

    Args:
        fresh: ask the endpoint even if an answer is remembered.
    """

    async def ready(self, route: Route, capability: str, *, fresh: bool = False) -> Readied: ...


class Prober(Protocol):
    """Asks one endpoint whether it is up; returns what was seen. Raises `EyesError` when it is not."""

    async def probe(self, route: Route, timeout_s: float) -> str: ...
