"""`vision batch`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.arguments import AllowUrl, Frame, Fresh, RouteOption, Wait
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes vision batch shots/ --recursive > records.jsonl\ndeepseekeyes vision batch list.jsonl --jobs 4"


def command(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="DIR|GLOB|LIST.jsonl", help="Folder, quoted pattern, list of pictures, or - (standard input)."
        ),
    ],
    recursive: Annotated[bool, typer.Option("--recursive", help="Enter folders inside folders.")] = False,
    route: RouteOption = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, metavar="N", help="Pictures read at the same time.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="tcp://HOST:PORT", help="Read on an existing Dask cluster.")
    ] = None,
    fresh: Fresh = False,
    frame: Frame = None,
    allow_url: AllowUrl = False,
    wait: Wait = False,
) -> Call:
    """Read many pictures at a time, one line of JSON for each, then a summary.

    A line of a list is a path or {"image": "a.png", "frame": 0}; relative paths start at the list. What was read
    before is answered from the store, so the same command goes on where it was interrupted. Lines come in the order in
    which pictures are done; `index` is their place. `-` takes a list, or documents that carry pictures.
    """
    return "vision.batch", {
        "sources": sources, "recursive": recursive, "route": route, "jobs": jobs, "cluster": cluster, "fresh": fresh,
        "frame": frame, "allow_url": allow_url, "wait": wait,
    }  # fmt: skip
