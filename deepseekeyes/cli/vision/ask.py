"""`vision ask`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.arguments import AllowUrl, Frame, Fresh, Images, Wait
from deepseekeyes.cli.parse import Call

EXAMPLE = (
    'deepseekeyes vision ask chart.png "What was the revenue in Q3?"\n'
    'deepseekeyes vision read chart.png --json | deepseekeyes vision ask - "What was the revenue in Q3?"'
)


def command(
    images: Images,
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="One question, 1 to 2000 characters; it comes last.")
    ],
    reasoner: Annotated[
        str | None,
        typer.Option("--reasoner", metavar="ROUTE", help="Let this model answer: an id or provider/model."),
    ] = None,
    route: Annotated[
        str | None,
        typer.Option("--route", metavar="ROUTE", help="Read with this eye: an id or provider/model."),
    ] = None,
    fresh: Fresh = False,
    frame: Frame = None,
    allow_url: AllowUrl = False,
    wait: Wait = False,
) -> Call:
    """Answer a question about pictures from evidence.

    A reasoning model answers from validated evidence and may ask for a few looks at the pixels; one that sees gets the
    pictures. Without any the evidence that the question is about is quoted, and marked as an extract. `-` takes picture
    bytes, evidence records, or documents that carry pictures.
    """
    return "vision.ask", {
        "images": images, "question": question, "reasoner": reasoner, "route": route, "fresh": fresh, "frame": frame,
        "allow_url": allow_url, "wait": wait,
    }  # fmt: skip
