"""The console script: parse the line, dispatch the operation, emit its document, exit by the table."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, Any

from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deepseekeyes.cli.options import Globals

INTERRUPT = 130
"""For an interrupt while the program is still coming up, or while it says that it was interrupted."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command line and exit the process.

    Until the operation starts nothing is collected: what is imported stays, and looking through it again and again
    takes a tenth of a short command's time (mypy and others do the same).
    """
    gc.disable()
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        from deepseekeyes.cli.streams import hold_streams

        hold_streams()
    try:
        code = run(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        code = INTERRUPT
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command line.

    Returns:
        The exit code of CLI tables: every failure ends up here as a code, never as a traceback.
    """
    from deepseekeyes.cli.emit import CLOSED_PIPE, PipeClosed
    from deepseekeyes.cli.options import guess

    options = guess(arguments)
    try:
        try:
            return _command(arguments, options)
        except EyesError as error:
            return _failed(error, options)
        except KeyboardInterrupt:
            from deepseekeyes.cli.codes import INTERRUPTED

            return _failed(EyesError(INTERRUPTED, "Interrupted."), options)
        except PipeClosed:
            raise
        except Exception as bug:  # noqa: BLE001 - the one place where a bug becomes an exit code
            from deepseekeyes.core.crash import internal

            return _failed(internal(bug, options.home), options)
    except PipeClosed:
        _silence_stdout()
        return CLOSED_PIPE


def _command(arguments: list[str], options: Globals) -> int:
    from deepseekeyes.cli.parse import parse

    parsed = parse(arguments, options)
    if isinstance(parsed, int):
        return parsed
    from deepseekeyes.cli.perform import perform

    return perform(*parsed, options, as_json=_as_json(options))


def _as_json(options: Globals) -> bool:
    return options.json_wanted(os.environ, terminal=sys.stdout.isatty())


def _failed(error: EyesError, options: Globals) -> int:
    from deepseekeyes.cli.codes import OUTPUT_FAILED
    from deepseekeyes.cli.emit import emit_error

    if error.code is OUTPUT_FAILED:
        _silence_stdout()
    try:
        emit_error(error, options, as_json=_as_json(options))
    except EyesError:
        _silence_stdout()
    return error.exit_code


def _silence_stdout() -> None:
    """Point standard output at nothing, so that the interpreter's last flush does not complain."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


def entry() -> Any:
    """The parsed command tree, for shell completion and the command reference."""
    from deepseekeyes.cli.parse import tree

    return tree()
