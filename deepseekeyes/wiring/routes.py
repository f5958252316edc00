"""The catalog, the order of routes, their engines and their circuits."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.secrets import available
from deepseekeyes.routing import codes
from deepseekeyes.routing.capabilities import EYE, REASONING
from deepseekeyes.routing.plan import Asked, Facts, Plan, Preferences, plan

if TYPE_CHECKING:
    from deepseekeyes.contracts.usage import Purpose
    from deepseekeyes.routing.catalog import Catalog, Route
    from deepseekeyes.routing.ports import Engine, Readiness
    from deepseekeyes.routing.states import RouteStates
    from deepseekeyes.routing.walk import WalkDeps
    from deepseekeyes.wiring.app import App

ADAPTERS: Final = "deepseekeyes.routing.adapters"
ENGINES: Final = {
    "local": "local.engine:LocalEye",
    "openai_chat": "openai_chat:OpenAIChat",
    "anthropic_messages": "anthropic_messages:AnthropicMessages",
    "ollama": "ollama:Ollama",
    "replay": "replay:Replay",
}
PROBERS: Final = {
    "openai_chat": "probers:OpenAIProber",
    "anthropic_messages": "probers:AnthropicProber",
    "ollama": "probers:OllamaProber",
}


class Routes:
    """Routes of one process."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._engines: dict[str, Engine] = {}
        self._told: set[str] = set()

    @cached_property
    def catalog(self) -> Catalog:
        """Every declared entry.

        Raises:
            EyesError: CATALOG_INVALID.
        """
        from deepseekeyes.routing.catalog_file import read_catalog_file
        from deepseekeyes.routing.merge import build_catalog

        settings = self._app.settings
        return build_catalog(
            settings.routes,
            read_catalog_file(self._app.home),
            local_model=_local_identity(),
            local_options=settings.vision.local.changed(),
        )

    @cached_property
    def states(self) -> RouteStates:
        from deepseekeyes.routing.states import RouteStates

        return RouteStates(self._app.documents, self._app.clock, self._app.settings.routing)

    @cached_property
    def facts(self) -> Facts:
        """Where entries come from, and which of their variables are not set."""
        missing = {
            route.id: route.key.env
            for route in self.catalog.routes
            if route.key is not None and not available(route.key)
        }
        return Facts(origins=self.catalog.origins, missing_keys=missing)

    def plan(self, asked: Asked) -> Plan:
        """The order for one request. Names in the settings that mean no route are told to people, each once."""
        made = plan(self.catalog.routes, asked, self._preferences(asked.capability), None, self.facts)
        for said_by, names in made.unknown.items():
            for name in names:
                if said_by in ("configured", "route-priority"):
                    self.note_once(f"The settings name a route that does not exist: {name}.")
        return made

    def note_once(self, sentence: str) -> None:
        """Tell people about a route, each thing once."""
        if sentence not in self._told:
            self._told.add(sentence)
            self._app.door.note(sentence)

    def _preferences(self, capability: str) -> Preferences:
        vision = self._app.settings.vision
        if capability == REASONING:
            return Preferences(configured=vision.reasoning_route, priority=vision.reasoning_priority)
        if capability != EYE:
            return Preferences()
        return Preferences(configured=vision.eye, priority=vision.route_priority, auto_detect=vision.auto_detect)

    def bare_engine(self, route: Route) -> Engine:
        """The engine that a route's word names.

        Raises:
            EyesError: ENGINE_UNSUPPORTED.
        """
        made = self._engines.get(route.engine)
        if made is None:
            target = ENGINES.get(route.engine)
            if target is None:
                raise EyesError(codes.ENGINE_UNSUPPORTED, f"This version carries no engine called {route.engine}.")
            made = self._engines[route.engine] = _adapter(target)()
        return made

    def engine(self, route: Route, purpose: Purpose) -> Engine:
        """The engine of a route, metered under a purpose."""
        from deepseekeyes.routing.metered import Metered

        app = self._app
        return Metered(self.bare_engine(route), app.books.usage, app.clock, purpose, app.session_hash)

    @cached_property
    def readiness(self) -> Readiness:
        from deepseekeyes.routing.health import HealthGate

        return HealthGate({word: _LazyProber(target) for word, target in PROBERS.items()}, self.states)

    @cached_property
    def walk(self) -> WalkDeps:
        from deepseekeyes.routing.walk import WalkDeps

        app = self._app
        return WalkDeps(
            states=self.states,
            readiness=self.readiness,
            clock=app.clock,
            record=app.books.attempt,
            sleep=app.sleep,
        )


class _LazyProber(NamedTuple):
    """A prober whose module is imported when an endpoint is really asked."""

    target: str

    async def probe(self, route: Route, timeout_s: float) -> str:
        seen: str = await _adapter(self.target)().probe(route, timeout_s)
        return seen


def _local_identity() -> str | None:
    from deepseekeyes.routing.adapters.local.identity import identity

    try:
        return identity()
    except EyesError:
        return None


def _adapter(target: str) -> Any:
    module, _, name = target.partition(":")
    return getattr(import_module(f"{ADAPTERS}.{module}"), name)
