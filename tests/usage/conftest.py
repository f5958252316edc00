"""A ledger with some history, and everything the usage operations need."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.contracts.usage import TokenUsage, UsageEvent
from deepseekeyes.core.clock import Clock
from deepseekeyes.routing.catalog import Prices
from deepseekeyes.store.ledger import Ledger
from deepseekeyes.usage.deps import UsageDeps
from deepseekeyes.usage.money import PriceList

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)
PRICES = {
    "qwen": Prices(as_of="2026-11-30", input=2.0, output=8.0, cache_read=0.2),
    "glm": Prices(as_of="2026-12-01", currency="CNY", input=1.0, output=1.0),
}


def event(purpose: Any = "base", route: str = "qwen", *, day: str = "2026-12-01", **more: Any) -> dict[str, Any]:
    """A usage row as an engine books it."""
    usage = more.pop("usage", TokenUsage(input_tokens=1000, output_tokens=100))
    session = more.pop("session", None)
    made = UsageEvent(
        at=f"{day}T09:00:00.000Z", purpose=purpose, provider=route, model="m", route=route, usage=usage,
        session_hash=None if session is None else sha256(session.encode()).hexdigest(), duration_ms=10, **more,
    )  # fmt: skip
    return made.model_dump(mode="json", by_alias=True)


def booked(
    *events: dict[str, Any], home: Path | None = None, files: dict[str, str | bytes] | None = None, **ledger: Any
) -> UsageDeps:
    made = Ledger(home / "ledger.sqlite3" if home else None, now=lambda: NOW, **ledger)
    for one in events:
        made.append("usage", one)
    return UsageDeps(
        ledger=made,
        text=lambda name: (files or {})[name],
        money=PriceList(PRICES, frozenset({"local"})),
        clock=Clock(now=lambda: NOW),
    )


@pytest.fixture
def history() -> tuple[dict[str, Any], ...]:
    return (
        event("probe", usage=TokenUsage(input_tokens=200, output_tokens=20)),
        event("base", usage=TokenUsage(input_tokens=1000, output_tokens=300, reasoning_tokens=120, image_tokens=600)),
        event("base", outcome="failed", usage=TokenUsage()),
        event("base", outcome="retry", usage=TokenUsage(input_tokens=1000, output_tokens=250)),
        event("base", outcome="cache-hit", usage=TokenUsage()),
        event("target", usage=TokenUsage(input_tokens=400, output_tokens=50)),
        event("clarification", "brain", usage=TokenUsage(input_tokens=700, output_tokens=60),
              estimated_input_tokens=300),
        event("final", "brain", usage=TokenUsage(input_tokens=900, output_tokens=80, cache_read_tokens=500),
              estimated_input_tokens=350),
        event("mcp", "brain", usage=TokenUsage(input_tokens=90, output_tokens=10), counters={"mcpExternalCalls": 1}),
    )  # fmt: skip
