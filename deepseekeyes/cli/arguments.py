"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Images = Annotated[
    list[str],
    typer.Argument(
        metavar="IMAGE", help="File, - (standard input), sha256:HEX, data: URL, or http(s) URL with --allow-url."
    ),
]
RouteOption = Annotated[
    str | None, typer.Option("--route", metavar="ROUTE", help="Use this route: an id or provider/model.")
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Read again although a record exists; the new record supersedes it.")
]
Frame = Annotated[
    str | None,
    typer.Option("--frame", metavar="N|sheet", help="Frame of an animation, from 0, or a contact sheet of many."),
]
AllowUrl = Annotated[bool, typer.Option("--allow-url", help="Fetch http(s) URLs; private addresses stay refused.")]
RegionOption = Annotated[
    str | None, typer.Option("--region", metavar="X,Y,W,H", help="Part of the upright picture, as fractions of 0..1.")
]
Wait = Annotated[
    bool, typer.Option("--wait", help="When all routes rest, wait for the first one (at most routing.max_wait_ms).")
]
