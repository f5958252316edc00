"""Examinations of the routes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from deepseekeyes.contracts.examination import Examination, Finding, ok, skipped, warning
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.catalog import Catalog, Route
from deepseekeyes.routing.ports import Readied

GROUP: Final = "routing"
LISTED: Final = 100
CONFIG: Final = "deepseekeyes doctor --only config"


@dataclass(frozen=True, slots=True)
class RoutingChecks:
    """What these examinations look at.

    Attributes:
        catalog: every declared entry; raises where it is invalid. None where the configuration cannot be read.
        missing: variables that are not set, by route id.
        ready: asks the endpoint of a route afresh.
    """

    catalog: Callable[[], Catalog] | None
    missing: Callable[[], Mapping[str, str]]
    ready: Callable[[Route], Awaitable[Readied]]


def checks(deps: RoutingChecks) -> tuple[Examination, ...]:
    """The catalog, and one line a route; its endpoint is asked only under `--deep`."""
    found = [Examination("routing.catalog", GROUP, lambda: catalog(deps))]
    try:
        routes = deps.catalog().routes if deps.catalog is not None else ()
    except EyesError:
        return tuple(found)
    for route in [route for route in routes if route.base_url is not None or not route.builtin][:LISTED]:
        found.append(Examination(f"routing.{route.id}", GROUP, partial(declared, route, deps)))
        if route.enabled:
            found.append(Examination(f"routing.{route.id}.up", GROUP, partial(up, route, deps), deep=True))
    return tuple(found)


def catalog(deps: RoutingChecks) -> Finding:
    """How many routes there are, by capability."""
    if deps.catalog is None:
        return skipped("The configuration cannot be read, so its routes are not known.", CONFIG)
    found = deps.catalog()
    counts: dict[str, int] = {}
    for route in found.routes:
        if route.enabled:
            for name in route.capabilities:
                counts[name] = counts.get(name, 0) + 1
    listed = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    more = f" The first {LISTED} are looked at." if len(found.routes) > LISTED else ""
    return ok(f"{len(found.routes)} routes: {listed or 'none is enabled'}.{more}")


def declared(route: Route, deps: RoutingChecks) -> Finding:
    """What is declared, and whether its credential is there."""
    seen = f"{route.label} over {route.engine} at {route.base_url or 'this process'}"
    if not route.enabled:
        return skipped(f"{seen}; it is disabled.")
    name = deps.missing().get(route.id)
    if name is None:
        return ok(f"{seen}.")
    if route.builtin:
        return skipped(f"{seen}; not configured, since {name} is not set.", f"export {name}=...")
    return warning(f"{seen}; {name} is not set.", f"export {name}=...")


async def up(route: Route, deps: RoutingChecks) -> Finding:
    """Ask the endpoint."""
    from deepseekeyes.core.eventloop import loop_needed

    name = deps.missing().get(route.id)
    if name is not None:
        return skipped(f"{name} is not set, so the endpoint was not asked.")
    await loop_needed()
    answer = await deps.ready(route)
    if answer.checked == "none":
        return skipped(f"Nothing asks a {route.engine} endpoint whether it is up.")
    return ok(f"{route.base_url} answered: {answer.detail}")
