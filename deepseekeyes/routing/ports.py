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
    return `EngineReply.document` instead of text. `on_text` receives deltas while they arrive.
    """

    capability: str
    messages: tuple[Message, ...]
    max_tokens: int | None = None
    temperature: float | None = None
    thinking: Literal["default", "off"] = "default"
    variant: Variant | None = None
    question: str | None = None
    region: Region | None = None
    on_text: Callable[[str], None] | None = None


Finish = Literal["stop", "max-tokens", "tool-calls", "content-filter", "other"]


@dataclass(frozen=True, slots=True)
class EngineReply:
    """What an engine answered. `document` is set by prompt-free eyes, `text` by models."""

    text: str = ""
    finish: Finish = "stop"
    usage: TokenUsage = field(default_factory=TokenUsage)
    served_model: str | None = None
    document: dict[str, Any] | None = None
    notes: tuple[str, ...] = ()


class Engine(Protocol):
    """Runs one request on one route. Raises `EyesError`; never retries by itself."""

    async def run(self, route: Route, request: EngineRequest) -> EngineReply: ...
