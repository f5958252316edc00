"""One line of a doctor report or of a judge."""

from __future__ import annotations

from typing import Literal

from deepseekeyes.contracts.model import Contract

CheckStatus = Literal["ok", "warning", "failed", "skipped"]


class Check(Contract):
    """What was looked at, what was really seen, and how to mend it (None when there is nothing to mend)."""

    id: str
    group: str
    status: CheckStatus
    seen: str
    fix: str | None = None
    cost_ms: int = 0
