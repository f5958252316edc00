"""Run a parsed command and print what came of it."""

from __future__ import annotations

import gc
import os
from typing import TYPE_CHECKING, Any

from deepseekeyes.cli.emit import emit, json_line, write_stderr, write_stdout
from deepseekeyes.cli.exits import exit_code
from deepseekeyes.cli.plain import plain
from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from deepseekeyes.cli.options import Globals
    from deepseekeyes.wiring.app import App


def perform(operation: str, payload: dict[str, Any], options: Globals, *, as_json: bool) -> int:
    """Dispatch one operation and emit its document.

    Returns:
        The exit code.
    """
    gc.freeze()
    gc.enable()
    from deepseekeyes.cli.doors import DOORS, run_door

    if operation in DOORS:
        return run_door(operation, payload, options, as_json=as_json)
    if in_session(operation):
        return _in_session(operation, payload, options, as_json=as_json)
    from deepseekeyes.cli.door import CommandLine
    from deepseekeyes.core.eventloop import run
    from deepseekeyes.dispatch import dispatch
    from deepseekeyes.wiring.app import App

    door = CommandLine(options, as_json=as_json)
    app = App.open(door=door, environ=os.environ, home=options.home, config=options.config)
    if not as_json and options.output is None:
        as_json = door.as_json = _prefers_json(app)
    try:
        document = run(dispatch(operation, payload, app))
    except EyesError as failed:
        carried: dict[str, Any] | None = getattr(failed, "document", None)
        if carried is None:
            raise
        return _pass_on(failed, carried, options, as_json=as_json)
    finally:
        door.finish()
        app.close()
    emit(document, options, as_json=as_json, streamed=door.streamed)
    return exit_code(document)


def in_session(operation: str) -> bool:
    """Whether an operation belongs to a live session and runs in its host."""
    from deepseekeyes.operations import OPERATIONS

    row = OPERATIONS.get(operation)
    return row is not None and row.scope == "session"


def _in_session(operation: str, payload: dict[str, Any], options: Globals, *, as_json: bool) -> int:
    """A line to the host and its document; neither configuration nor contracts are read for it."""
    from deepseekeyes.cli.sessions import perform_in_session

    try:
        return perform_in_session(operation, payload, options, as_json=as_json)
    except EyesError as failed:
        carried: dict[str, Any] | None = getattr(failed, "document", None)
        if carried is None:
            raise
        return _pass_on(failed, carried, options, as_json=as_json)


def _prefers_json(app: App) -> bool:
    """What `[output] format` says for a terminal; a broken configuration is reported by the operation itself."""
    try:
        return app.settings.output.format == "json"
    except EyesError:
        return False


def _pass_on(failed: EyesError, document: dict[str, Any], options: Globals, *, as_json: bool) -> int:
    """A failed command fed us: print its document again, unchanged, and exit as it did."""
    if as_json:
        write_stdout(json_line(document, pretty=options.pretty))
    write_stderr(f"error: {plain(failed.message)}")
    if failed.hint and not options.quiet:
        write_stderr(f"hint: {plain(failed.hint)}")
    return failed.exit_code
