"""The `[vision.batch]` section: how much a batch does at a time."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.settings import Section
from deepseekeyes.core.errors import Details

PREFIX = "vision.batch"


class BatchSettings(Section):
    """Bounds of `vision batch`."""

    readings: int = Field(
        default=8, ge=1, le=256, description="Pictures that are sent over the network at the same time; --jobs wins."
    )
    max_items: int = Field(default=100_000, ge=1, le=10_000_000, description="Most pictures of one batch.")
    cluster_wait_ms: int = Field(
        default=10_000,
        ge=100,
        le=3_600_000,
        description="Milliseconds to wait for a cluster to answer, and for its first worker.",
    )

    def exceeded(self, name: str) -> Details:
        """The `details` of an error about the limit called `name`."""
        return {"limit": {"name": name, "value": getattr(self, name), "setting": f"{PREFIX}.{name}"}}
