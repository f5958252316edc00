"""`browser type`: text into a field, read back."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.automation.named import named, origins_of
from deepseekeyes.browser.codes import BROWSER_FILE_UNREADABLE, BROWSER_VALUE_MISSING, BROWSER_VALUE_REFUSED
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import Short, TargetRequest, gesture
from deepseekeyes.contracts.browser import BrowserAction
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.secrets import remember

MOST_BYTES = 1_000_000


class TypeRequest(TargetRequest):
    """Which field, and where the text comes from."""

    value: str | None = Field(default=None, max_length=MOST_BYTES, repr=False, description="The text.")
    value_file: Short | None = Field(default=None, description="A file that holds the text.")
    value_env: Short | None = Field(default=None, description="A variable that holds the text.")
    value_stdin: bool = Field(default=False, description="The text is on standard input.")
    secret_name: Short | None = Field(
        default=None, description="A secret of the configuration (automation.secrets) is the text; it is never shown."
    )
    secret: bool = Field(default=False, description="The text is never stored or shown.")
    append: bool = Field(default=False, description="Keep what is there and type after it.")
    submit: bool = Field(default=False, description="Press Enter afterwards.")


async def type_(request: TypeRequest, deps: BrowserDeps) -> BrowserAction:
    """Replace (or append to) the text of a field.

    Raises:
        EyesError: BROWSER_NOT_OPEN, BROWSER_TARGET_REQUIRED, BROWSER_VALUE_MISSING, BROWSER_VALUE_REFUSED,
            BROWSER_FILE_UNREADABLE, SECRET_UNKNOWN; refusals are in the document.
    """
    session = deps.desk.get(request.session)
    value = _value(request, deps)
    secret = request.secret or request.secret_name is not None
    if secret:
        remember(value)
    asked = gesture(
        "type",
        request,
        value=value,
        secret=secret,
        arguments={
            "value": session.run.keys.told(value),
            "secret": secret,
            **({"secret_name": request.secret_name} if request.secret_name is not None else {}),
            "append": request.append,
            "submit": request.submit,
        },
        append=request.append,
        submit=request.submit,
        only_at=None
        if request.secret_name is None
        else (request.secret_name, origins_of(request.secret_name, deps.automation.secrets)),
    )
    return await done(asked, session, deps, require_verified=request.require_verified)


def _value(request: TypeRequest, deps: BrowserDeps) -> str:
    ways = (request.value, request.value_file, request.value_env, request.secret_name)
    given = [each is not None for each in ways]
    if sum(given) + request.value_stdin != 1:
        sentence = "Nothing to type was given." if not any(given) else "The text was given more than once."
        raise EyesError(BROWSER_VALUE_MISSING, sentence, details={"dispatched": "no"})
    if request.secret_name is not None:
        return named(request.secret_name, deps.automation.secrets, deps.variable)
    if request.value is not None:
        if request.secret:
            raise EyesError(BROWSER_VALUE_REFUSED, "A secret is not given on the line.", details={"dispatched": "no"})
        return request.value
    if request.value_env is not None:
        found = deps.variable(request.value_env)
        if found is None:
            raise EyesError(
                BROWSER_VALUE_MISSING, f"The variable {request.value_env} is not set.", details={"dispatched": "no"}
            )
        return found
    if request.value_stdin:
        return _text(deps.stdin(MOST_BYTES))
    try:
        return _text((deps.cwd / str(request.value_file)).read_bytes()[:MOST_BYTES])
    except OSError as trouble:
        raise EyesError(
            BROWSER_FILE_UNREADABLE, f"The file cannot be read: {trouble.strerror}.", details={"dispatched": "no"}
        ) from trouble


def _text(data: bytes) -> str:
    """Text of a file or a pipe; the line end that an editor or echo put there is no part of it."""
    text = data.decode("utf-8", "replace")
    return text[:-1].removesuffix("\r") if text.endswith("\n") else text
