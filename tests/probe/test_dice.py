"""Replayable chance."""

from __future__ import annotations

from collections import Counter

import pytest

from deepseekeyes.probe.dice import Dice, shuffled
from deepseekeyes.probe.grid import NAMES


def test_a_source_of_zeros_rotates_the_palette() -> None:
    assert shuffled(NAMES, lambda _: 0) == [
        "green", "blue", "yellow", "cyan", "magenta", "black", "white", "gray", "red",
    ]  # fmt: skip


def test_a_source_of_last_indices_leaves_the_palette_as_it_is() -> None:
    assert shuffled(NAMES, lambda limit: limit - 1) == list(NAMES)


def test_the_shuffle_asks_for_partners_from_the_last_index_down_to_one() -> None:
    limits: list[int] = []
    shuffled(range(5), lambda limit: limits.append(limit) or 0)

    assert limits == [5, 4, 3, 2]


def test_the_same_parts_give_the_same_stream_and_others_another() -> None:
    def stream(*parts: object) -> list[int]:
        dice = Dice(*parts)
        return [dice.below(1000) for _ in range(8)]

    assert stream("1", "grid", 7) == [605, 752, 219, 42, 206, 11, 89, 685]
    assert stream("1", "grid", 7) != stream("1", "grid", 8)
    assert stream("1", "grid", 7) != stream("1", "text", 7)


@pytest.mark.parametrize("limit", [1, 2, 9, 20, 1000])
def test_values_stay_below_the_limit_and_reach_every_value(limit: int) -> None:
    dice = Dice("range", limit)
    seen = Counter(dice.below(limit) for _ in range(limit * 20))

    assert set(seen) <= set(range(limit))
    assert len(seen) > limit * 0.9
