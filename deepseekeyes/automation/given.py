"""Text that a caller gives to be typed: on the line, in a file, in a variable or on standard input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from deepseekeyes.automation.codes import TEXT_FILE_UNREADABLE, TEXT_MISSING, TEXT_REFUSED
from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.core.secrets import remember

MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Given:
    """Where a text comes from; exactly one of them. A secret is never given on the line."""

    value: str | None = field(default=None, repr=False)
    file: str | None = None
    variable: str | None = None
    stdin: bool = False
    secret: bool = False


def text_of(given: Given, *, stdin: Callable[[int], bytes], variable: Callable[[str], str | None], cwd: Path) -> str:
    """The text; a secret is known to the redactor from here on.

    Args:
        stdin: reads the caller's standard input, at most so many bytes.
        variable: a variable of the caller's environment.
        cwd: the caller's working folder.

    Raises:
        EyesError: TEXT_MISSING, TEXT_REFUSED, TEXT_FILE_UNREADABLE.
    """
    text = _read(given, stdin, variable, cwd)
    if given.secret:
        remember(text)
    return text


def _read(given: Given, stdin: Callable[[int], bytes], variable: Callable[[str], str | None], cwd: Path) -> str:
    sources = [given.value is not None, given.file is not None, given.variable is not None, given.stdin]
    if sum(sources) != 1:
        raise _refused(TEXT_MISSING, "No text was given." if not any(sources) else "The text was given more than once.")
    if given.value is not None:
        if given.secret:
            raise _refused(TEXT_REFUSED, "A secret is not given on the line.")
        return given.value
    if given.variable is not None:
        found = variable(given.variable)
        if found is None:
            raise _refused(TEXT_MISSING, f"The variable {given.variable} is not set.")
        return found
    if given.stdin:
        return _text(stdin(MOST_BYTES))
    try:
        with (cwd / str(given.file)).open("rb") as file:
            return _text(file.read(MOST_BYTES))
    except OSError as trouble:
        raise _refused(TEXT_FILE_UNREADABLE, f"The file cannot be read: {trouble.strerror}.") from trouble


def _text(data: bytes) -> str:
    """Text of a file or a pipe; the line end that an editor or echo put there is no part of it."""
    text = data.decode("utf-8", "replace")
    return text[:-1].removesuffix("\r") if text.endswith("\n") else text


def _refused(code: Code, sentence: str) -> EyesError:
    return EyesError(code, sentence, details={"dispatched": "no"})
