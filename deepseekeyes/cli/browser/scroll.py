"""`browser scroll`."""

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

EXAMPLE = "deepseekeyes browser scroll --state ID --delta-y 600"


def command(
    delta_x: Annotated[float | None, typer.Option("--delta-x", help="Pixels to the right.")] = None,
    delta_y: Annotated[float | None, typer.Option("--delta-y", help="Pixels down; 600 when absent.")] = None,
    ref: Ref = None,
    role: Role = None,
    name: Name = None,
    with_text: WithText = None,
    nth: Nth = None,
    state: State = None,
    session: SessionName = DEFAULT,
    require_verified: RequireVerified = False,
) -> Call:
    """Turn the wheel over a control or the page; needs a state."""
    return "browser.scroll", payload(locals())
