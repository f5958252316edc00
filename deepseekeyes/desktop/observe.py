"""`desktop observe`: look on purpose, at the desktop or at one window."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.automation.choosing import Locator
from deepseekeyes.automation.perform import beginning, look
from deepseekeyes.contracts.desktop import DesktopObservation
from deepseekeyes.desktop.codes import DESKTOP_ARGUMENT_INVALID
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.desk import opened
from deepseekeyes.desktop.looking import Wanted
from deepseekeyes.desktop.replies import observation
from deepseekeyes.desktop.requests import Short, WindowRequest, refused
from deepseekeyes.desktop.scoping import look_at


class ObserveRequest(WindowRequest):
    """What is looked at, and which part of it is shown."""

    scope: Literal["desktop", "window"] | None = Field(
        default=None, description="The whole desktop, or one window: the active one when none is named."
    )
    screenshot: bool | None = Field(default=None, description="Show the pixels, or do not; by policy when absent.")
    role: Short | None = Field(default=None, description="Elements of one role.")
    find: Short | None = Field(default=None, description="Elements whose name or value holds this.")


async def observe(request: ObserveRequest, deps: DesktopDeps) -> DesktopObservation:
    """Look at the desktop, or at one window with its elements.

    Raises:
        EyesError: DESKTOP_DISABLED, DESKTOP_WINDOW_GONE, DESKTOP_NO_MATCH, DESKTOP_WINDOW_REF_NOT_FOUND,
            DESKTOP_WINDOW_NOT_VIEWABLE, DESKTOP_APPLICATION_DENIED, DESKTOP_SCREENSHOT_MISSING.
    """
    named = any((request.window, request.app, request.title))
    if request.scope == "desktop" and named:
        raise refused(DESKTOP_ARGUMENT_INVALID, "The whole desktop and one window were asked for.")
    async with opened(request.session, deps, enable=request.enable, starts=True) as desk:
        told = {"scope": request.scope, "window": request.window, "app": request.app, "title": request.title}
        arguments = {key: value for key, value in told.items() if value is not None}
        if request.scope == "desktop" or (request.scope is None and not named):
            desk.surface.wanted = Wanted()
        else:
            async with beginning(desk.run, action="observe", arguments=arguments):
                await look_at(desk, request, strict=True, active=True)
        performed = await look(desk.surface, desk.run, arguments=arguments)
        assert performed.seen is not None
        narrow = request.role is not None or request.find is not None
        return observation(
            performed.seen,
            desk,
            action="observe",
            asked=request.screenshot,
            delta=performed.delta,
            only=Locator(role=request.role, text=request.find) if narrow else None,
        )
