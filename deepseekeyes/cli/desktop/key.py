"""`desktop key`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import AllowFocused, on_element
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop key CTRL+S --state ID"


@on_element
def command(
    key: Annotated[str, typer.Argument(metavar="KEY", help="Such as ENTER, ESCAPE, CTRL+SHIFT+S.")],
    allow_focused_target: AllowFocused = False,
    **shared: Any,
) -> Call:
    """Press a key while the window that was looked at has the keyboard; needs a state."""
    return "desktop.key", payload(key=key, allow_focused_target=allow_focused_target, **shared)
