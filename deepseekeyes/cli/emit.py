"""Documents out: one JSON document a command on standard output, text for people on a terminal."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from deepseekeyes.cli.options import Globals
    from deepseekeyes.contracts.document import Document
    from deepseekeyes.contracts.stored import StoredRecord

CLOSED_PIPE = 141


class PipeClosed(Exception):  # noqa: N818 - not a failure
    """The reader of our standard output went away."""


def write_stdout(text: str) -> None:
    """Write and flush UTF-8 text, whatever the locale.

    Raises:
        PipeClosed: the reader has gone.
        EyesError: OUTPUT_FAILED when the output cannot be written (a full disk).
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:
            sys.stdout.write(text)
        else:
            sys.stdout.flush()
            buffer.write(data)
        sys.stdout.flush()
    except BrokenPipeError as gone:
        raise PipeClosed from gone
    except OSError as trouble:
        from deepseekeyes.cli.codes import OUTPUT_FAILED

        raise EyesError(OUTPUT_FAILED, f"The output could not be written: {trouble.strerror}.") from trouble


def write_stderr(text: str) -> None:
    """A line for people; a closed standard error is no failure."""
    try:
        sys.stderr.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return


def json_line(document: dict[str, Any], *, pretty: bool) -> str:
    """One document as JSON text with its newline. Lone surrogates are escaped, so the bytes are always UTF-8."""
    style: dict[str, Any] = {"indent": 2} if pretty else {"separators": (",", ":")}
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, **style)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document, ensure_ascii=True, allow_nan=False, **style)
    return text + "\n"


def emit(document: Document | StoredRecord, options: Globals, *, as_json: bool, streamed: bool = False) -> None:
    """Print a result document; `streamed` says that the words of an answer are on the screen already."""
    if as_json:
        write_stdout(json_line(document.to_json(), pretty=options.pretty))
        return
    from deepseekeyes.cli.render import render
    from deepseekeyes.contracts.stored import parsed

    render(parsed(document), streamed=streamed)


def emit_error(error: EyesError, options: Globals, *, as_json: bool) -> None:
    """Print a failure: a sentence and a hint on standard error, in JSON mode the error document on standard output."""
    from deepseekeyes.cli.plain import plain

    write_stderr(f"error: {plain(error.message)}")
    if error.hint and not options.quiet:
        write_stderr(f"hint: {plain(error.hint)}")
    if as_json:
        from deepseekeyes.contracts.document import ErrorDocument
        from deepseekeyes.contracts.error import ErrorBody

        write_stdout(json_line(ErrorDocument(error=ErrorBody.of(error)).to_json(), pretty=options.pretty))
