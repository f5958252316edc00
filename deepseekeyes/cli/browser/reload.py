"""`browser reload`."""

from __future__ import annotations

from deepseekeyes.cli.browser.arguments import DEFAULT, RequireVerified, SessionName, State, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser reload --state ID"


def command(
    state: State = None,
    session: SessionName = DEFAULT,
    require_verified: RequireVerified = False,
) -> Call:
    """Load the page anew; needs a state."""
    return "browser.reload", payload(locals())
