"""Requests that carry a text."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.automation.given import MOST_BYTES, Given, text_of
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.requests import Short, TargetRequest


class TextRequest(TargetRequest):
    """Where the text comes from."""

    value: str | None = Field(default=None, max_length=MOST_BYTES, repr=False, description="The text.")
    value_file: Short | None = Field(default=None, description="A file that holds the text.")
    value_env: Short | None = Field(default=None, description="A variable that holds the text.")
    value_stdin: bool = Field(default=False, description="The text is on standard input.")
    secret: bool = Field(default=False, description="The text is never stored or shown.")


def given_text(request: TextRequest, deps: DesktopDeps) -> str:
    """The text of a request.

    Raises:
        EyesError: TEXT_MISSING, TEXT_REFUSED, TEXT_FILE_UNREADABLE.
    """
    given = Given(request.value, request.value_file, request.value_env, request.value_stdin, request.secret)
    return text_of(given, stdin=deps.stdin, variable=deps.variable, cwd=deps.cwd)
