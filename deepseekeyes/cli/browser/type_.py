"""`browser type`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import on_control, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser type --name Password --value-env SITE_PASSWORD --secret"


@on_control
def command(
    value: Annotated[str | None, typer.Option("--value", help="The text.")] = None,
    value_file: Annotated[
        str | None, typer.Option("--value-file", metavar="FILE", help="A file with the text.")
    ] = None,
    value_env: Annotated[
        str | None, typer.Option("--value-env", metavar="NAME", help="A variable with the text.")
    ] = None,
    value_stdin: Annotated[bool, typer.Option("--value-stdin", help="The text is on standard input.")] = False,
    secret_name: Annotated[
        str | None, typer.Option("--secret-name", metavar="NAME", help="A secret of automation.secrets is the text.")
    ] = None,
    secret: Annotated[bool, typer.Option("--secret", help="Never store or show it.")] = False,
    append: Annotated[bool, typer.Option("--append", help="Keep what is there.")] = False,
    submit: Annotated[bool, typer.Option("--submit", help="Press Enter afterwards.")] = False,
    **shared: Any,
) -> Call:
    """Replace the text of a field, and read it back."""
    return "browser.type", payload(
        value=value,
        value_file=value_file,
        value_env=value_env,
        value_stdin=value_stdin,
        secret_name=secret_name,
        secret=secret,
        append=append,
        submit=submit,
        **shared,
    )
