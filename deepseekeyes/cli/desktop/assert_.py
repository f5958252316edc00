"""`desktop assert`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import about_element
from deepseekeyes.cli.gestures import payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop assert element_value_equals --role text --expected hello"


@about_element
def command(
    assertion: Annotated[str, typer.Argument(help="Such as window_exists, element_value_equals, screen_changed.")],
    expected: Annotated[str | None, typer.Option("--expected", help="What it is compared with.")] = None,
    actual: Annotated[str | None, typer.Option("--actual", help="Of a visual claim: what was seen.")] = None,
    passed: Annotated[
        bool | None, typer.Option("--passed/--failed", help="Of a visual claim: whether it holds.", show_default=False)
    ] = None,
    retry_ms: Annotated[int | None, typer.Option("--retry", min=0, metavar="MS", help="Try again so long.")] = None,
    **shared: Any,
) -> Call:
    """Say whether a claim about a window or element holds; exit 0 or 1."""
    return "desktop.assert", payload(
        assertion=assertion, expected=expected, actual=actual, passed=passed, retry_ms=retry_ms, **shared
    )
