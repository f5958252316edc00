"""The `[session]` section: patience and bounds of live sessions."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.settings import Section


class SessionSettings(Section):
    """Hosts that keep a browser alive between two commands."""

    idle_s: int = Field(
        default=1_800, ge=1, le=604_800, description="Seconds without a command after which a session ends by itself."
    )
    start_timeout_ms: int = Field(
        default=30_000, ge=1_000, le=600_000, description="Milliseconds a session host may take to become ready."
    )
    waiting: int = Field(default=16, ge=0, le=1_000, description="Commands that may wait for a busy session.")
    wait_ms: int = Field(
        default=120_000, ge=0, le=3_600_000, description="Milliseconds a command waits for a busy session."
    )
    max_line_bytes: int = Field(
        default=33_554_432, ge=65_536, le=1_073_741_824, description="Bytes of one request or reply of a session."
    )
