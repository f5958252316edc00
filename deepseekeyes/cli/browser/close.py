"""`browser close`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.gestures import in_session, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser close"


@in_session
def command(
    **shared: Any,
) -> Call:
    """End a session; its run's folder stays."""
    return "browser.close", payload(**shared)
