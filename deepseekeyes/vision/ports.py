"""What the vision operations need from their siblings, filled by wiring."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from deepseekeyes.contracts.probe import Verification
from deepseekeyes.routing.catalog import Route

if TYPE_CHECKING:
    from deepseekeyes.contracts.batch import Place
    from deepseekeyes.contracts.usage import Purpose
    from deepseekeyes.core.clock import Clock
    from deepseekeyes.routing.ports import Engine
    from deepseekeyes.routing.tally import Tally
    from deepseekeyes.vision.settings import VisionSettings
    from deepseekeyes.vision.work import Work


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


class ReadingDeps(Protocol):
    """What one reading on one route touches; neither store nor ledger. `VisionDeps` has it all."""

    @property
    def clock(self) -> Clock: ...

    @property
    def settings(self) -> VisionSettings: ...

    @property
    def engine(self) -> Callable[[Route, Purpose], Engine]:
        """The engine of a route, metered under a purpose."""
        ...


class Elsewhere(Protocol):
    """Reads in other processes what this process only plans, stores and books."""

    def takes(self, route: Route) -> bool:
        """Whether readings on this route are handed on."""
        ...

    async def read(
        self, route: Route, work: Work, verification: Verification, tally: Tally
    ) -> tuple[str, dict[str, Any]]:
        """What `read_on` does, with the tokens and repetitions booked here and into `tally`.

        Raises:
            EyesError: what `read_on` raises; `WORKER_LOST` when no worker lived through the picture.
        """
        ...


class Readers(Elsewhere, Protocol):
    """The readers of a batch.

    Attributes:
        count: pictures they read at a time.
        place: where they are.
    """

    count: int
    place: Place

    def close(self) -> None:
        """End them; none is left behind, even when they are in the middle of a picture."""
        ...
