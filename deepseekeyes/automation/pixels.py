"""Screenshots as evidence: what may be kept is masked, what tells changes apart is a keyed digest of what was there."""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from deepseekeyes.automation.codes import SCREENSHOT_UNUSABLE
from deepseekeyes.automation.keys import Keys
from deepseekeyes.automation.surface import Grid, Shot
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box

if TYPE_CHECKING:
    from PIL import Image

TILE = 32
SHOWN = 12
MOST_AREAS = 16
PACKING = 2
MASK_COLOUR = (32, 33, 36)
MASK_EDGE = (255, 196, 0)


def take(
    data: bytes,
    keys: Keys,
    *,
    masks: Sequence[Box] = (),
    origin: tuple[float, float] = (0.0, 0.0),
    scale: float = 1.0,
) -> Shot:
    """A captured PNG as a screenshot that may be stored.

    Without masks the bytes stay as they came. With masks the rectangles are painted over and the picture is encoded
    again, losslessly; nothing of the covered pixels is left but their part in a keyed digest.

    Args:
        data: the encoded capture.
        keys: of the run.
        masks: protected boxes in pixels; they are widened to whole pixels and cut at the edges.
        origin, scale: see `Shot`.

    Raises:
        EyesError: SCREENSHOT_UNUSABLE when the bytes are no picture.
    """
    picture = _opened(data)
    width, height = picture.size
    tiles = _tiles(picture, keys)
    covered = tuple(box for box in (_inside(mask, width, height) for mask in masks) if box is not None)
    kept = _masked(picture, covered) if covered else data
    return Shot(
        sha256=hashlib.sha256(kept).hexdigest(),
        size=len(kept),
        width=width,
        height=height,
        pixel_digest=keys.digest(f"{picture.mode} {width}x{height} {' '.join(tiles)}"),
        data=kept,
        masks=covered,
        origin=origin,
        scale=scale,
        grid=Grid(math.ceil(width / TILE), math.ceil(height / TILE), TILE, tuple(tile[:SHOWN] for tile in tiles)),
    )


def patch(data: bytes, keys: Keys, grid: Grid, at: tuple[int, int]) -> Grid | None:
    """A grid of which one part was captured anew; None when the picture is no whole number of the grid's tiles.

    Args:
        data: the encoded capture of that part.
        at: column and row of its first tile.

    Raises:
        EyesError: SCREENSHOT_UNUSABLE when the bytes are no picture.
    """
    picture = _opened(data)
    columns, rows = math.ceil(picture.width / TILE), math.ceil(picture.height / TILE)
    if at[0] + columns > grid.columns or at[1] + rows > grid.rows:
        return None
    found = list(grid.digests)
    for index, tile in enumerate(_tiles(picture, keys)):
        row, column = divmod(index, columns)
        found[(at[1] + row) * grid.columns + at[0] + column] = tile[:SHOWN]
    return Grid(grid.columns, grid.rows, grid.tile, tuple(found))


def tiles_around(grid: Grid, box: Box, *, margin: float = TILE) -> tuple[int, int, int, int] | None:
    """First column and row and the numbers of columns and rows of the tiles that `changed_near` looks at."""
    left, top = max(0, math.floor((box.x - margin) / TILE)), max(0, math.floor((box.y - margin) / TILE))
    right = min(grid.columns, math.ceil((box.right + margin) / TILE))
    bottom = min(grid.rows, math.ceil((box.bottom + margin) / TILE))
    return (left, top, right - left, bottom - top) if right > left and bottom > top else None


def changed_tiles(before: Grid | None, after: Grid | None) -> frozenset[tuple[int, int]] | None:
    """Column and row of every tile that differs; None when the two cannot be compared."""
    if before is None or after is None:
        return None
    if (before.columns, before.rows, before.tile) != (after.columns, after.rows, after.tile):
        return None
    return frozenset(
        (index % after.columns, index // after.columns)
        for index, (old, new) in enumerate(zip(before.digests, after.digests, strict=True))
        if old != new
    )


def changed_near(before: Grid | None, after: Grid | None, box: Box, *, margin: float = TILE) -> bool | None:
    """Whether anything changed inside a box widened by `margin` pixels; None when it cannot be told."""
    tiles = changed_tiles(before, after)
    if tiles is None or after is None:
        return None
    side = after.tile
    wide = Box(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin)
    return any(wide.intersection(Box(x * side, y * side, side, side)) is not None for x, y in tiles)


def areas(before: Grid | None, after: Grid | None) -> tuple[Box, ...]:
    """Boxes around connected changed tiles, largest first, at most `MOST_AREAS`."""
    left = set(changed_tiles(before, after) or ())
    side = after.tile if after is not None else TILE
    found: list[Box] = []
    while left:
        group = _connected(left)
        columns, rows = [x for x, _ in group], [y for _, y in group]
        x, y = min(columns), min(rows)
        found.append(Box(x * side, y * side, (max(columns) - x + 1) * side, (max(rows) - y + 1) * side))
    found.sort(key=lambda box: (-box.width * box.height, box.y, box.x))
    return tuple(found[:MOST_AREAS])


def _connected(left: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Take one connected group of tiles out of a set; corners touch."""
    todo = [left.pop()]
    group: list[tuple[int, int]] = []
    while todo:
        x, y = todo.pop()
        group.append((x, y))
        for near in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
            if near in left:
                left.remove(near)
                todo.append(near)
    return group


def _opened(data: bytes) -> Image.Image:
    """Decoded pixels as RGB; an alpha channel stays only where it shows."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as found:
            found.load()
            picture: Image.Image = found if found.mode == "RGB" else found.convert("RGBA")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as trouble:
        raise EyesError(SCREENSHOT_UNUSABLE, "The screenshot is not a picture that can be decoded.") from trouble
    if picture.mode == "RGBA" and picture.getchannel("A").getextrema() == (255, 255):
        return picture.convert("RGB")
    return picture


def _inside(box: Box, width: int, height: int) -> Box | None:
    x, y = max(0, math.floor(box.x)), max(0, math.floor(box.y))
    right, bottom = min(width, math.ceil(box.right)), min(height, math.ceil(box.bottom))
    return Box(x, y, right - x, bottom - y) if right > x and bottom > y else None


def _masked(picture: Image.Image, masks: Sequence[Box]) -> bytes:
    from PIL import ImageDraw

    painted = picture.copy()
    pen = ImageDraw.Draw(painted)
    for box in masks:
        corners = (box.x, box.y, box.right - 1, box.bottom - 1)
        pen.rectangle(corners, fill=MASK_COLOUR, outline=MASK_EDGE if min(box.width, box.height) > 4 else None)
    out = io.BytesIO()
    painted.save(out, "PNG", compress_level=PACKING)
    return out.getvalue()


def _tiles(picture: Image.Image, keys: Keys) -> list[str]:
    """A keyed digest of every tile, row by row."""
    raw, width, height = picture.tobytes(), picture.width, picture.height
    depth = len(picture.getbands())
    line, side = width * depth, TILE * depth
    key = bytes.fromhex(keys.digest("grid"))
    found: list[str] = []
    for top in range(0, height, TILE):
        starts = range(top * line, min(top + TILE, height) * line, line)
        for left in range(0, line, side):
            wide = min(side, line - left)
            cut = b"".join([raw[start + left : start + left + wide] for start in starts])
            found.append(hashlib.blake2b(cut, digest_size=16, key=key).hexdigest())
    return found
