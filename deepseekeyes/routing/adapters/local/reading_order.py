"""The order in which a person would read boxes: inside frames first, columns one after the other, tables by rows.

Pure. A variant of the recursive X-Y cut (Nagy and Seth 1984): a vertical gap separates columns, unless what stands on
both sides lines up like the cells of a table; a few boxes may bridge a gap (a title over two columns) and then
separate what is above them from what is below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from deepseekeyes.core.geometry import Box

DEPTH = 60
GUTTER = 1.2
ALIGNED = 0.4
TABULAR = 0.6
PROSE_FILL = 0.6
PROSE_SHAPE = 12.0
NESTED = 0.8


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A box to order: a line, or a frame with what is inside it."""

    box: Box
    line: int | None = None
    inside: tuple[Node, ...] = ()


def order(boxes: Sequence[Box], frames: Sequence[Box] = ()) -> list[int]:
    """Indices of `boxes` in reading order.

    Args:
        boxes: upright lines of text, any unit.
        frames: panels and the like, same unit; those that hold fewer than two boxes do not matter.
    """
    nodes = [Node(boxes[index], index) for index in sorted(range(len(boxes)), key=lambda index: (boxes[index], index))]
    for frame in sorted(set(frames), key=lambda box: (box.width * box.height, box)):
        within = [node for node in nodes if _holds(frame, node.box)]
        if 1 < len(within) < len(nodes):
            nodes = [node for node in nodes if node not in within]
            nodes.append(Node(frame, None, tuple(within)))
    return _flat(_ordered(nodes, DEPTH), DEPTH)


def _flat(nodes: Sequence[Node], depth: int) -> list[int]:
    found = []
    for node in nodes:
        if node.line is not None:
            found.append(node.line)
        else:
            found.extend(_flat(_ordered(list(node.inside), depth - 1), depth - 1))
    return found


def _holds(frame: Box, box: Box) -> bool:
    shared = frame.intersection(box)
    area = box.width * box.height
    return shared is not None and shared.width * shared.height >= NESTED * area and frame.width * frame.height > area


def _ordered(nodes: list[Node], depth: int) -> list[Node]:
    if len(nodes) <= 1:
        return nodes
    if depth <= 0:
        return [node for row in rows(nodes) for node in row]
    parts = _columns(nodes) or _bands(nodes)
    if parts is None:
        return [node for row in rows(nodes) for node in row]
    return [node for part in parts for node in _ordered(part, depth - 1)]


def _columns(nodes: list[Node]) -> list[list[Node]] | None:
    """The parts left and right of the clearest gap, each stretch between bridging boxes apart; None for a table."""
    unit = (
        median(node.box.height for node in nodes if node.line is not None or len(nodes) < 3) if _lines(nodes) else 0.0
    )
    gap = _gap(nodes, GUTTER * unit)
    if gap is None:
        return None
    middle, bridges = gap
    left = [node for node in nodes if node not in bridges and node.box.x + node.box.width / 2 < middle]
    right = [node for node in nodes if node not in bridges and node not in left]
    if _tabular(left, right):
        return None
    if not bridges:
        return [left, right]
    return _around(bridges, left + right)


def _lines(nodes: Sequence[Node]) -> bool:
    return any(node.line is not None for node in nodes) or len(nodes) < 3


def _gap(nodes: Sequence[Node], least: float) -> tuple[float, list[Node]] | None:
    """The middle of the best vertical gap and the boxes that bridge it: fewest bridges first, then the widest."""
    edges = sorted({node.box.x for node in nodes} | {node.box.right for node in nodes})
    allowed = 0 if len(nodes) < 5 else max(1, len(nodes) // 8)
    best: tuple[int, float, float, list[Node]] | None = None
    for start, end in _stretches(nodes, edges, allowed):
        if end - start < max(least, 1e-9):
            continue
        middle = (start + end) / 2
        bridges = [node for node in nodes if node.box.x < middle < node.box.right]
        sides = [sum(node.box.right <= middle for node in nodes), sum(node.box.x >= middle for node in nodes)]
        if min(sides) < (2 if bridges else 1):
            continue
        rank = (len(bridges), start - end, start, bridges)
        if best is None or rank[:3] < best[:3]:
            best = rank
    if best is None:
        return None
    return best[2] - best[1] / 2, best[3]


def _stretches(nodes: Sequence[Node], edges: list[float], allowed: int) -> list[tuple[float, float]]:
    """Intervals of x, inside the boxes' extent, that the same few boxes cover throughout."""
    change: dict[float, int] = dict.fromkeys(edges, 0)
    for node in nodes:
        change[node.box.x] += 1
        change[node.box.right] -= 1
    found, covering = [], 0
    for start, end in pairwise(edges):
        covering += change[start]
        if covering <= allowed:
            found.append((start, end))
    return found


def _tabular(left: Sequence[Node], right: Sequence[Node]) -> bool:
    """Whether the shorter side's boxes stand level with boxes of the other, and both are not columns of prose."""
    few, many = sorted((left, right), key=len)
    level = sum(any(_level(one.box, other.box) for other in many) for one in few)
    if level < TABULAR * len(few):
        return False
    return not (len(few) > 2 and _prose(left) and _prose(right))


def _level(first: Box, second: Box) -> bool:
    distance = abs((first.y + first.height / 2) - (second.y + second.height / 2))
    return distance <= ALIGNED * min(first.height, second.height)


def _prose(nodes: Sequence[Node]) -> bool:
    """Long lines that mostly fill the width of their column."""
    extent = max(node.box.right for node in nodes) - min(node.box.x for node in nodes)
    wide = [
        node
        for node in nodes
        if node.box.width >= PROSE_FILL * extent and node.box.width >= PROSE_SHAPE * node.box.height
    ]
    return 2 * len(wide) > len(nodes)


def _around(bridges: list[Node], rest: list[Node]) -> list[list[Node]]:
    parts: list[list[Node]] = []
    for bridge in sorted(bridges, key=lambda node: (node.box.y, node.box.x)):
        centre = bridge.box.y + bridge.box.height / 2
        above = [node for node in rest if node.box.y + node.box.height / 2 < centre]
        rest = [node for node in rest if node not in above]
        parts.extend(part for part in (above, [bridge]) if part)
    return [*parts, rest] if rest else parts


def _bands(nodes: list[Node]) -> list[list[Node]] | None:
    """Groups separated by horizontal gaps, top to bottom; None when everything overlaps."""
    bands: list[list[Node]] = []
    bottom = float("-inf")
    for node in sorted(nodes, key=lambda one: (one.box.y, one.box.x)):
        overlap = bottom - node.box.y
        if not bands or overlap <= 0.2 * min(node.box.height, bands[-1][-1].box.height):
            bands.append([])
        bands[-1].append(node)
        bottom = max(bottom, node.box.bottom)
    return bands if len(bands) > 1 else None


def rows(nodes: Sequence[Node]) -> list[list[Node]]:
    """Boxes that stand level, top to bottom, each row from left to right."""
    found: list[list[Node]] = []
    for node in sorted(nodes, key=lambda one: (one.box.y + one.box.height / 2, one.box.x)):
        if found and _level_with_row(node, found[-1]):
            found[-1].append(node)
        else:
            found.append([node])
    return [sorted(row, key=lambda one: (one.box.x, one.box.y)) for row in found]


def _level_with_row(node: Node, row: Sequence[Node]) -> bool:
    last = row[-1].box
    distance = (node.box.y + node.box.height / 2) - (last.y + last.height / 2)
    return distance <= 0.5 * min(node.box.height, last.height)
