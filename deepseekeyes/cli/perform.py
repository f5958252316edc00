"""Run a parsed command and print what came of it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from deepseekeyes.cli.emit import emit, json_line, write_stdout
from deepseekeyes.cli.exits import exit_code
from deepseekeyes.core.errors import EXIT_CODES

if TYPE_CHECKING:
    from deepseekeyes.cli.options import Globals


def perform(operation: str, payload: dict[str, Any], options: Globals, *, as_json: bool) -> int:
    """Dispatch one operation and emit its document.

    Returns:
        The exit code.
    """
    from deepseekeyes.cli.door import CommandLine
    from deepseekeyes.core.eventloop import run
    from deepseekeyes.core.passthrough import FailedInput
    from deepseekeyes.dispatch import dispatch
    from deepseekeyes.wiring.app import App

    door = CommandLine(options, as_json=as_json)
    app = App.open(door=door, environ=os.environ, home=options.home, config=options.config, flags={})
    try:
        document = run(dispatch(operation, payload, app))
    except FailedInput as failed:
        return _pass_on(failed, options, as_json=as_json)
    finally:
        door.finish()
        app.close()
    emit(document, options, as_json=as_json)
    return exit_code(document)


def _pass_on(failed: Any, options: Globals, *, as_json: bool) -> int:
    """A failed command fed us: print its document again, unchanged, and exit as it did."""
    error = failed.document["error"]
    if as_json:
        write_stdout(failed.text or json_line(failed.document, pretty=options.pretty))
    sys.stderr.write(f"error: the input is a failed command's document: {error.get('code')}\n")
    return EXIT_CODES.get(error.get("kind"), EXIT_CODES["input"])
