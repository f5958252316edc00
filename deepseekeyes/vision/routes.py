"""List the routes of a capability: their order, what decided each place, and why others are left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import Field

from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.routes import RouteList, RouteRow
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.capabilities import EYE
from deepseekeyes.routing.plan import Asked, Plan

if TYPE_CHECKING:
    from deepseekeyes.core.clock import Clock
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.ports import Readiness
    from deepseekeyes.routing.states import RouteStates
    from deepseekeyes.vision.ports import RouteVerifier


class RoutesRequest(Contract):
    """What to list.

    Attributes:
        route: put this route first, as `vision read --route` would.
        capability: `image_to_evidence` for eyes, `text_to_text` for reasoning models.
        check: ask each endpoint now.
        reset: close circuits and forget health, of `route` or of all, before listing.
    """

    route: str | None = Field(default=None, min_length=1, max_length=1024)
    capability: str = EYE
    check: bool = False
    reset: bool = False


@dataclass(frozen=True, slots=True)
class RoutesDeps:
    """What the listing touches."""

    clock: Clock
    plan: Callable[[Asked], Plan]
    states: RouteStates
    readiness: Readiness
    verifier: RouteVerifier
    origin: Callable[[str], str]


async def routes(request: RoutesRequest, deps: RoutesDeps) -> RouteList:
    """List every declared route of a capability, those that may serve first.

    Raises:
        EyesError: `ROUTE_NOT_FOUND`, `UNKNOWN_CAPABILITY`, `CATALOG_INVALID`.
    """
    ordered = deps.plan(Asked(capability=request.capability, route=request.route))
    if request.route is not None and request.route in ordered.unknown.get("requested", ()):
        ordered.demand()
    if request.reset:
        _reset(ordered, request.route, deps)
    rows = []
    for place in ordered.places:
        health = await _health(place.route, request, deps)
        rows.append(_row(place.route, request.capability, deps, place.position + 1, place.reason, health))
    rows += [
        _row(gone.route, request.capability, deps, None, gone.reason, None)
        for gone in ordered.excluded
        if request.capability in gone.route.capabilities or request.route in (gone.route.id, gone.route.label)
    ]
    return RouteList(capability=request.capability, items=tuple(rows))


def _reset(ordered: Plan, asked: str | None, deps: RoutesDeps) -> None:
    if asked is None:
        deps.states.reset()
        return
    every = (*ordered.routes, *(gone.route for gone in ordered.excluded))
    for route in every:
        if asked in (route.id, route.label):
            deps.states.reset(route.id)


async def _health(route: Route, request: RoutesRequest, deps: RoutesDeps) -> str | None:
    if not request.check:
        known = deps.states.health(route)
        return None if known is None else (known.code or "up")
    try:
        seen = await deps.readiness.ready(route, request.capability, fresh=True)
    except EyesError as trouble:
        return f"{trouble.code.name}: {trouble.message}"
    return seen.detail or "up"


def _row(
    route: Route, capability: str, deps: RoutesDeps, position: int | None, reason: str, health: str | None
) -> RouteRow:
    circuit = deps.states.circuit(route)
    now = deps.clock.now()
    is_open = circuit.is_open(now)
    known = deps.verifier.known(route)
    return RouteRow(
        id=route.id,
        position=position,
        reason=reason,
        provider=route.provider,
        model=route.model,
        engine=route.engine,
        capability=capability,
        circuit="open" if is_open else "closed",
        returns_in_seconds=round(circuit.returns_in(now), 1) if is_open else None,
        verification=None if known is None else known.status,
        health=health,
        coordinates=route.coordinates or (None if known is None else known.convention),
        endpoint=route.base_url,
        origin=deps.origin(route.id),
    )
