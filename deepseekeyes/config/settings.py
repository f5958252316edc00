"""Every section as one value. A section is imported when it is asked for, and only then."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from deepseekeyes.automation.settings import AutomationSettings
    from deepseekeyes.browser.settings import BrowserSettings
    from deepseekeyes.config.output import OutputSettings
    from deepseekeyes.config.serve import ServeSettings
    from deepseekeyes.contracts.settings import Section
    from deepseekeyes.desktop.settings import DesktopSettings
    from deepseekeyes.hub.settings import HubSettings
    from deepseekeyes.mcp.settings import McpSettings
    from deepseekeyes.probe.settings import ProbeSettings
    from deepseekeyes.routing.settings import RoutingSettings
    from deepseekeyes.session.settings import SessionSettings
    from deepseekeyes.store.settings import LedgerSettings, StoreSettings
    from deepseekeyes.vision.settings import VisionSettings

ROUTES: Final = "routes"

SECTIONS: Final[Mapping[str, str]] = {
    "output": "deepseekeyes.config.output:OutputSettings",
    "vision": "deepseekeyes.vision.settings:VisionSettings",
    "probe": "deepseekeyes.probe.settings:ProbeSettings",
    "routing": "deepseekeyes.routing.settings:RoutingSettings",
    "store": "deepseekeyes.store.settings:StoreSettings",
    "ledger": "deepseekeyes.store.settings:LedgerSettings",
    "automation": "deepseekeyes.automation.settings:AutomationSettings",
    "session": "deepseekeyes.session.settings:SessionSettings",
    "browser": "deepseekeyes.browser.settings:BrowserSettings",
    "desktop": "deepseekeyes.desktop.settings:DesktopSettings",
    "mcp": "deepseekeyes.mcp.settings:McpSettings",
    "hub": "deepseekeyes.hub.settings:HubSettings",
    "serve": "deepseekeyes.config.serve:ServeSettings",
}
NAMES: Final = (*SECTIONS, ROUTES)


def section_type(name: str) -> type[Section]:
    """The model of a section."""
    module, _, attribute = SECTIONS[name].partition(":")
    return cast("type[Section]", getattr(import_module(module), attribute))


class Settings:
    """The configuration in force; immutable.

    Sections that no source mentions are made from their defaults when they are first read. `routes` holds the tables
    of `[routes.ID]` as they were written: `routing.merge.build_catalog` lays them over the entries it carries.
    """

    __slots__ = ("_built", "routes")

    def __init__(
        self, built: Mapping[str, Section] | None = None, routes: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        self._built: dict[str, Section] = dict(built or {})
        self.routes: Mapping[str, Mapping[str, Any]] = dict(routes or {})

    def section(self, name: str) -> Section:
        """A section by its name in the file."""
        if name not in self._built:
            self._built[name] = section_type(name).model_construct()
        return self._built[name]

    @property
    def output(self) -> OutputSettings:
        return cast("OutputSettings", self.section("output"))

    @property
    def vision(self) -> VisionSettings:
        return cast("VisionSettings", self.section("vision"))

    @property
    def probe(self) -> ProbeSettings:
        return cast("ProbeSettings", self.section("probe"))

    @property
    def routing(self) -> RoutingSettings:
        return cast("RoutingSettings", self.section("routing"))

    @property
    def store(self) -> StoreSettings:
        return cast("StoreSettings", self.section("store"))

    @property
    def ledger(self) -> LedgerSettings:
        return cast("LedgerSettings", self.section("ledger"))

    @property
    def automation(self) -> AutomationSettings:
        return cast("AutomationSettings", self.section("automation"))

    @property
    def session(self) -> SessionSettings:
        return cast("SessionSettings", self.section("session"))

    @property
    def browser(self) -> BrowserSettings:
        return cast("BrowserSettings", self.section("browser"))

    @property
    def desktop(self) -> DesktopSettings:
        return cast("DesktopSettings", self.section("desktop"))

    @property
    def mcp(self) -> McpSettings:
        return cast("McpSettings", self.section("mcp"))

    @property
    def hub(self) -> HubSettings:
        return cast("HubSettings", self.section("hub"))

    @property
    def serve(self) -> ServeSettings:
        return cast("ServeSettings", self.section("serve"))
