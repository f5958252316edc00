"""The `[routing]` section: how long facts about routes are believed."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.settings import Section


class RoutingSettings(Section):
    """Health, cooldown and waiting, for every capability alike."""

    health_check: bool = Field(default=True, description="Ask an endpoint whether it is up before its first use.")
    health_ttl_ms: int = Field(
        default=60_000, ge=1_000, le=3_600_000, description="Milliseconds for which a health answer is believed."
    )
    health_timeout_ms: int = Field(
        default=5_000, ge=100, le=120_000, description="Milliseconds for one health request."
    )
    failure_cooldown_ms: int = Field(
        default=30_000,
        ge=0,
        le=3_600_000,
        description="Milliseconds a route rests after a fault of its own; 0 = never.",
    )
    quota_cooldown_ms: int = Field(
        default=3_600_000,
        ge=0,
        le=86_400_000,
        description="Milliseconds a route rests after a billing or quota refusal.",
    )
    max_retry_after_ms: int = Field(
        default=3_600_000, ge=0, le=86_400_000, description="Longest wait that an endpoint's Retry-After may ask for."
    )
    max_wait_ms: int = Field(
        default=600_000, ge=0, le=86_400_000, description="Longest time `--wait` waits for a resting route."
    )
