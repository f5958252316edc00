"""`vision read`."""

from __future__ import annotations

from deepseekeyes.cli.arguments import AllowUrl, Frame, Fresh, Images, RouteOption, Wait
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes vision read screenshot.png\ndeepseekeyes browser observe --json | deepseekeyes vision read -"


def command(
    images: Images,
    route: RouteOption = None,
    fresh: Fresh = False,
    frame: Frame = None,
    allow_url: AllowUrl = False,
    wait: Wait = False,
) -> Call:
    """Read pictures into evidence records.

    One picture prints its record; several print a batch in argument order. `-` takes picture bytes, or any document
    that carries pictures: evidence-record, evidence-batch, browser-observation, browser-action, desktop-observation,
    desktop-action, mcp-result.
    """
    return "vision.read", {
        "images": images,
        "route": route,
        "fresh": fresh,
        "frame": frame,
        "allow_url": allow_url,
        "wait": wait,
    }
