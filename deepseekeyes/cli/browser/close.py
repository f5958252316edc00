"""`browser close`."""

from __future__ import annotations

from deepseekeyes.cli.browser.arguments import DEFAULT, SessionName, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser close"


def command(
    session: SessionName = DEFAULT,
) -> Call:
    """End a session; its run's folder stays."""
    return "browser.close", payload(locals())
