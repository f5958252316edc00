"""The circuit of a route: rests after its own faults, and says when it returns. Pure; times are UTC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.faults import fault
from deepseekeyes.routing.settings import RoutingSettings


@dataclass(frozen=True, slots=True)
class Circuit:
    """What is remembered about one route under one configuration.

    Attributes:
        config_digest: a changed entry starts afresh.
        open_until: when a resting route returns.
        held_until: the part of that rest the endpoint itself asked for; not even a trial call is made before it.
        opened_by: the code that opened it.
    """

    config_digest: str
    failures: int = 0
    consecutive_failures: int = 0
    last_success_at: datetime | None = None
    last_failure_at: datetime | None = None
    open_until: datetime | None = None
    held_until: datetime | None = None
    opened_by: str | None = None

    def is_open(self, now: datetime) -> bool:
        return self.open_until is not None and now < self.open_until

    def is_held(self, now: datetime) -> bool:
        return self.held_until is not None and now < self.held_until

    def returns_in(self, now: datetime) -> float:
        """Seconds until the route returns; 0 when it is not resting."""
        return max(0.0, (self.open_until - now).total_seconds()) if self.open_until is not None else 0.0

    def returns_to_trial_in(self, now: datetime) -> float:
        """Seconds until a trial call may be made; 0 when one may be made now."""
        return max(0.0, (self.held_until - now).total_seconds()) if self.held_until is not None else 0.0


def after_success(circuit: Circuit, now: datetime) -> Circuit:
    """Closed, with the run of failures ended."""
    return replace(
        circuit,
        consecutive_failures=0,
        last_success_at=now,
        open_until=None,
        held_until=None,
        opened_by=None,
    )


def after_failure(circuit: Circuit, error: EyesError, now: datetime, settings: RoutingSettings) -> Circuit:
    """Open for as long as this fault asks; unchanged when the route is not at fault.

    The rest that an earlier fault asked for does not outlive it: a route that was out of quota and fails otherwise in
    its trial was let in again. Only a wait that the endpoint itself asked for, and that is not over, is kept.
    """
    kind = fault(error)
    if kind not in ("route", "quota"):
        return circuit
    rest_ms = settings.failure_cooldown_ms if kind == "route" else settings.quota_cooldown_ms
    asked_ms = min(1000 * error.details.get("retryAfterSeconds", 0.0), settings.max_retry_after_ms)
    asked = now + timedelta(milliseconds=asked_ms) if asked_ms > 0 and rest_ms > 0 else None
    held = _later(asked, circuit.held_until if circuit.is_held(now) else None)
    until = _later(now + timedelta(milliseconds=rest_ms) if rest_ms > 0 else None, held)
    return replace(
        circuit,
        failures=circuit.failures + 1,
        consecutive_failures=circuit.consecutive_failures + 1,
        last_failure_at=now,
        open_until=until,
        held_until=held,
        opened_by=error.code.name if until is not None else None,
    )


def to_json(circuit: Circuit) -> dict[str, Any]:
    """The circuit as the state file holds it."""
    shown = {}
    for name, value in asdict(circuit).items():
        shown[_camel(name)] = rfc3339(value) if isinstance(value, datetime) else value
    return shown


def from_json(value: Mapping[str, Any]) -> Circuit | None:
    """The circuit in a state file, or None when it is not one."""
    read: dict[str, Any] = {}
    for name in Circuit.__dataclass_fields__:
        found = value.get(_camel(name))
        if name in _TIMES:
            read[name] = read_time(found)
        elif isinstance(found, _SHAPES.get(name, int)) and not isinstance(found, bool):
            read[name] = found
        elif name == "opened_by" and found is None:
            read[name] = None
        else:
            return None
    return Circuit(**read)


_TIMES = frozenset({"last_success_at", "last_failure_at", "open_until", "held_until"})
_SHAPES: Mapping[str, type] = {"config_digest": str, "opened_by": str}


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    known = [moment for moment in (one, other) if moment is not None]
    return max(known) if known else None


def read_time(value: object) -> datetime | None:
    """A time of the state file, or None when it is not one."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)
