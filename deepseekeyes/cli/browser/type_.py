"""`browser type`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.gestures import Secret, SecretName, Value, ValueEnv, ValueFile, ValueStdin, on_control, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes browser type --name Password --value-env SITE_PASSWORD --secret"


@on_control
def command(
    value: Value = None,
    value_file: ValueFile = None,
    value_env: ValueEnv = None,
    value_stdin: ValueStdin = False,
    secret_name: SecretName = None,
    secret: Secret = False,
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
