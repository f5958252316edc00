"""`browser uncheck`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.gestures import on_control, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = 'deepseekeyes browser uncheck --name "Send news"'


@on_control
def command(
    **shared: Any,
) -> Call:
    """Clear a checkbox, turn a switch off."""
    return "browser.uncheck", payload(**shared)
