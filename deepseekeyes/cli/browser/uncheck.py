"""`browser uncheck`."""

from __future__ import annotations

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

EXAMPLE = 'deepseekeyes browser uncheck --name "Send news"'


def command(
    ref: Ref = None,
    role: Role = None,
    name: Name = None,
    with_text: WithText = None,
    nth: Nth = None,
    state: State = None,
    session: SessionName = DEFAULT,
    require_verified: RequireVerified = False,
) -> Call:
    """Clear a checkbox, turn a switch off."""
    return "browser.uncheck", payload(locals())
