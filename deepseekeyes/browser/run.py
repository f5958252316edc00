"""`browser run`: a script of steps in one process, with the documents that single commands give."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import Any, Final

from pydantic import Field, ValidationError

from deepseekeyes.automation.codes import SCRIPT_INVALID
from deepseekeyes.automation.script import ScriptStep, script
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.gate import allowed
from deepseekeyes.browser.report import reported
from deepseekeyes.browser.requests import SessionRequest
from deepseekeyes.contracts.browser import BrowserScriptRun
from deepseekeyes.contracts.document import Document
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed

VERBS: Final[Mapping[str, str]] = {
    "open": "open_",
    "type": "type_",
    "assert": "assert_",
    **{
        name: name
        for name in [
            "observe",
            "click",
            "press",
            "select",
            "check",
            "uncheck",
            "hover",
            "drag",
            "scroll",
            "upload",
            "wait",
            "dialog",
            "pages",
            "back",
            "forward",
            "reload",
            "screenshot",
            "report",
        ]
    },
}


class RunRequest(SessionRequest):
    """The script."""

    steps: str = Field(min_length=1, max_length=4_000, description="File of steps, one object a line; - for a pipe.")
    enable: bool = Field(default=False, description="Allow browsers for this run.")
    keep_going: bool = Field(default=False, description="Go on after a step that failed.")
    headless: bool | None = Field(default=None, description="Without a window; as configured when absent.")


async def run(request: RunRequest, deps: BrowserDeps) -> BrowserScriptRun:
    """Run every step, stop at the first that fails, write the report, close the browser.

    Raises:
        EyesError: BROWSER_DISABLED, SCRIPT_INVALID, SCRIPT_TOO_LONG, YAML_MISSING before anything is started.
    """
    allowed(deps.settings, enable=request.enable)
    rows = script(request.steps, deps, VERBS)
    await loop_needed()
    documents: list[dict[str, Any]] = []
    passed, error, state = True, None, None
    try:
        for step in rows:
            made, failed = await _step(step, state, request, deps)
            documents.append(made)
            state = made.get("stateId") or state
            good = failed is None and made.get("passed") is not False
            passed = passed and good
            error = error or failed
            if not good and not request.keep_going:
                break
        report = _report(request, deps)
    finally:
        await deps.desk.end(request.session)
    return BrowserScriptRun(
        passed=passed, total=len(rows), done=len(documents), steps=tuple(documents), report=report, error=error
    )


async def _step(
    step: ScriptStep, state: str | None, request: RunRequest, deps: BrowserDeps
) -> tuple[dict[str, Any], ErrorBody | None]:
    """One step's document without its whole state, and its failure."""
    action, given = step.action, step.given(state)
    given["session"] = request.session
    if action == "open":
        given.setdefault("enable", True)
        given.setdefault("headless", request.headless)
    try:
        document = await _performed(step, given, deps)
    except EyesError as failed:
        body = ErrorBody.of(failed)
        return {"action": action, "error": body.model_dump(mode="json", by_alias=True)}, body
    made = document.to_json()
    for heavy in ("state", "elements", "text", "diagnostics", "steps"):
        made.pop(heavy, None)
    return {**made, "action": action}, document.failure()


async def _performed(step: ScriptStep, given: dict[str, Any], deps: BrowserDeps) -> Document:
    module = import_module(f"deepseekeyes.browser.{VERBS[step.action]}")
    verb: Callable[[Any, BrowserDeps], Awaitable[Document]] = getattr(module, VERBS[step.action])
    model = getattr(module, f"{step.action.capitalize()}Request")
    try:
        asked = model.model_validate(given)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise EyesError(SCRIPT_INVALID, f"Step {step.number}, {place}: {first['msg']}.") from None
    return await verb(asked, deps)


def _report(request: RunRequest, deps: BrowserDeps) -> str | None:
    session = deps.desk.find(request.session)
    return None if session is None else reported(session, deps).page
