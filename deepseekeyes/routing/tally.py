"""What one walk spends: tokens of every call, failed ones included, and the repetitions on one route."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.errors import EyesError


@dataclass(frozen=True, slots=True)
class Repetition:
    """A call that was repeated on the same route: why, and how long the first took."""

    error_code: str
    duration_ms: int


@dataclass(slots=True)
class Tally:
    """Filled while a walk goes on; belongs to one walk only."""

    usage: TokenUsage = field(default_factory=TokenUsage)
    calls: int = 0
    repetitions: list[Repetition] = field(default_factory=list)

    def add(self, usage: TokenUsage) -> None:
        """Book one call."""
        self.calls += 1
        self.usage = self.usage + usage

    def add_failed(self, error: EyesError) -> None:
        """Book one failed call with whatever usage it carries."""
        self.add(usage_of(error))

    def taken(self) -> tuple[Repetition, ...]:
        """The repetitions since the last call of this method."""
        found = tuple(self.repetitions)
        self.repetitions.clear()
        return found


def usage_of(error: EyesError) -> TokenUsage:
    """Tokens that a failure says were spent."""
    found: Any = error.details.get("usage")
    if not isinstance(found, dict):
        return TokenUsage()
    names = {name: found[alias] for name, alias in _ALIASES.items() if isinstance(found.get(alias), int)}
    return TokenUsage(**names)


_ALIASES = {
    "input_tokens": "inputTokens",
    "output_tokens": "outputTokens",
    "cache_read_tokens": "cacheReadTokens",
    "cache_write_tokens": "cacheWriteTokens",
    "reasoning_tokens": "reasoningTokens",
    "image_tokens": "imageTokens",
}
