"""What the requests of the desktop operations share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from deepseekeyes.automation.choosing import Locator
from deepseekeyes.automation.surface import Gesture, Needs
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.desktop.codes import DESKTOP_ARGUMENT_INVALID, DESKTOP_TARGET_REQUIRED, DESKTOP_WINDOW_REQUIRED

Short = Annotated[str, StringConstraints(min_length=1, max_length=500)]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$")]


@dataclass(frozen=True, slots=True)
class Doing:
    """What a gesture needs to be carried out; never logged.

    Attributes:
        ref, locator, point: the element, or a pixel of the newest screenshot; at most one of them.
        window, app, title: the window, by ref or by what it is called.
        end, end_ref: where a drag ends.
        value: text, key or action.
        focused: whether whatever has the focus may be meant.
        more: the rest, by name.
    """

    ref: str | None = None
    locator: Locator | None = None
    point: tuple[float, float] | None = None
    window: str | None = None
    app: str | None = None
    title: str | None = None
    end: tuple[float, float] | None = None
    end_ref: str | None = None
    value: str = field(default="", repr=False)
    secret: bool = False
    focused: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)


class SessionRequest(Contract):
    """Which session."""

    session: Name = Field(
        default="default", description="a session's name: up to 64 letters, digits, .-_ without a dot in front"
    )
    enable: bool = Field(default=False, description="Allow desktop commands in this session.")


class WindowRequest(SessionRequest):
    """Which window, by ref or by name."""

    window: Short | None = Field(default=None, description="Ref of a window in the newest state; needs state.")
    app: Short | None = Field(default=None, description="Program whose window is meant.")
    title: Short | None = Field(default=None, description="Title of the window, or a part of it.")


class ActionRequest(WindowRequest):
    """What every action takes."""

    state: Short | None = Field(default=None, description="stateId of the newest document.")
    screenshot: bool | None = Field(default=None, description="Show the pixels, or do not; by policy when absent.")
    plan: bool = Field(default=False, description="Say what would be done and to what; do nothing.")
    require_verified: bool = Field(default=False, description="Count an effect that was not seen as a no.")


class TargetRequest(ActionRequest):
    """An action on one element or point."""

    ref: Short | None = Field(default=None, description="Ref of the element in the newest state; needs state.")
    role: Short | None = Field(default=None, description="Role of the element, such as push_button.")
    name: Short | None = Field(default=None, description="Name of the element.")
    with_text: Short | None = Field(default=None, description="A part of the element's name or value.")
    nth: int | None = Field(default=None, ge=1, le=5_000, description="Which of several, from 1.")
    x: float | None = Field(
        default=None, ge=0, le=100_000, description="Pixel of the newest screenshot, from the left."
    )
    y: float | None = Field(default=None, ge=0, le=100_000, description="Pixel of the newest screenshot, from the top.")

    @property
    def locator(self) -> Locator | None:
        """What the element is called by; None when nothing was said."""
        if self.role is None and self.name is None and self.with_text is None:
            return None
        return Locator(self.role, self.name, self.with_text, self.nth)

    @property
    def point(self) -> tuple[float, float] | None:
        """The pixel; None when none was given.

        Raises:
            EyesError: DESKTOP_ARGUMENT_INVALID when one number is missing.
        """
        return pair(self.x, self.y, "--x and --y")


def pair(x: float | None, y: float | None, names: str) -> tuple[float, float] | None:
    """Two numbers that go together, or neither."""
    if x is None and y is None:
        return None
    if x is None or y is None:
        raise refused(DESKTOP_ARGUMENT_INVALID, f"{names} go together.")
    return (x, y)


def refused(code: Code, sentence: str) -> EyesError:
    """A failure before anything was done."""
    return EyesError(code, sentence, details={"dispatched": "no"})


def on_target(
    action: str,
    request: TargetRequest,
    *,
    pointer: bool = True,
    optional: bool = False,
    stateful: bool = False,
    points: bool = True,
    arguments: Mapping[str, Any] | None = None,
    doing: Mapping[str, Any] | None = None,
    **more: Any,
) -> Gesture:
    """A gesture on an element or a point.

    Args:
        action: as the log names it.
        optional: whether it may do without, and is then about the window.
        stateful: whether a state is needed even for a locator.
        points: whether a point will do.
        doing: further fields of `Doing`.
        more: what `Doing.more` holds.

    Raises:
        EyesError: DESKTOP_TARGET_REQUIRED when none was named, or several; DESKTOP_ARGUMENT_INVALID.
    """
    locator, point = request.locator, request.point
    given = [request.ref is not None, locator is not None, point is not None]
    if sum(given) > 1:
        raise refused(DESKTOP_TARGET_REQUIRED, "Give a ref, a point or a locator, and only one of them.")
    if not any(given) and not optional:
        raise refused(DESKTOP_TARGET_REQUIRED, "No element was named.")
    if point is not None and not points:
        raise refused(DESKTOP_TARGET_REQUIRED, "A point will not do here; name an element.")
    fresh = locator is not None and request.state is None and request.window is None and not stateful
    told: dict[str, Any] = {"ref": request.ref, "app": request.app, "title": request.title, "window": request.window}
    if locator is not None:
        told.update(role=locator.role, name=locator.name, text=locator.text, nth=locator.nth)
    if point is not None:
        told.update(x=point[0], y=point[1])
    return Gesture(
        action,
        needs="fresh" if fresh else "state",
        state_id=request.state,
        pointer=pointer,
        arguments={**{key: one for key, one in told.items() if one is not None}, **(arguments or {})},
        request=Doing(
            ref=request.ref,
            locator=locator,
            point=point,
            window=request.window,
            app=request.app,
            title=request.title,
            more=more,
            **(doing or {}),
        ),
    )


def on_window(
    action: str,
    request: ActionRequest,
    *,
    stateless: bool = False,
    arguments: Mapping[str, Any] | None = None,
    **more: Any,
) -> Gesture:
    """A gesture on a window as a whole.

    Args:
        stateless: whether a window called by name needs no look before.

    Raises:
        EyesError: DESKTOP_WINDOW_REQUIRED when none was named, or a ref and a name.
    """
    named = request.app is not None or request.title is not None
    if (request.window is not None) == named:
        sentence = "Give a ref or a name, not both." if named else "No window was named."
        raise refused(DESKTOP_WINDOW_REQUIRED, sentence)
    needs: Needs = "state" if request.window is not None else "nothing" if stateless else "fresh"
    told = {"window": request.window, "app": request.app, "title": request.title}
    return Gesture(
        action,
        needs=needs,
        state_id=request.state,
        arguments={**{key: one for key, one in told.items() if one is not None}, **(arguments or {})},
        request=Doing(window=request.window, app=request.app, title=request.title, more=more),
    )
