"""What the probe operations need from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from deepseekeyes.core.clock import Clock
from deepseekeyes.probe.settings import ProbeSettings

if TYPE_CHECKING:
    from deepseekeyes.probe.verdicts import Verdicts
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.ports import Engine
    from deepseekeyes.store.blobs import Blobs


@dataclass(frozen=True, slots=True)
class ProbeDeps:
    """For proving routes.

    Attributes:
        eyes: every entry that declares `image_to_evidence`, in the order of the plan, disabled ones last.
        engine_for: the engine of a route, metered with purpose `probe`.
        verdicts: what is remembered.
        lock_dir: where the locks between processes lie; None where nothing is shared.
        enabled: whether a route has to prove its sight before its first evidence (`vision.active_probe`).
    """

    eyes: tuple[Route, ...]
    engine_for: Callable[[Route], Engine]
    verdicts: Verdicts
    lock_dir: Path | None
    settings: ProbeSettings = field(default_factory=ProbeSettings)
    clock: Clock = field(default_factory=Clock)
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class ShowDeps:
    """For looking at what is remembered."""

    eyes: tuple[Route, ...]
    verdicts: Verdicts


@dataclass(frozen=True, slots=True)
class ChallengeDeps:
    """For making a picture."""

    blobs: Blobs
    clock: Clock = field(default_factory=Clock)


@dataclass(frozen=True, slots=True)
class GradeDeps:
    """For judging an answer; `text` reads a path or standard input (`-`)."""

    text: Callable[[str], str | bytes]
    settings: ProbeSettings = field(default_factory=ProbeSettings)
