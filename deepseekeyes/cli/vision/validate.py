"""`vision validate`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes vision validate answer.txt --variant base --width 1280 --height 800"


def command(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="Model output, or an evidence record.")],
    variant: Annotated[
        Literal["base", "target"] | None,
        typer.Option("--variant", help="Which contract; told from the answer when absent."),
    ] = None,
    width: Annotated[int | None, typer.Option("--width", min=1, help="Width of the picture in pixels.")] = None,
    height: Annotated[int | None, typer.Option("--height", min=1, help="Height of the picture in pixels.")] = None,
    convention: Annotated[str | None, typer.Option("--convention", help="The route's declared box convention.")] = None,
    image: Annotated[
        str | None, typer.Option("--image", metavar="FILE", help="The record's picture, to re-derive its hashes.")
    ] = None,
) -> Call:
    """Select, repair and validate model output and print what was done; or re-check an evidence record offline.

    Exits 0 when valid and 1 when not. `-` takes model output or an evidence-record.
    """
    return "vision.validate", {
        "file": file,
        "variant": variant,
        "width": width,
        "height": height,
        "convention": convention,
        "image": image,
    }
