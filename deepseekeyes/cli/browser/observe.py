"""`browser observe`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import in_session, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser observe --role button"


@in_session
def command(
    find: Annotated[str | None, typer.Option("--find", metavar="TEXT", help="Only what holds this.")] = None,
    role: Annotated[str | None, typer.Option("--role", help="Only controls of this role.")] = None,
    subtree: Annotated[str | None, typer.Option("--subtree", metavar="REF", help="Only inside this element.")] = None,
    start: Annotated[int | None, typer.Option("--start", min=0, help="Pass over so many controls.")] = None,
    most: Annotated[int | None, typer.Option("--most", min=1, max=2_000, help="Show at most so many controls.")] = None,
    text_start: Annotated[int | None, typer.Option("--text-start", min=0, help="Pass over so many characters.")] = None,
    **shared: Any,
) -> Call:
    """Look at the active page: url, text, controls, dialogs, pages, screenshot."""
    return "browser.observe", payload(
        find=find, role=role, subtree=subtree, start=start, most=most, text_start=text_start, **shared
    )
