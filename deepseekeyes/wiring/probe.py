"""Deps of the `probe` operations, and the proof that routes see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepseekeyes.routing.capabilities import EYE
from deepseekeyes.routing.plan import Asked

if TYPE_CHECKING:
    from deepseekeyes.probe.deps import ChallengeDeps, GradeDeps, ProbeDeps, ShowDeps
    from deepseekeyes.probe.verdicts import Verdicts
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.vision.ports import RouteVerifier
    from deepseekeyes.wiring.app import App


def verifier(app: App) -> RouteVerifier:
    """What `vision` asks before a route's first evidence."""
    from deepseekeyes.probe.verifier import Verifier

    return Verifier(probe_deps(app))


def probe_deps(app: App) -> ProbeDeps:
    """For proving routes."""
    from deepseekeyes.probe.deps import ProbeDeps

    return ProbeDeps(
        eyes=_eyes(app),
        engine_for=lambda route: app.routes.engine(route, "probe"),
        verdicts=_verdicts(app),
        lock_dir=app.home / "locks",
        settings=app.settings.probe,
        clock=app.clock,
        enabled=app.settings.vision.active_probe,
    )


def show_deps(app: App) -> ShowDeps:
    """For looking at what is remembered."""
    from deepseekeyes.probe.deps import ShowDeps

    return ShowDeps(eyes=_eyes(app), verdicts=_verdicts(app))


def challenge_deps(app: App) -> ChallengeDeps:
    """For making a picture."""
    from deepseekeyes.probe.deps import ChallengeDeps

    return ChallengeDeps(blobs=app.blobs, clock=app.clock)


def grade_deps(app: App) -> GradeDeps:
    """For judging an answer."""
    from deepseekeyes.probe.deps import GradeDeps

    limit = app.settings.vision.limits.max_bytes

    def text(name: str) -> bytes:
        from deepseekeyes.wiring.files import read_text_file

        return app.door.stdin(limit) if name == "-" else read_text_file(name, limit)

    return GradeDeps(text=text, settings=app.settings.probe)


def _eyes(app: App) -> tuple[Route, ...]:
    ordered = app.routes.plan(Asked(capability=EYE))
    left_out = (gone.route for gone in ordered.excluded if EYE in gone.route.capabilities)
    return (*ordered.routes, *left_out)


def _verdicts(app: App) -> Verdicts:
    from deepseekeyes.probe.verdicts import Verdicts

    return Verdicts(app.documents, app.settings.probe, app.clock)
