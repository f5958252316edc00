"""Blocks, tables and listings from lines."""

from __future__ import annotations

from deepseekeyes.core.geometry import Box
from deepseekeyes.routing.adapters.local.grouping import group
from deepseekeyes.routing.adapters.local.lines import Line


def lines_of(*rows: tuple[str, ...], step: float = 28, columns: tuple[float, ...] = (20, 200, 400)) -> list[Line]:
    return [
        Line(text, Box(columns[column], 20 + number * step, 9.0 * len(text), 20), 0.99)
        for number, row in enumerate(rows)
        for column, text in enumerate(row)
        if text
    ]


def grouped(lines: list[Line]):
    return group(lines, [line.box for line in lines])


def test_rows_that_share_columns_are_a_table():
    found = grouped(lines_of(("Item", "Count", "Price"), ("nails", "200", "3.10"), ("glue", "1", "4.75")))

    assert [table.rows for table in found.tables] == [
        (("Item", "Count", "Price"), ("nails", "200", "3.10"), ("glue", "1", "4.75"))
    ]
    assert found.tables[0].lines == tuple(range(9))
    assert found.blocks == ()


def test_an_absent_cell_stays_empty():
    found = grouped(lines_of(("a", "b", "c"), ("d", "e", ""), ("f", "", "g")))

    assert [table.rows for table in found.tables] == [(("a", "b", "c"), ("d", "e", ""), ("f", "", "g"))]


def test_two_rows_are_no_table():
    assert grouped(lines_of(("a", "b"), ("c", "d"))).tables == ()


def test_rows_far_apart_are_no_table():
    assert grouped(lines_of(("a", "b"), ("c", "d"), ("e", "f"), step=120)).tables == ()


def test_lines_under_each_other_are_a_block_and_a_gap_ends_it():
    lines = lines_of(("first line",), ("second line",), ("third line",))
    apart = Line("far below", Box(20, 300, 90, 20), 0.99)

    found = grouped([*lines, apart])

    assert [block.lines for block in found.blocks] == [(0, 1, 2)]
    assert found.blocks[0].box == Box(20, 20, 99, 76)


def test_numbered_lines_are_a_listing_and_no_table():
    found = grouped(lines_of(("1", "import os"), ("2", ""), ("3", "def main():"), ("4", "return 0"), ("5", "main()")))

    assert found.tables == ()
    assert [block.rows for block in found.blocks] == [((0, 1), (2,), (3, 4), (5, 6), (7, 8))]
