"""`browser type`."""

from __future__ import annotations

from typing import Annotated

import typer

from deepseekeyes.cli.browser.arguments import (
    DEFAULT,
    Name,
    Nth,
    Ref,
    RequireVerified,
    Role,
    SessionName,
    State,
    WithText,
    payload,
)
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser type --name Password --value-env SITE_PASSWORD --secret"


def command(
    value: Annotated[str | None, typer.Option("--value", help="The text.")] = None,
    value_file: Annotated[
        str | None, typer.Option("--value-file", metavar="FILE", help="A file with the text.")
    ] = None,
    value_env: Annotated[
        str | None, typer.Option("--value-env", metavar="NAME", help="A variable with the text.")
    ] = None,
    value_stdin: Annotated[bool, typer.Option("--value-stdin", help="The text is on standard input.")] = False,
    secret: Annotated[bool, typer.Option("--secret", help="Never store or show it.")] = False,
    append: Annotated[bool, typer.Option("--append", help="Keep what is there.")] = False,
    submit: Annotated[bool, typer.Option("--submit", help="Press Enter afterwards.")] = False,
    ref: Ref = None,
    role: Role = None,
    name: Name = None,
    with_text: WithText = None,
    nth: Nth = None,
    state: State = None,
    session: SessionName = DEFAULT,
    require_verified: RequireVerified = False,
) -> Call:
    """Replace the text of a field, and read it back."""
    return "browser.type", payload(locals())
