"""`browser run`: a script of steps in one process, with the documents that single commands give."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import Any, Final

from pydantic import Field, ValidationError

from deepseekeyes.browser.codes import BROWSER_SCRIPT_INVALID
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.gate import allowed
from deepseekeyes.browser.report import reported
from deepseekeyes.browser.requests import SessionRequest
from deepseekeyes.contracts.browser import BrowserScriptRun
from deepseekeyes.contracts.document import Document
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.core.names import nearest

MOST_BYTES = 4_000_000
NEWEST = "newest"

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
        EyesError: BROWSER_DISABLED, BROWSER_SCRIPT_INVALID before anything is started.
    """
    allowed(deps.settings, enable=request.enable)
    steps = parsed(_content(request.steps, deps), deps.automation.script_steps)
    await loop_needed()
    documents: list[dict[str, Any]] = []
    passed, error, state = True, None, None
    try:
        for number, step in enumerate(steps, 1):
            made, failed = await _step(number, step, state, request, deps)
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
        passed=passed, total=len(steps), done=len(documents), steps=tuple(documents), report=report, error=error
    )


def parsed(content: str, most: int) -> list[dict[str, Any]]:
    """Steps of a script: one JSON object a line, or one JSON list, or a YAML list.

    Raises:
        EyesError: BROWSER_SCRIPT_INVALID with the line.
    """
    rows = _listed(content)
    if not 1 <= len(rows) <= most:
        raise EyesError(BROWSER_SCRIPT_INVALID, f"A script has 1 to {most} steps; this one has {len(rows)}.")
    for number, row in enumerate(rows, 1):
        action = row.get("action") if isinstance(row, dict) else None
        if not isinstance(action, str):
            raise EyesError(BROWSER_SCRIPT_INVALID, f"Step {number} names no action.")
        if action.lower().replace("_", "-") not in VERBS:
            meant = nearest(action, list(VERBS))
            raise EyesError(
                BROWSER_SCRIPT_INVALID,
                f"Step {number}: there is no action {action[:40]!r}" + (f"; did you mean {meant}?" if meant else "."),
                details={"candidates": list(VERBS)},
            )
    return rows


def _listed(content: str) -> list[Any]:
    text = content.strip()
    if text.startswith("["):
        return list(_json(text, 1))
    if text.startswith("{"):
        lines = [(number, line) for number, line in enumerate(content.splitlines(), 1) if line.strip()]
        return [_json(line, number) for number, line in lines if not line.lstrip().startswith("#")]
    try:
        yaml = import_module("yaml")
    except ImportError:
        raise EyesError(BROWSER_SCRIPT_INVALID, "The script is not JSON, and YAML is not installed here.") from None
    try:
        found = yaml.safe_load(content)
    except yaml.YAMLError:
        found = None
    if not isinstance(found, list):
        raise EyesError(BROWSER_SCRIPT_INVALID, "The script is neither JSON lines nor a list of steps.")
    return found


def _json(text: str, number: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise EyesError(BROWSER_SCRIPT_INVALID, f"Line {number} is not JSON.") from None


def _content(named: str, deps: BrowserDeps) -> str:
    try:
        data = deps.stdin(MOST_BYTES) if named == "-" else (deps.cwd / named).read_bytes()[:MOST_BYTES]
    except OSError as trouble:
        raise EyesError(BROWSER_SCRIPT_INVALID, f"The script cannot be read: {trouble.strerror}.") from trouble
    return data.decode("utf-8", "replace")


async def _step(
    number: int, step: Mapping[str, Any], state: str | None, request: RunRequest, deps: BrowserDeps
) -> tuple[dict[str, Any], ErrorBody | None]:
    """One step's document without its whole state, and its failure."""
    action = str(step["action"]).lower().replace("_", "-")
    given = {key: value for key, value in step.items() if key not in ("action", "comment")}
    if given.get("state") == NEWEST:
        given["state"] = state
    given["session"] = request.session
    if action == "open":
        given.setdefault("enable", True)
        given.setdefault("headless", request.headless)
    try:
        document = await _performed(action, number, given, deps)
    except EyesError as failed:
        body = ErrorBody.of(failed)
        return {"action": action, "error": body.model_dump(mode="json", by_alias=True)}, body
    made = document.to_json()
    for heavy in ("state", "elements", "text", "diagnostics", "steps"):
        made.pop(heavy, None)
    return {**made, "action": action}, document.failure()


async def _performed(action: str, number: int, given: dict[str, Any], deps: BrowserDeps) -> Document:
    module = import_module(f"deepseekeyes.browser.{VERBS[action]}")
    verb: Callable[[Any, BrowserDeps], Awaitable[Document]] = getattr(module, VERBS[action])
    model = getattr(module, f"{action.capitalize()}Request")
    try:
        asked = model.model_validate(given)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise EyesError(BROWSER_SCRIPT_INVALID, f"Step {number}, {place}: {first['msg']}.") from None
    return await verb(asked, deps)


def _report(request: RunRequest, deps: BrowserDeps) -> str | None:
    session = deps.desk.find(request.session)
    return None if session is None else reported(session, deps).page
