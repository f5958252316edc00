"""`browser check`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.gestures import on_control, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = 'deepseekeyes browser check --name "I agree"'


@on_control
def command(
    **shared: Any,
) -> Call:
    """Tick a checkbox, choose a radio button, turn a switch on."""
    return "browser.check", payload(**shared)
