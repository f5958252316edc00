"""Examinations of the routes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from deepseekeyes.contracts.examination import Examination, Finding, failed, ok, skipped, warning
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.catalog import Catalog, Route
from deepseekeyes.routing.ports import Prober

GROUP: Final = "routing"


@dataclass(frozen=True, slots=True)
class RoutingChecks:
    """What these examinations look at.

    Attributes:
        catalog: every declared entry; raises where the catalog or the configuration cannot be read.
        missing: variables that are not set, by route id.
        probers: who asks an endpoint whether it is up, by engine word.
        timeout_s: seconds for one such question.
    """

    catalog: Callable[[], Catalog]
    missing: Callable[[], Mapping[str, str]]
    probers: Callable[[], Mapping[str, Prober]]
    timeout_s: float = 5.0


def checks(deps: RoutingChecks) -> tuple[Examination, ...]:
    """The catalog, and one line a route; its endpoint is asked only under `--deep`."""
    found = [Examination("routing.catalog", GROUP, lambda: catalog(deps))]
    try:
        routes = deps.catalog().routes
    except EyesError:
        return tuple(found)
    for route in routes:
        if route.builtin and route.base_url is None:
            continue
        found.append(Examination(f"routing.{route.id}", GROUP, partial(declared, route, deps)))
        if route.enabled:
            found.append(Examination(f"routing.{route.id}.up", GROUP, partial(up, route, deps), deep=True))
    return tuple(found)


def catalog(deps: RoutingChecks) -> Finding:
    """How many routes there are, by capability."""
    found = deps.catalog()
    counts: dict[str, int] = {}
    for route in found.routes:
        if route.enabled:
            for name in route.capabilities:
                counts[name] = counts.get(name, 0) + 1
    listed = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    return ok(f"{len(found.routes)} routes: {listed or 'none is enabled'}.")


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

    prober = deps.probers().get(route.engine)
    if prober is None:
        return skipped(f"Nothing asks a {route.engine} endpoint whether it is up.")
    if route.id in deps.missing():
        return skipped(f"{deps.missing()[route.id]} is not set, so the endpoint was not asked.")
    await loop_needed()
    try:
        seen = await prober.probe(route, deps.timeout_s)
    except EyesError as error:
        return failed(f"{error.code.name}: {error.message}", error.hint)
    return ok(f"{route.base_url} answered: {seen}")
