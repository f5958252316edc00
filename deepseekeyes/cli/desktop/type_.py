"""`desktop type`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deepseekeyes.cli.desktop.arguments import AllowFocused, on_place
from deepseekeyes.cli.gestures import Secret, SecretName, Value, ValueEnv, ValueFile, ValueStdin, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop type --app mousepad --role text --value-file note.txt"


@on_place
def command(
    value: Value = None,
    value_file: ValueFile = None,
    value_env: ValueEnv = None,
    value_stdin: ValueStdin = False,
    secret_name: SecretName = None,
    secret: Secret = False,
    submit: Annotated[bool, typer.Option("--submit", help="Press ENTER afterwards.")] = False,
    allow_focused_target: AllowFocused = False,
    **shared: Any,
) -> Call:
    """Type into one field that is proven to have the focus, and read it back."""
    return "desktop.type", payload(
        value=value,
        value_file=value_file,
        value_env=value_env,
        value_stdin=value_stdin,
        secret_name=secret_name,
        secret=secret,
        submit=submit,
        allow_focused_target=allow_focused_target,
        **shared,
    )
