"""Requests that carry a text."""

from __future__ import annotations

from deepseekeyes.automation.codes import SECRET_ELSEWHERE
from deepseekeyes.automation.given import TextRequest, text_of
from deepseekeyes.automation.named import origins_of
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.requests import TargetRequest


class TypingRequest(TextRequest, TargetRequest):
    """Which element, and where the text comes from."""


def given_text(request: TypingRequest, deps: DesktopDeps) -> str:
    """The text of a request; a secret that is for certain sites is for no window.

    Raises:
        EyesError: TEXT_MISSING, TEXT_REFUSED, TEXT_FILE_UNREADABLE, TEXT_TOO_LONG, SECRET_UNKNOWN, SECRET_ELSEWHERE.
    """
    if request.secret_name is not None and origins_of(request.secret_name, deps.automation.secrets):
        raise EyesError(
            SECRET_ELSEWHERE,
            f"The secret {request.secret_name!r} is for sites, not for windows.",
            details={"dispatched": "no"},
            name=request.secret_name,
        )
    return text_of(request, deps)
