"""`browser back`."""

from __future__ import annotations

from deepseekeyes.cli.browser.arguments import DEFAULT, RequireVerified, SessionName, State, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser back --state ID"


def command(
    state: State = None,
    session: SessionName = DEFAULT,
    require_verified: RequireVerified = False,
) -> Call:
    """Go one entry of the history back; needs a state."""
    return "browser.back", payload(locals())
