"""What the usage operations need from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from deepseekeyes.contracts.evidence import Persistence
from deepseekeyes.core.clock import Clock
from deepseekeyes.store.ledger import Ledger
from deepseekeyes.usage.money import PriceList


@dataclass(frozen=True, slots=True)
class UsageDeps:
    """The ledger, and what turns tokens into money.

    Attributes:
        money: the prices that routes declare, and the routes that run on this machine.
        text: reads a path, or standard input (`-`).
        persistence: whether the ledger was written without trouble so far.
    """

    ledger: Ledger
    text: Callable[[str], str | bytes]
    money: PriceList = field(default_factory=PriceList)
    persistence: Callable[[], Persistence] = Persistence
    clock: Clock = field(default_factory=Clock)
