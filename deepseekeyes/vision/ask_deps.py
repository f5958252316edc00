"""What `ask` touches, filled by wiring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.metered import Annotate
    from deepseekeyes.routing.ports import Engine
    from deepseekeyes.vision.deps import VisionDeps


@dataclass(frozen=True, slots=True)
class AskDeps:
    """Everything between a question and its answer.

    Attributes:
        vision: how pictures are read.
        stdin: everything on standard input.
        names_file: whether a text is the name of a file that exists, for doors that may name files at all.
        reasoner: the metered engine of a route; the function given with it has the last word over each event.
        locked_to: the only route that may answer; None when callers choose.
        show: takes the pieces of an answer while it arrives; None when nobody watches.
    """

    vision: VisionDeps
    stdin: Callable[[], bytes]
    names_file: Callable[[str], bool]
    reasoner: Callable[[Route, Annotate], Engine]
    locked_to: str | None = None
    show: Callable[[str], None] | None = None
