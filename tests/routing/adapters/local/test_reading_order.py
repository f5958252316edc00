"""The order a person would read in."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from deepseekeyes.core.geometry import Box
from deepseekeyes.routing.adapters.local.reading_order import order

COLUMN = 18


def words(boxes: dict[str, Box], frames: tuple[Box, ...] = ()) -> list[str]:
    """The names in reading order, whatever order the boxes come in."""
    names = sorted(boxes, key=lambda name: random.Random(name).random())
    return [names[index] for index in order([boxes[name] for name in names], frames)]


def column(prefix: str, x: float, y: float, count: int, width: float, step: float = 26) -> dict[str, Box]:
    return {f"{prefix}{row}": Box(x, y + row * step, width, COLUMN) for row in range(count)}


def test_columns_of_prose_are_read_one_after_the_other_below_their_common_title():
    page = {"title": Box(250, 10, 300, 30)} | column("a", 20, 60, 8, 350) | column("b", 420, 60, 8, 350)

    assert words(page) == ["title", *(f"a{row}" for row in range(8)), *(f"b{row}" for row in range(8))]


def test_tables_are_read_by_rows():
    table = column("a", 20, 60, 6, 60) | column("b", 150, 60, 6, 90) | column("c", 400, 60, 6, 40)

    assert words(table) == [f"{name}{row}" for row in range(6) for name in "abc"]


def test_labels_and_their_values_stay_together():
    form = {
        "name": Box(20, 20, 60, 18),
        "Ada": Box(200, 21, 40, 18),
        "age": Box(20, 60, 40, 18),
        "36": Box(200, 60, 24, 18),
    }

    assert words(form) == ["name", "Ada", "age", "36"]


def test_a_side_bar_is_read_before_the_content_beside_it():
    screen = column("menu", 20, 60, 5, 80, step=44) | column("text", 300, 52, 9, 500, step=31)

    assert words(screen) == [*(f"menu{row}" for row in range(5)), *(f"text{row}" for row in range(9))]


def test_what_a_frame_holds_stays_together():
    screen = {
        "bar": Box(20, 9, 250, 18),
        "menu1": Box(20, 80, 80, 18),
        "menu2": Box(20, 180, 80, 18),
        "heading": Box(250, 90, 300, 22),
        "message": Box(250, 140, 400, 18),
        "no": Box(400, 200, 40, 18),
        "yes": Box(520, 200, 40, 18),
    }
    dialog = Box(230, 70, 460, 170)

    assert words(screen, (dialog,)) == ["bar", "menu1", "menu2", "heading", "message", "no", "yes"]


BOXES = st.lists(
    st.builds(
        Box,
        st.integers(0, 900).map(float),
        st.integers(0, 900).map(float),
        st.integers(1, 400).map(float),
        st.integers(1, 60).map(float),
    ),
    max_size=24,
)


@examples(60)
@given(boxes=BOXES, frames=BOXES)
def test_every_box_is_read_exactly_once(boxes, frames):
    assert sorted(order(boxes, frames)) == list(range(len(boxes)))


@examples(60)
@given(boxes=BOXES.map(lambda boxes: list(dict.fromkeys(boxes))), seed=st.integers(0, 9))
def test_the_order_does_not_depend_on_the_order_of_detection(boxes, seed):
    shuffled = random.Random(seed).sample(boxes, len(boxes))

    assert [boxes[index] for index in order(boxes)] == [shuffled[index] for index in order(shuffled)]


def test_many_boxes_at_one_place_end():
    assert sorted(order([Box(5, 5, 50, 10)] * 400)) == list(range(400))
