"""Options that the `browser` commands share, beside those of every gesture."""

from __future__ import annotations

from typing import Annotated

import typer

Enable = Annotated[bool, typer.Option("--enable", help="Allow browsers for this once.", show_default=False)]
Headless = Annotated[
    bool | None, typer.Option("--headless/--headed", help="Without or with a window.", show_default=False)
]
