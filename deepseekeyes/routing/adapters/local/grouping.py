"""Lines of text in reading order become blocks and tables. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from deepseekeyes.core.geometry import Box
from deepseekeyes.routing.adapters.local.lines import Line

LEVEL = 0.4
ROW_PITCH = 3.5
TABLE_ROWS = 3
GUTTER = 0.6
LEADING = 1.3
SIMILAR = 1.6
LISTING_ROWS = 5
LISTING_CELLS = 4
NUMBER_STEP = 10


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring lines that belong together; indices into the lines in reading order."""

    lines: tuple[int, ...]
    box: Box
    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Cells in rows and columns; an empty cell is an empty text."""

    lines: tuple[int, ...]
    box: Box
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Groups:
    """What the lines form; a line belongs to one group at most."""

    tables: tuple[Table, ...]
    blocks: tuple[Block, ...]


def group(lines: Sequence[Line], boxes: Sequence[Box]) -> Groups:
    """Tables first, then blocks of what is left.

    Args:
        lines: in reading order.
        boxes: their boxes in an upright frame (the picture turned so that text runs from left to right).
    """
    rows = list(_rows(boxes))
    listings = list(_listings(rows, lines, boxes))
    taken = {index for block in listings for index in block.lines}
    tables = []
    for run in _runs([row for row in rows if row[0] not in taken]):
        table = _table(run, lines, boxes)
        if table is not None:
            tables.append(table)
    taken |= {index for table in tables for index in table.lines}
    blocks = sorted((*listings, *_blocks(boxes, taken)), key=lambda block: block.lines)
    return Groups(tuple(tables), tuple(blocks))


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box that holds them all."""
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return Box(left, top, right - left, bottom - top)


def _rows(boxes: Sequence[Box]) -> Iterator[list[int]]:
    """Lines that follow each other from left to right on one level."""
    row: list[int] = []
    for index, box in enumerate(boxes):
        if row and not (box.x >= boxes[row[-1]].x and _level(box, boxes[row[-1]])):
            yield row
            row = []
        row.append(index)
    if row:
        yield row


def _level(first: Box, second: Box) -> bool:
    distance = abs((first.y + first.height / 2) - (second.y + second.height / 2))
    return distance <= LEVEL * min(first.height, second.height)


def _runs(rows: list[list[int]]) -> Iterator[list[list[int]]]:
    """Stretches of rows of several cells."""
    run: list[list[int]] = []
    for row in rows:
        if len(row) > 1:
            run.append(row)
            continue
        if len(run) >= TABLE_ROWS:
            yield run
        run = []
    if len(run) >= TABLE_ROWS:
        yield run


def _table(rows: list[list[int]], lines: Sequence[Line], boxes: Sequence[Box]) -> Table | None:
    """The rows as a table, when they are close to each other and share columns."""
    heights = [boxes[index].height for row in rows for index in row]
    tops = [boxes[row[0]].y for row in rows]
    pitches = [later - sooner for sooner, later in pairwise(tops)]
    unit = median(heights)
    if min(pitches) <= 0 or median(pitches) > ROW_PITCH * unit:
        return None
    edges = _columns([boxes[index] for row in rows for index in row], GUTTER * unit)
    if len(edges) < 2:
        return None
    cells = tuple(_cells(row, lines, boxes, edges) for row in rows)
    members = tuple(index for row in rows for index in row)
    return Table(members, around([boxes[index] for index in members]), cells)


def _columns(boxes: Sequence[Box], gutter: float) -> list[float]:
    """Left edges of the stretches of x that the boxes cover, where at least a gutter is between them."""
    starts: list[float] = []
    reach = float("-inf")
    for box in sorted(boxes):
        if box.x - reach >= gutter:
            starts.append(box.x)
        reach = max(reach, box.right)
    return starts


def _cells(row: Sequence[int], lines: Sequence[Line], boxes: Sequence[Box], starts: Sequence[float]) -> tuple[str, ...]:
    cells: list[list[str]] = [[] for _ in starts]
    for index in row:
        column = max(number for number, start in enumerate(starts) if start <= boxes[index].x)
        cells[column].append(lines[index].text)
    return tuple(" ".join(cell) for cell in cells)


def _listings(rows: list[list[int]], lines: Sequence[Line], boxes: Sequence[Box]) -> Iterator[Block]:
    """Stretches of rows that begin with rising numbers: source code, a log, a numbered text."""
    run: list[list[int]] = []
    for row in rows:
        number = _number(lines[row[0]].text)
        if number is None or (run and not 0 < number - (_number(lines[run[-1][0]].text) or 0) <= NUMBER_STEP):
            yield from _listing(run, boxes)
            run = []
        if number is not None:
            run.append(row)
    yield from _listing(run, boxes)


def _listing(run: list[list[int]], boxes: Sequence[Box]) -> Iterator[Block]:
    if len(run) >= LISTING_ROWS and all(len(row) <= LISTING_CELLS for row in run) and any(len(row) > 1 for row in run):
        yield _block([tuple(row) for row in run], boxes)


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else None


def _blocks(boxes: Sequence[Box], taken: set[int]) -> Iterator[Block]:
    block: list[int] = []
    for index, box in enumerate(boxes):
        if index in taken or (block and not _continues(boxes[block[-1]], box)):
            if len(block) > 1:
                yield _block(_levels(block, boxes), boxes)
            block = []
        if index not in taken:
            block.append(index)
    if len(block) > 1:
        yield _block(_levels(block, boxes), boxes)


def _block(rows: list[tuple[int, ...]], boxes: Sequence[Box]) -> Block:
    members = tuple(index for row in rows for index in row)
    return Block(members, around([boxes[member] for member in members]), tuple(rows))


def _levels(block: list[int], boxes: Sequence[Box]) -> list[tuple[int, ...]]:
    return [tuple(block[place] for place in row) for row in _rows([boxes[index] for index in block])]


def _continues(above: Box, below: Box) -> bool:
    small, large = sorted((above.height, below.height))
    if small <= 0 or large > SIMILAR * small:
        return False
    if _level(above, below):
        return 0 <= below.x - above.right <= LEADING * large
    gap = below.y - above.bottom
    overlaps = min(above.right, below.right) > max(above.x, below.x)
    return -0.5 * small <= gap <= LEADING * large and overlaps
