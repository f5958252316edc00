"""`browser select`."""

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

EXAMPLE = "deepseekeyes browser select Berlin --name City"


def command(
    option: Annotated[list[str], typer.Argument(help="Label or value.")],
    ref: Ref = None,
    role: Role = None,
    name: Name = None,
    with_text: WithText = None,
    nth: Nth = None,
    state: State = None,
    session: SessionName = DEFAULT,
    require_verified: RequireVerified = False,
) -> Call:
    """Choose options of a native select by label or value."""
    return "browser.select", payload(locals())
