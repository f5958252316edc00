"""One attempt of the routing walk, privacy-reduced."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.contracts.model import Contract

Phase = Literal["health", "probe", "operation", "circuit", "transport-retry"]
Status = Literal["success", "cache-hit", "failed", "skipped-open-circuit", "retry", "unresolved", "aborted"]


class Attempt(Contract):
    """What happened on one route. Never holds keys, prompts, model output, picture text or provider messages.

    `aborted` is work that its caller gave up: an interrupt, or a time limit around it. It says nothing about the route.
    """

    attempt_id: str
    at: str
    operation: str = Field(max_length=64)
    capability: str = Field(max_length=64)
    route: str = Field(max_length=256)
    provider: str = Field(max_length=256)
    model: str = Field(max_length=512)
    position: int = Field(ge=0)
    failover_index: int = Field(ge=0)
    phase: Phase
    status: Status
    duration_ms: int = Field(ge=0)
    error_code: str | None = Field(default=None, max_length=128)
    session_hash: str | None = None
    image_sha256: str | None = None
