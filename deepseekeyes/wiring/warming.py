"""What a serving process loads ahead, while its client still thinks: the modules that first calls would wait for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from deepseekeyes.wiring.app import App

_AHEAD: dict[str, tuple[str, ...]] = {
    "vision": (
        "PIL.Image",
        "jsonschema",
        "filelock",
        "deepseekeyes.imaging.decode",
        "deepseekeyes.probe.climb",
        "deepseekeyes.routing.walk",
        "deepseekeyes.vision.route_reading",
        "deepseekeyes.vision.stored",
    ),
    "browser": (
        "playwright.async_api",
        "deepseekeyes.automation.run",
        "deepseekeyes.browser.replies",
        "deepseekeyes.browser.adapters.playwright_driver.surface",
    ),
}
_LOCAL_EYE = ("numpy", "onnxruntime", "deepseekeyes.routing.adapters.local.answer")


def modules(app: App, groups: Iterable[str]) -> Iterator[str]:
    """The modules that first calls of these groups load.

    Args:
        app: whose configuration decides whether the local eye is the one that reads.
        groups: what is served.
    """
    for group in groups:
        yield from _AHEAD.get(group, ())
        if group == "vision" and _reads_locally(app):
            yield from _LOCAL_EYE


def load(names: Iterable[str]) -> None:
    """Import what is installed; what is missing or broken is told by the call that needs it."""
    for name in names:
        try:
            import_module(name)
        except Exception:  # noqa: BLE001, S112 - the call that needs it says so
            continue


def _reads_locally(app: App) -> bool:
    from deepseekeyes.routing.plan import Asked

    try:
        places = app.routes.plan(Asked(capability="image_to_evidence")).places
    except EyesError:
        return False
    return bool(places) and places[0].route.engine == "local"
