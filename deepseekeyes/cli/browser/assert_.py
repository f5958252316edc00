"""`browser assert`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import about_control, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser assert text_contains --expected Saved"


@about_control
def command(
    assertion: Annotated[str, typer.Argument(help="Such as visible, checked, text_contains, url_equals.")],
    expected: Annotated[str | None, typer.Option("--expected", help="What it is compared with.")] = None,
    retry_ms: Annotated[
        int | None, typer.Option("--retry", min=0, max=120_000, metavar="MS", help="Try again so long.")
    ] = None,
    **shared: Any,
) -> Call:
    """Say whether a claim about the page holds; exit 0 or 1."""
    return "browser.assert", payload(assertion=assertion, expected=expected, retry_ms=retry_ms, **shared)
