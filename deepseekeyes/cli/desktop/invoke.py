"""`desktop invoke`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.desktop.arguments import on_element
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop invoke --role menu_item --name Open"


@on_element
def command(
    **shared: Any,
) -> Call:
    """Do what an element is there for, without the pointer where it offers that."""
    return "desktop.invoke", payload(**shared)
