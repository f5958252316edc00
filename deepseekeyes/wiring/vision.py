"""Deps of the `vision` operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deepseekeyes.vision.deps import VisionDeps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from deepseekeyes.contracts.check import Check
    from deepseekeyes.imaging.inputs import InputDeps, Loaded
    from deepseekeyes.vision.cache_deps import CacheDeps
    from deepseekeyes.vision.routes import RoutesDeps
    from deepseekeyes.wiring.app import App


def vision_deps(app: App) -> VisionDeps:
    """Everything between a picture and its evidence."""
    from deepseekeyes.wiring.probe import verifier

    async def load(text: str, allow_url: bool) -> list[Loaded]:
        from deepseekeyes.imaging.inputs import load_many

        return await load_many(text, input_deps(app, allow_url=allow_url))

    return VisionDeps(
        clock=app.clock,
        settings=app.settings.vision,
        blobs=app.blobs,
        records=app.records,
        load=load,
        plan=app.routes.plan,
        walk=app.routes.walk,
        engine=app.routes.engine,
        verifier=verifier(app),
        keep_pictures=app.places.blobs is not None,
        session_hash=app.session_hash,
        persistence=app.books.persistence,
        progress=app.door.progress,
    )


def input_deps(app: App, *, allow_url: bool = False) -> InputDeps:
    """How inputs are found: files of a local caller, its standard input, the blob store, the network if allowed."""
    from deepseekeyes.imaging.inputs import InputDeps

    limits = app.settings.vision.limits
    return InputDeps(
        limits=limits,
        blob=app.blobs.get,
        stdin=lambda: app.door.stdin(limits.max_bytes * 2),
        files=app.door.local,
        allow_url=allow_url,
        cwd=app.cwd,
    )


def routes_deps(app: App) -> RoutesDeps:
    """What the route listing touches."""
    from deepseekeyes.vision.routes import RoutesDeps
    from deepseekeyes.wiring.probe import verifier

    origins = app.routes.catalog.origins
    return RoutesDeps(
        clock=app.clock,
        plan=app.routes.plan,
        states=app.routes.states,
        readiness=app.routes.readiness,
        verifier=verifier(app),
        origin=lambda route: origins.get(route, "built-in"),
    )


def cache_deps(app: App) -> CacheDeps:
    """Stored records and how to judge one."""
    from deepseekeyes.vision.cache_deps import CacheDeps

    store = app.settings.store

    def judge(record: dict[str, Any], key: str) -> Iterable[Check]:
        from deepseekeyes.vision.rederive import rederive
        from deepseekeyes.vision.verify import verify_record

        return verify_record(
            record,
            picture=_picture(app, record),
            rederive=lambda found, data: rederive(found, data, app.settings.vision.limits),
            key=key,
        ).checks

    return CacheDeps(
        records=app.records,
        judge=judge,
        now=app.seconds,
        retention_days=store.retention_days,
        max_bytes=store.max_bytes,
        progress=app.door.progress,
    )


def _picture(app: App, record: dict[str, Any]) -> bytes | None:
    """The record's picture, where the store still has it whole."""
    from deepseekeyes.core.errors import EyesError

    try:
        return app.blobs.get(record["source"]["sha256"])
    except EyesError:
        return None
