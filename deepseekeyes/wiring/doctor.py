"""Deps of the doctor: every subsystem's examinations, which run whatever state the configuration is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepseekeyes.core.errors import EyesError
from deepseekeyes.doctor.deps import DoctorDeps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deepseekeyes.contracts.examination import Examination
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.ports import Engine
    from deepseekeyes.wiring.app import App


def doctor_deps(app: App) -> DoctorDeps:
    """The examinations in the order of the report."""
    return DoctorDeps(tuple(_examinations(app)), app.clock)


def _examinations(app: App) -> Iterator[Examination]:
    from deepseekeyes.config.checks import checks as config_checks
    from deepseekeyes.doctor.checks import checks as ground_checks
    from deepseekeyes.wiring.config import config_deps

    readable = _readable(app)
    yield from ground_checks()
    yield from _store(app, readable=readable)
    yield from config_checks(config_deps(app))
    yield from _vision(app, readable=readable)
    yield from _routing(app, readable=readable)
    yield from _probe(app, readable=readable)
    yield from _mcp(app, readable=readable)
    yield from _browser(app, readable=readable)
    yield from _desktop(app, readable=readable)


def _browser(app: App, *, readable: bool) -> tuple[Examination, ...]:
    from deepseekeyes.browser.checks import checks
    from deepseekeyes.wiring.browser import browser_checks

    return checks(browser_checks(app, readable=readable))


def _desktop(app: App, *, readable: bool) -> tuple[Examination, ...]:
    from deepseekeyes.desktop.checks import checks
    from deepseekeyes.wiring.desktop import desktop_checks

    return checks(desktop_checks(app, readable=readable))


def _readable(app: App) -> bool:
    try:
        return app.settings is not None
    except EyesError:
        return False


def _store(app: App, *, readable: bool) -> tuple[Examination, ...]:
    from deepseekeyes.store.checks import StoreChecks, checks

    return checks(StoreChecks(app.home, (lambda: app.books.ledger) if readable else None))


def _vision(app: App, *, readable: bool) -> tuple[Examination, ...]:
    from deepseekeyes.evidence.schema import SCHEMA_FILE
    from deepseekeyes.routing.capabilities import EYE
    from deepseekeyes.routing.plan import Asked
    from deepseekeyes.vision.checks import VisionChecks, checks

    plan = (lambda: app.routes.plan(Asked(capability=EYE))) if readable else None
    return checks(VisionChecks(_local_eye, SCHEMA_FILE.read_bytes, plan))


def _local_eye() -> tuple[Route, Engine]:
    """The local route by itself, so that a broken catalog does not hide whether it works."""
    from deepseekeyes.routing.adapters.local.engine import LocalEye
    from deepseekeyes.routing.adapters.local.identity import identity
    from deepseekeyes.routing.merge import build_catalog

    route = build_catalog(local_model=identity()).get("local")
    assert route is not None
    return route, LocalEye()


def _routing(app: App, *, readable: bool) -> tuple[Examination, ...]:
    from deepseekeyes.routing.checks import RoutingChecks, checks

    return checks(
        RoutingChecks(
            (lambda: app.routes.catalog) if readable else None,
            lambda: app.routes.facts.missing_keys,
            lambda route: app.routes.readiness.ready(route, route.capabilities[0], fresh=True),
        )
    )


def _probe(app: App, *, readable: bool) -> tuple[Examination, ...]:
    from deepseekeyes.probe.checks import checks
    from deepseekeyes.wiring.probe import show_deps

    return checks((lambda: show_deps(app)) if readable else None)


def _mcp(app: App, *, readable: bool) -> tuple[Examination, ...]:
    from deepseekeyes.mcp.cache import CatalogCache
    from deepseekeyes.mcp.checks import checks
    from deepseekeyes.mcp.live_checks import live_checks
    from deepseekeyes.mcp.pins import Pins
    from deepseekeyes.wiring.mcp import connector

    settings = (lambda: app.settings.mcp) if readable else None
    found = checks(
        settings,
        lambda: CatalogCache(app.documents, app.clock),
        lambda: Pins(app.documents, app.clock),
    )
    return found + live_checks(settings, lambda: connector(app))
