"""`desktop launch`: start a program."""

from __future__ import annotations

import hashlib

from pydantic import Field

from deepseekeyes.automation.surface import Gesture
from deepseekeyes.contracts.desktop import DesktopAction
from deepseekeyes.core.canonical import compact
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened, permitted
from deepseekeyes.desktop.replies import done
from deepseekeyes.desktop.requests import ActionRequest, Doing, Short
from deepseekeyes.desktop.safety import check_launch


class LaunchRequest(ActionRequest):
    """Which program, with which arguments."""

    program: Short = Field(description="Name on the PATH, or a whole path.")
    arguments: tuple[str, ...] = Field(default=(), max_length=200, repr=False, description="Arguments of the program.")
    allow_launch: bool = Field(default=False, description="Allow this program for this once.")
    wait_ms: int = Field(default=15_000, ge=0, le=120_000, description="Milliseconds to wait for its first window.")


async def launch(request: LaunchRequest, deps: DesktopDeps) -> DesktopAction:
    """Start an allowed program without a shell, and look at its first window.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_LAUNCH_DENIED, DESKTOP_APPLICATION_DENIED; what the system says is in the
            document.
    """
    permitted(request.session, deps, enable=request.enable)
    check_launch(request.program, deps.settings, allow=request.allow_launch)
    asked = Gesture(
        "launch",
        needs="nothing",
        state_id=request.state,
        arguments={"program": request.program, **told_arguments(request.arguments)},
        request=Doing(value=request.program, more={"arguments": request.arguments, "wait_ms": request.wait_ms}),
    )
    async with opened(request.session, deps, enable=request.enable, starts=True) as desk:
        return await done(asked, desk, request)


def told_arguments(arguments: tuple[str, ...]) -> dict[str, object]:
    """What a log keeps of a program's arguments: how many, and a digest."""
    digest = hashlib.sha256(compact(list(arguments)).encode("utf-8", "surrogatepass")).hexdigest()
    return {"argumentCount": len(arguments), "argumentsSha256": digest}
