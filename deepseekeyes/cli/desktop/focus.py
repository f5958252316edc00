"""`desktop focus`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.desktop.arguments import on_window
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop focus --app mousepad"


@on_window
def command(
    **shared: Any,
) -> Call:
    """Bring a window to the front and give it the keyboard."""
    return "desktop.focus", payload(**shared)
