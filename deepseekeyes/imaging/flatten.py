"""Put a transparent picture on the background that keeps its strokes visible."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

CANDIDATES = (255, 0, 128, 192, 64)
"""Grey levels tried as background, in order of preference."""

NEAR = 60
"""A pixel whose luminance is closer than this to the background counts as lost."""

TOLERATED = 0.02
"""A background that loses at most this share of the edge pixels is taken at once."""


def flattened(image: Image.Image, background: str | None = None) -> tuple[Image.Image, str | None]:
    """The picture without transparency.

    Args:
        image: RGB or RGBA.
        background: `#rrggbb` to use; None chooses by contrast.

    Returns:
        An RGB picture, and the background as `#rrggbb` (None when nothing was transparent).
    """
    from PIL import Image

    if image.mode != "RGBA":
        return image, None
    colour = background or background_for(image)
    canvas = Image.new("RGB", image.size, colour)
    canvas.paste(image, mask=image.getchannel("A"))
    return canvas, colour


def background_for(image: Image.Image) -> str:
    """The grey `#rrggbb` on which the visible pixels beside transparent ones stand out best; white when in doubt.

    Only pixels at the border of transparency matter: the inside of an opaque area looks the same on any background.
    """
    counts = _edge_luminance(image)
    total = sum(counts)
    lost = {level: sum(counts[max(0, level - NEAR + 1) : level + NEAR]) for level in CANDIDATES}
    best = next((level for level in CANDIDATES if lost[level] <= TOLERATED * total), None)
    level = min(CANDIDATES, key=lambda candidate: lost[candidate]) if best is None else best
    return f"#{level:02x}{level:02x}{level:02x}"


def _edge_luminance(image: Image.Image) -> list[int]:
    from PIL import ImageChops, ImageFilter

    alpha = image.getchannel("A")
    seen = alpha.point(lambda value: 255 if value >= 128 else 0)
    near_clear = alpha.point(lambda value: 255 if value < 128 else 0).filter(ImageFilter.MaxFilter(5))
    return image.convert("RGB").convert("L").histogram(ImageChops.multiply(seen, near_clear))
