"""`desktop perform`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import on_element
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop perform expand --ref REF --state ID"


@on_element
def command(
    action_name: Annotated[str, typer.Argument(metavar="ACTION", help="One of the element's actions.")],
    **shared: Any,
) -> Call:
    """Carry out an action that an element offers, by name."""
    return "desktop.perform", payload(action_name=action_name, **shared)
