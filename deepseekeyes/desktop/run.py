"""`desktop run`: a script of steps in one process, with the documents that single commands give."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import Any, Final

from pydantic import Field, ValidationError

from deepseekeyes.automation.codes import SCRIPT_INVALID
from deepseekeyes.automation.script import ScriptStep, script
from deepseekeyes.contracts.desktop import DesktopScriptRun
from deepseekeyes.contracts.document import Document
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.closing import close_stored
from deepseekeyes.desktop.codes import DESKTOP_SESSION_CLOSED
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import VERSION, document, stored_run
from deepseekeyes.desktop.gate import allowed
from deepseekeyes.desktop.report import reported
from deepseekeyes.desktop.requests import SessionRequest

HEAVY = ("state", "elements", "windows", "monitors", "steps")

VERBS: Final[Mapping[str, str]] = {
    **{name: name.replace("-", "_") for name in (
        "observe", "windows", "click", "double-click", "right-click", "move", "drag", "set-value", "invoke", "perform",
        "key", "scroll", "launch", "focus", "move-window", "resize-window", "close-window", "wait", "screenshot",
        "report",
    )},
    "type": "type_",
    "assert": "assert_",
    "move-cursor": "move",
    "press": "key",
    "perform-action": "perform",
}  # fmt: skip
"""Words of the command line, and what others call the same."""


class RunRequest(SessionRequest):
    """The script."""

    steps: str = Field(min_length=1, max_length=4_000, description="File of steps, one object a line; - for a pipe.")
    keep_going: bool = Field(default=False, description="Go on after a step that failed.")
    keep_open: bool = Field(default=False, description="Leave the session open afterwards.")
    allow_launch: bool = Field(default=False, description="Allow the programs that the script launches, for this run.")


async def run(request: RunRequest, deps: DesktopDeps) -> DesktopScriptRun:
    """Run every step, stop at the first that fails, write the report, close the session.

    Raises:
        EyesError: DESKTOP_DISABLED, SCRIPT_INVALID, SCRIPT_TOO_LONG before anything is done.
    """
    allowed(deps.settings, enable=request.enable)
    rows = script(request.steps, deps, VERBS)
    documents: list[dict[str, Any]] = []
    passed, error, state = True, None, None
    report: str | None = None
    before = _closed_run(request, deps)
    try:
        for step in rows:
            made, failed = await _step(step, state, request, deps)
            failed = failed or _stopped(before, request, deps)
            documents.append(made)
            state = made.get("stateId") or state
            good = failed is None and made.get("passed") is not False
            passed, error = passed and good, error or failed
            closed = failed is not None and failed.code == DESKTOP_SESSION_CLOSED.name
            if closed or (not good and not request.keep_going):
                break
        report = _report(request, deps)
    finally:
        if not request.keep_open:
            close_stored(request.session, deps)
    return DesktopScriptRun(
        passed=passed, total=len(rows), done=len(documents), steps=tuple(documents), report=report, error=error
    )


def _closed_run(request: RunRequest, deps: DesktopDeps) -> str | None:
    """Id of the session's run when that is closed."""
    found = deps.sessions.load(document(request.session), VERSION)
    return str(found["run"]["runId"]) if found and found["run"]["closedAt"] is not None else None


def _stopped(before: str | None, request: RunRequest, deps: DesktopDeps) -> ErrorBody | None:
    """The session was closed by somebody else while the script ran; no step begins another one."""
    if _closed_run(request, deps) in (None, before):
        return None
    return ErrorBody.of(EyesError(DESKTOP_SESSION_CLOSED, "The session was closed while the script ran."))


async def _step(
    step: ScriptStep, state: str | None, request: RunRequest, deps: DesktopDeps
) -> tuple[dict[str, Any], ErrorBody | None]:
    """One step's document without its whole state, and its failure."""
    given = step.given(state)
    given["session"] = request.session
    if step.action != "report":
        given.setdefault("enable", True)
    if step.action == "launch":
        given.setdefault("allow_launch", request.allow_launch)
    try:
        made = await _performed(step, given, deps)
    except EyesError as failed:
        body = ErrorBody.of(failed)
        return {"action": step.action, "error": body.model_dump(mode="json", by_alias=True)}, body
    found = made.to_json()
    for heavy in HEAVY:
        found.pop(heavy, None)
    return {**found, "action": step.action}, made.failure()


async def _performed(step: ScriptStep, given: dict[str, Any], deps: DesktopDeps) -> Document:
    name = VERBS[step.action]
    module = import_module(f"deepseekeyes.desktop.{name}")
    verb: Callable[[Any, DesktopDeps], Awaitable[Document]] = getattr(module, name)
    model = getattr(module, "".join(part.capitalize() for part in name.strip("_").split("_")) + "Request")
    try:
        asked = model.model_validate(given)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise EyesError(SCRIPT_INVALID, f"Step {step.number}, {place}: {first['msg']}.") from None
    return await verb(asked, deps)


def _report(request: RunRequest, deps: DesktopDeps) -> str | None:
    found = deps.sessions.load(document(request.session), VERSION)
    return None if not found else reported(stored_run(found, deps), deps).page
