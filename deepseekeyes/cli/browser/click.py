"""`browser click`."""

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

EXAMPLE = "deepseekeyes browser click --role button --name Save"


def command(
    button: Annotated[str | None, typer.Option("--button", help="left, right or middle.")] = None,
    double: Annotated[bool, typer.Option("--double", help="Click twice.")] = False,
    ref: Ref = None,
    role: Role = None,
    name: Name = None,
    with_text: WithText = None,
    nth: Nth = None,
    state: State = None,
    session: SessionName = DEFAULT,
    require_verified: RequireVerified = False,
) -> Call:
    """Click one control, if a pointer would really meet it."""
    return "browser.click", payload(locals())
