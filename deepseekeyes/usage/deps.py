"""What the usage operations need from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from deepseekeyes.contracts.evidence import Persistence
from deepseekeyes.core.clock import Clock
from deepseekeyes.store.ledger import Ledger
from deepseekeyes.usage.money import PriceList

METERING_OFF: Final = "Calls are not counted at the moment: ledger.usage is false. What was counted before is shown."


def _unheard(_: str) -> None:
    """For callers without people."""


@dataclass(frozen=True, slots=True)
class UsageDeps:
    """The ledger, and what turns tokens into money.

    Attributes:
        money: the prices that routes declare, and the routes that run on this machine.
        text: reads a path, or standard input (`-`).
        metering: whether calls are counted at the moment (`ledger.usage`).
        note: takes a sentence for people.
        persistence: whether the ledger was written without trouble so far.
    """

    ledger: Ledger
    text: Callable[[str], str | bytes]
    money: PriceList = field(default_factory=PriceList)
    metering: bool = True
    note: Callable[[str], None] = _unheard
    persistence: Callable[[], Persistence] = Persistence
    clock: Clock = field(default_factory=Clock)

    def tell_metering(self) -> None:
        """Say so where nothing is counted at the moment."""
        if not self.metering:
            self.note(METERING_OFF)
