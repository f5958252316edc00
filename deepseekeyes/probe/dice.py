"""Chance that can be replayed: a stream of integers that depends on a rung and a seed alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

_WORD = 8
_SPAN = 1 << (8 * _WORD)


class Dice:
    """Uniform integers from SHA-256 in counter mode, the same on every platform and Python version."""

    __slots__ = ("_counter", "_key")

    def __init__(self, *parts: object) -> None:
        self._key = ":".join(str(part) for part in parts).encode()
        self._counter = 0

    def below(self, limit: int) -> int:
        """An integer in `[0, limit)`, without modulo bias."""
        fair = _SPAN - _SPAN % limit
        while True:
            word = hashlib.sha256(self._key + b"#%d" % self._counter).digest()[:_WORD]
            self._counter += 1
            value = int.from_bytes(word, "big")
            if value < fair:
                return value % limit

    def between(self, low: int, high: int) -> int:
        """An integer in `[low, high]`."""
        return low + self.below(high - low + 1)


def shuffled(items: Sequence[T], below: Callable[[int], int]) -> list[T]:
    """A Fisher-Yates shuffle: the last index down to 1, the partner in `[0, i]`."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        partner = below(last + 1)
        order[last], order[partner] = order[partner], order[last]
    return order
