"""Text that a caller gives to be typed: on the line, in a file, in a variable, on standard input, or a named secret."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NoReturn, Protocol

from pydantic import Field, StringConstraints

from deepseekeyes.automation.codes import TEXT_FILE_UNREADABLE, TEXT_MISSING, TEXT_REFUSED, TEXT_TOO_LONG
from deepseekeyes.automation.named import named
from deepseekeyes.automation.settings import MOST_TEXT_BYTES, AutomationSettings
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.core.secrets import remember

SETTING = "automation.max_text_bytes"

Source = Annotated[str, StringConstraints(min_length=1, max_length=500)]


class TextRequest(Contract):
    """Where a text comes from; exactly one of these. A secret is never given on the line."""

    value: str | None = Field(default=None, max_length=MOST_TEXT_BYTES, repr=False, description="The text.")
    value_file: Source | None = Field(default=None, description="A file that holds the text.")
    value_env: Source | None = Field(default=None, description="A variable that holds the text.")
    value_stdin: bool = Field(default=False, description="The text is on standard input.")
    secret_name: Source | None = Field(
        default=None, description="A secret of the configuration (automation.secrets) is the text; it is never shown."
    )
    secret: bool = Field(default=False, description="The text is never stored or shown.")

    @property
    def hidden(self) -> bool:
        """Whether the text is never stored or shown."""
        return self.secret or self.secret_name is not None


class Stdin(Protocol):
    """Everything on the caller's standard input; more than `limit` bytes are refused in the name of `setting`."""

    def __call__(self, limit: int, setting: str) -> bytes: ...


class Sources(Protocol):
    """What texts are read from.

    Attributes:
        stdin: the caller's standard input.
        variable: a variable of the caller's environment.
        cwd: the caller's working folder.
    """

    @property
    def automation(self) -> AutomationSettings: ...

    @property
    def stdin(self) -> Stdin: ...

    @property
    def variable(self) -> Callable[[str], str | None]: ...

    @property
    def cwd(self) -> Path: ...


def text_of(request: TextRequest, sources: Sources) -> str:
    """The text of a request; a secret is known to the redactor from here on.

    Raises:
        EyesError: TEXT_MISSING, TEXT_REFUSED, TEXT_FILE_UNREADABLE, TEXT_TOO_LONG, SECRET_UNKNOWN.
    """
    text = _read(request, sources)
    if request.hidden:
        remember(text)
    return text


def _read(request: TextRequest, sources: Sources) -> str:
    ways = (request.value, request.value_file, request.value_env, request.secret_name)
    given = [each is not None for each in ways] + [request.value_stdin]
    if sum(given) != 1:
        _refuse(TEXT_MISSING, "The text was given more than once." if any(given) else "No text was given.")
    most = sources.automation.max_text_bytes
    if request.secret_name is not None:
        return named(request.secret_name, sources.automation.secrets, sources.variable)
    if request.value is not None:
        if request.secret:
            _refuse(TEXT_REFUSED, "A secret is not given on the line.")
        return _short(request.value, most)
    if request.value_env is not None:
        found = sources.variable(request.value_env)
        if found is None:
            _refuse(TEXT_MISSING, f"The variable {request.value_env} is not set.")
        return _short(found, most)
    if request.value_stdin:
        return _text(sources.stdin(most, SETTING), most)
    return _text(_file(sources.cwd / str(request.value_file), most + 1), most)


def _file(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as trouble:
        raise EyesError(
            TEXT_FILE_UNREADABLE, f"The file cannot be read: {trouble.strerror}.", details={"dispatched": "no"}
        ) from trouble


def _text(data: bytes, most: int) -> str:
    """Text of a file or a pipe; the line end that an editor or echo put there is no part of it."""
    if len(data) > most:
        _too_long(most)
    text = data.decode("utf-8", "replace")
    return text[:-1].removesuffix("\r") if text.endswith("\n") else text


def _short(text: str, most: int) -> str:
    if len(text) > most or len(text.encode("utf-8", "replace")) > most:
        _too_long(most)
    return text


def _too_long(most: int) -> NoReturn:
    raise EyesError(
        TEXT_TOO_LONG,
        f"The text is longer than {most} bytes.",
        details={
            "dispatched": "no",
            "limit": {"name": "text bytes", "value": most, "setting": SETTING},
        },
    )


def _refuse(code: Code, sentence: str) -> NoReturn:
    raise EyesError(code, sentence, details={"dispatched": "no"})
