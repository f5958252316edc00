"""Readiness of routes whose process somebody else owns: ask once, believe for a while."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.ports import Prober, Readied
from deepseekeyes.routing.states import Health, RouteStates


@dataclass(frozen=True, slots=True)
class HealthGate:
    """`Readiness` over probers by engine word. Only good answers are believed: a failed check is asked again.

    A remembered failure is kept for display; it never refuses by itself, since a circuit is what rests a route.
    """

    probers: Mapping[str, Prober]
    states: RouteStates

    async def ready(self, route: Route, capability: str, *, fresh: bool = False) -> Readied:
        del capability
        prober = self.probers.get(route.engine)
        if prober is None or not (fresh or self.states.settings.health_check):
            return Readied("none")
        if not fresh:
            known = self._known(route)
            if known is not None and known.code is None:
                return Readied("cached", known.detail)
        try:
            seen = await prober.probe(route, self.states.settings.health_timeout_ms / 1000)
        except EyesError as error:
            self._remember(route, error.code.name, error.message)
            raise
        self._remember(route, None, seen)
        return Readied("fresh", seen)

    def _known(self, route: Route) -> Health | None:
        try:
            return self.states.health(route)
        except EyesError:
            return None

    def _remember(self, route: Route, code: str | None, detail: str) -> None:
        with suppress(EyesError):
            self.states.remember_health(route, code, detail)


@dataclass(frozen=True, slots=True)
class AlwaysReady:
    """`Readiness` for routes that need no check."""

    async def ready(self, route: Route, capability: str, *, fresh: bool = False) -> Readied:
        del route, capability, fresh
        return Readied("none")
