"""`browser check`."""

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

EXAMPLE = 'deepseekeyes browser check --name "I agree"'


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
    """Tick a checkbox, choose a radio button, turn a switch on."""
    return "browser.check", payload(locals())
