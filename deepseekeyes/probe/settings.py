"""The `[probe]` section."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.settings import Section


class ProbeSettings(Section):
    """How routes prove that they see, and how long the proof holds."""

    verdict_ttl_s: int = Field(
        default=604_800, ge=0, le=31_536_000, description="Seconds that a passed probe of a route holds; 0 probes anew."
    )
    failure_ttl_s: int = Field(
        default=3_600,
        ge=0,
        le=31_536_000,
        description="Seconds that a failed probe keeps a route out.",
    )
    wait_s: int = Field(
        default=300, ge=0, le=86_400, description="Seconds to wait for another process that is probing the same route."
    )
    max_tokens: int = Field(
        default=4_096,
        ge=64,
        le=1_000_000,
        description="Output budget of a probe answer; thinking needs room.",
    )
    min_picture_tokens: int = Field(
        default=6,
        ge=1,
        le=100_000,
        description="Input tokens that a picture costs at least; fewer are a placeholder for a dropped one.",
    )
    max_answer_chars: int = Field(default=65_536, ge=256, le=4_194_304, description="Characters of one probe answer.")
    max_verdicts: int = Field(default=256, ge=1, le=100_000, description="Stored verdicts; the oldest go first.")
    calibrate: bool = Field(
        default=False,
        description="Also run `place` before the first evidence of a route that declares no coordinate convention.",
    )
