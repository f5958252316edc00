"""What the vision operations need from their siblings, filled by wiring."""

from __future__ import annotations

from typing import Protocol

from deepseekeyes.contracts.probe import Verification
from deepseekeyes.routing.catalog import Route


class RouteVerifier(Protocol):
    """Says whether a route sees pixels."""

    async def verify(self, route: Route) -> Verification:
        """Prove a route before its first evidence; free while an earlier proof holds.

        Raises:
            EyesError: `VISION_PROBE_FAILED`, `INVALID_MODEL_OUTPUT`, `IMAGE_NOT_CONSUMED` with the usage in `details`;
                `PROBE_BUSY`; whatever the engine raised.
        """
        ...

    def known(self, route: Route) -> Verification | None:
        """What is stored about a route, without asking it; None when nothing is."""
        ...
