"""The rungs in order, and which prove sight. Kept apart from the ladder, so that a look at verdicts is cheap."""

from __future__ import annotations

from typing import Final

from deepseekeyes.contracts.probe import RungName

VERSION: Final = "1"
"""Part of every seed: raise it when a picture, a prompt or a rule of judging changes."""

ORDER: Final[tuple[RungName, ...]] = ("grid", "text", "place", "blank", "inject")

SIGHT: Final[RungName] = "grid"
"""The rung that a route has to pass before its first evidence."""

SIGHT_WITHOUT_PROMPT: Final[RungName] = "text"
"""Its twin for eyes that take no prompt: random lettering that only the picture knows."""

SEEDS: Final = 1 << 32
"""Seeds lie below this."""
