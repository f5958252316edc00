"""Circuits and health answers on disk, shared by every process of a home. The file is the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Protocol

from deepseekeyes.core.clock import Clock, rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing import circuit as circuits
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.circuit import Circuit
from deepseekeyes.routing.settings import RoutingSettings

STATE: Final = "route-state"
STATE_VERSION: Final = 1
FORGET_AFTER: Final = timedelta(days=30)


class StateDocuments(Protocol):
    """A small versioned document under a lock (`store.documents`)."""

    def load(self, name: str, version: int) -> dict[str, Any] | None: ...

    def update(
        self, name: str, version: int, change: Callable[[dict[str, Any] | None], dict[str, Any]]
    ) -> dict[str, Any]: ...

    def remove(self, name: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Health:
    """The last health answer of a route. `code` is None when it was up."""

    checked_at: datetime
    code: str | None
    detail: str


@dataclass(frozen=True, slots=True)
class RouteStates:
    """What every process of a home remembers about its routes."""

    documents: StateDocuments
    clock: Clock
    settings: RoutingSettings

    def circuit(self, route: Route) -> Circuit:
        """The circuit as the file has it now."""
        return _circuit_of(self._rows().get(route.id), route.config_digest())

    def health(self, route: Route) -> Health | None:
        """The last health answer for this very configuration, if it is still believed."""
        row = self._rows().get(route.id)
        found = row.get("health") if isinstance(row, Mapping) else None
        if not isinstance(found, Mapping) or found.get("configDigest") != route.config_digest():
            return None
        at = circuits.read_time(found.get("checkedAt"))
        if at is None:
            return None
        age = self.clock.now() - at
        if age < timedelta(0) or age >= timedelta(milliseconds=self.settings.health_ttl_ms):
            return None
        code = found.get("code")
        return Health(at, code if isinstance(code, str) else None, str(found.get("detail", "")))

    def succeeded(self, route: Route) -> None:
        """Close the circuit. A route that keeps serving costs one write per health TTL."""
        known, fresh = self.circuit(route), timedelta(milliseconds=self.settings.health_ttl_ms)
        quiet = known.consecutive_failures == 0 and known.open_until is None
        if quiet and known.last_success_at is not None and self.clock.now() - known.last_success_at < fresh:
            return
        self._change(route, lambda one: circuits.after_success(one, self.clock.now()))

    def failed(self, route: Route, error: EyesError) -> None:
        """Let the route rest if it is at fault."""
        before = self.circuit(route)
        if circuits.after_failure(before, error, self.clock.now(), self.settings) is not before:
            self._change(route, lambda one: circuits.after_failure(one, error, self.clock.now(), self.settings))

    def remember_health(self, route: Route, code: str | None, detail: str) -> None:
        """Keep a fresh health answer."""
        answer = {
            "checkedAt": rfc3339(self.clock.now()),
            "code": code,
            "detail": detail[:200],
            "configDigest": route.config_digest(),
        }

        def change(document: dict[str, Any] | None) -> dict[str, Any]:
            rows = _rows(document)
            rows[route.id] = {**_row(rows.get(route.id)), "health": answer, "touchedAt": answer["checkedAt"]}
            return self._stamped(rows)

        self.documents.update(STATE, STATE_VERSION, change)

    def reset(self, route_id: str | None = None) -> tuple[str, ...]:
        """Close circuits and forget health, of one route or of all.

        Returns:
            The ids that were remembered and are forgotten now.
        """
        if route_id is None:
            return self._reset_all()
        gone: list[str] = []

        def change(document: dict[str, Any] | None) -> dict[str, Any]:
            rows = _rows(document)
            gone.extend(name for name in rows if name == route_id)
            return self._stamped({name: row for name, row in rows.items() if name != route_id})

        self.documents.update(STATE, STATE_VERSION, change)
        return tuple(gone)

    def _reset_all(self) -> tuple[str, ...]:
        """Remove the file, whatever release wrote it."""
        try:
            gone = tuple(sorted(self._rows()))
        except EyesError:
            gone = ()
        self.documents.remove(STATE)
        return gone

    def soonest(self, routes: Iterable[Route]) -> float | None:
        """Seconds until the first of some resting routes may be asked, or None when none rests.

        A route whose endpoint asked for a wait gets its trial when that wait is over; any other had its own already.
        """
        now = self.clock.now()
        resting = [one for one in map(self.circuit, routes) if one.is_open(now)]
        waits = [one.returns_to_trial_in(now) if one.is_held(now) else one.returns_in(now) for one in resting]
        return min(waits) if waits else None

    def _rows(self) -> dict[str, Any]:
        return _rows(self.documents.load(STATE, STATE_VERSION))

    def _change(self, route: Route, change: Callable[[Circuit], Circuit]) -> None:
        def rewrite(document: dict[str, Any] | None) -> dict[str, Any]:
            rows = _rows(document)
            kept = _row(rows.get(route.id))
            made = change(_circuit_of(kept, route.config_digest()))
            rows[route.id] = {**kept, "circuit": circuits.to_json(made), "touchedAt": rfc3339(self.clock.now())}
            return self._stamped(rows)

        self.documents.update(STATE, STATE_VERSION, rewrite)

    def _stamped(self, rows: Mapping[str, Any]) -> dict[str, Any]:
        now = self.clock.now()
        kept = {name: row for name, row in rows.items() if not _old(row, now)}
        return {"updatedAt": rfc3339(now), "routes": kept}


def _rows(document: Mapping[str, Any] | None) -> dict[str, Any]:
    rows = document.get("routes") if document is not None else None
    return dict(rows) if isinstance(rows, Mapping) else {}


def _row(value: object) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}


def _circuit_of(row: object, digest: str) -> Circuit:
    stored = _row(row).get("circuit")
    found = circuits.from_json(stored) if isinstance(stored, Mapping) else None
    return found if found is not None and found.config_digest == digest else Circuit(digest)


def _old(row: object, now: datetime) -> bool:
    touched = circuits.read_time(_row(row).get("touchedAt"))
    return touched is not None and now - touched > FORGET_AFTER
