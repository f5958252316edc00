"""`browser press`."""

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

EXAMPLE = "deepseekeyes browser press Enter --state ID"


def command(
    key: Annotated[str, typer.Argument(help="Such as Enter, Escape, Control+a.")],
    ref: Ref = None,
    role: Role = None,
    name: Name = None,
    with_text: WithText = None,
    nth: Nth = None,
    state: State = None,
    session: SessionName = DEFAULT,
    require_verified: RequireVerified = False,
) -> Call:
    """Press a key or chord; needs a state."""
    return "browser.press", payload(locals())
