"""`desktop set-value`."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.desktop.arguments import on_element
from deepseekeyes.cli.gestures import Secret, SecretName, Value, ValueEnv, ValueFile, ValueStdin, payload
from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop set-value --name Volume --value 40"


@on_element
def command(
    value: Value = None,
    value_file: ValueFile = None,
    value_env: ValueEnv = None,
    value_stdin: ValueStdin = False,
    secret_name: SecretName = None,
    secret: Secret = False,
    **shared: Any,
) -> Call:
    """Replace the text of a field or the number of a slider."""
    return "desktop.set_value", payload(
        value=value,
        value_file=value_file,
        value_env=value_env,
        value_stdin=value_stdin,
        secret_name=secret_name,
        secret=secret,
        **shared,
    )
