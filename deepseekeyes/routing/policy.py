"""The operator's saved permission and order, as the planner reads it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

ENTER_DISABLED = frozenset({"discovered", "scanned", "remote"})


class Arrangement(NamedTuple):
    """What was saved for one capability. An arrangement with an empty order was arranged all the same."""

    order: tuple[str, ...] = ()
    enabled: Mapping[str, bool] = MappingProxyType({})


class Policy(NamedTuple):
    """Saved arrangements by capability. No policy at all means everything declared is allowed."""

    capabilities: Mapping[str, Arrangement] = MappingProxyType({})

    def arranged(self, capability: str) -> Arrangement | None:
        return self.capabilities.get(capability)

    def allows(self, capability: str, route_id: str, origin: str) -> tuple[bool, str]:
        """Whether a route may serve a capability, and the rule that says so.

        Args:
            origin: where the entry comes from; what was found by discovery, by a scan or on a remote host enters
                disabled, what the operator declared enters enabled.
        """
        saved = self.capabilities.get(capability)
        if saved is not None and route_id in saved.enabled:
            return saved.enabled[route_id], "switched on by policy" if saved.enabled[
                route_id
            ] else "switched off by policy"
        if origin in ENTER_DISABLED:
            return False, f"{origin} entries stay off until they are enabled"
        return True, "declared by the operator"
