"""Routes as they are listed."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.contracts.document import Document
from deepseekeyes.contracts.model import Contract


class RouteRow(Contract):
    """One route: its place in the order and why, or why it is left out.

    `position` counts from 1 and is None for a route that is left out; `reason` says what decided. `circuit` is
    `closed` or `open`, `returns_in_seconds` the time until an open one may be tried. `health` is what a check saw,
    None where nothing was checked.
    """

    id: str
    position: int | None
    reason: str
    provider: str
    model: str
    engine: str
    capability: str
    circuit: str = "closed"
    returns_in_seconds: float | None = None
    verification: str | None = None
    health: str | None = None
    coordinates: str | None = None
    endpoint: str | None = None
    origin: str | None = None


class RouteList(Document):
    """`deepseekeyes.route-list.v1`: the plan for one capability, in order, then what is left out."""

    schema_: Literal["deepseekeyes.route-list.v1"] = Field(default="deepseekeyes.route-list.v1", alias="schema")
    capability: str
    items: tuple[RouteRow, ...]
    truncated: bool = False
    omitted: int = 0


class AttemptRow(Contract):
    """One attempt as the ledger keeps it."""

    at: str
    operation: str
    route: str
    provider: str
    model: str
    phase: str
    status: str
    duration_ms: int
    error_code: str | None = None
    failover_index: int = 0
    position: int = 0
    image_sha256: str | None = None
    session_hash: str | None = None
    attempt_id: str | None = None
    capability: str | None = None


class AttemptList(Document):
    """`deepseekeyes.attempt-list.v1`: attempts, newest first."""

    schema_: Literal["deepseekeyes.attempt-list.v1"] = Field(default="deepseekeyes.attempt-list.v1", alias="schema")
    items: tuple[AttemptRow, ...]
    truncated: bool = False
    omitted: int = 0
