"""When pixels are shown to the caller, beside being captured, hashed and stored, which happens always. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from deepseekeyes.desktop.semantics import Quality

Mode = Literal["auto", "always", "manual"]
LOOKING: Final = frozenset({"observe", "launch", "wait"})
HINT: Final = "deepseekeyes desktop observe --screenshot"


@dataclass(frozen=True, slots=True)
class Situation:
    """What the decision goes by.

    Attributes:
        asked: what the caller said about the screenshot; None for nothing.
        visual: whether this is a visual assertion.
        pointed: whether the action was aimed by coordinates.
        changed: whether the pixels changed.
    """

    action: str
    quality: Quality
    captured: bool = True
    asked: bool | None = None
    mode: Mode = "auto"
    visual: bool = False
    truncated: bool = False
    pointed: bool = False
    changed: bool | None = None
    sparse_actions: bool = True


@dataclass(frozen=True, slots=True)
class Delivery:
    """Whether the pixels are shown, and why."""

    delivered: bool
    reason: str


def decide(seen: Situation) -> Delivery:
    """The first rule that fits decides."""
    if not seen.captured:
        return Delivery(False, "screenshot-unavailable")
    if seen.asked is not None:
        return Delivery(seen.asked, "explicit-request" if seen.asked else "explicit-omit")
    if seen.mode != "auto":
        return Delivery(seen.mode == "always", f"configured-{seen.mode}")
    if seen.visual:
        return Delivery(True, "visual-assertion")
    if seen.action in LOOKING:
        if seen.quality == "available" and not seen.truncated:
            return Delivery(False, "semantic-state-sufficient")
        return Delivery(True, f"semantic-{seen.quality}-fallback")
    if seen.sparse_actions and seen.pointed and seen.quality != "available" and seen.changed:
        return Delivery(True, "sparse-action-fallback")
    return Delivery(False, "action-result-fast-path")
