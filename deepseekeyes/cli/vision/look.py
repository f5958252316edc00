"""`vision look`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.arguments import AllowUrl, Frame, Fresh, RegionOption, RouteOption, Wait
from deepseekeyes.cli.parse import Call

EXAMPLE = 'deepseekeyes vision look chart.png "What is the highest value?" --region 0,0.5,1,0.5'


def command(
    image: Annotated[
        str, typer.Argument(metavar="SHA256|IMAGE", help="A picture, or the hash of one that was read before.")
    ],
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="One precise question, 1 to 2000 characters.")],
    region: RegionOption = None,
    route: RouteOption = None,
    fresh: Fresh = False,
    frame: Frame = None,
    allow_url: AllowUrl = False,
    wait: Wait = False,
) -> Call:
    """Ask one precise question back to the original pixels.

    The region is cut from the original and enlarged before it is sent. `-` takes picture bytes or a document that
    carries one picture, such as an evidence-record.
    """
    return "vision.look", {
        "image": image, "question": question, "region": region, "route": route, "fresh": fresh, "frame": frame,
        "allow_url": allow_url, "wait": wait,
    }  # fmt: skip
