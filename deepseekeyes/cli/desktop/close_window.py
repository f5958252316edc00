"""`desktop close-window`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.desktop.arguments import on_window
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop close-window --app mousepad"


@on_window
def command(
    **shared: Any,
) -> Call:
    """Ask a window to close, as its close button would."""
    return "desktop.close_window", payload(**shared)
