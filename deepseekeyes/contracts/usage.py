"""One line of accounting."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.contracts.model import Contract

Purpose = Literal["probe", "base", "target", "clarification", "final", "automation", "mcp"]


class TokenUsage(Contract):
    """Tokens of one call as the provider reported them; None is "not reported", never zero.

    `input_tokens` excludes what was read from or written to a prompt cache; `reasoning_tokens` is a part of
    `output_tokens`, `image_tokens` a part of the input.
    """

    input_tokens: int | None = Field(default=None, ge=0)
    output_tokens: int | None = Field(default=None, ge=0)
    cache_read_tokens: int | None = Field(default=None, ge=0)
    cache_write_tokens: int | None = Field(default=None, ge=0)
    reasoning_tokens: int | None = Field(default=None, ge=0)
    image_tokens: int | None = Field(default=None, ge=0)

    @property
    def total(self) -> int:
        parts = (self.input_tokens, self.output_tokens, self.cache_read_tokens, self.cache_write_tokens)
        return sum(part or 0 for part in parts)

    def __add__(self, other: TokenUsage) -> TokenUsage:
        def both(name: str) -> int | None:
            mine: int | None = getattr(self, name)
            theirs: int | None = getattr(other, name)
            return theirs if mine is None else mine if theirs is None else mine + theirs

        return TokenUsage(**{name: both(name) for name in TokenUsage.model_fields})


class UsageEvent(Contract):
    """One call as the ledger books it. Session ids are stored hashed."""

    at: str
    purpose: Purpose
    provider: str
    model: str
    route: str
    session_hash: str | None = None
    outcome: Literal["success", "failed", "retry", "cache-hit"] = "success"
    duration_ms: int = Field(default=0, ge=0)
    usage: TokenUsage = TokenUsage()
    estimated_input_tokens: int | None = None
    counters: dict[str, int] = Field(default_factory=dict)
