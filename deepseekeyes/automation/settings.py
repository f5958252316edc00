"""The `[automation]` section: how much context and how many calls an automated turn may use."""

from __future__ import annotations

from pydantic import Field, field_validator

from deepseekeyes.contracts.settings import Section


class AutomationSettings(Section):
    """Budgets of turns in which a model acts through browser, desktop or MCP."""

    context_max_tokens: int = Field(
        default=32_768, ge=0, description="Estimated context of an automated turn, at least 4096; 0 = not bounded."
    )
    calls_per_turn: int = Field(
        default=32, ge=0, le=10_000, description="Automation calls in one turn; 0 = not bounded."
    )

    @field_validator("context_max_tokens")
    @classmethod
    def _usable(cls, value: int) -> int:
        if 0 < value < 4096:
            raise ValueError(f"must be 0 or at least 4096, not {value}")
        return value
