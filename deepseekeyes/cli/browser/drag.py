"""`browser drag`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.browser.arguments import (
    DEFAULT,
    Name,
    Nth,
    Ref,
    RequireVerified,
    Role,
    SessionName,
    State,
    WithText,
    payload,
)
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser drag --name Card --to-name Done"


def command(
    to_ref: Annotated[str | None, typer.Option("--to-ref", metavar="REF", help="Drop on this ref.")] = None,
    to_role: Annotated[str | None, typer.Option("--to-role", help="Drop on a control of this role.")] = None,
    to_name: Annotated[str | None, typer.Option("--to-name", help="Drop on the control of this name.")] = None,
    by_x: Annotated[float | None, typer.Option("--by-x", help="Pixels to the right.")] = None,
    by_y: Annotated[float | None, typer.Option("--by-y", help="Pixels down.")] = None,
    ref: Ref = None,
    role: Role = None,
    name: Name = None,
    with_text: WithText = None,
    nth: Nth = None,
    state: State = None,
    session: SessionName = DEFAULT,
    require_verified: RequireVerified = False,
) -> Call:
    """Drag one control onto another, or by an offset."""
    return "browser.drag", payload(locals())
