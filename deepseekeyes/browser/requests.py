"""What the requests of the browser operations share."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from deepseekeyes.automation.choosing import Locator
from deepseekeyes.automation.surface import Gesture, Needs
from deepseekeyes.browser.codes import BROWSER_TARGET_REQUIRED
from deepseekeyes.browser.ports import Doing
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError

Short = Annotated[str, StringConstraints(min_length=1, max_length=500)]


class SessionRequest(Contract):
    """Which session."""

    session: str = Field(default="default", min_length=1, max_length=64, description="Name of the session.")


class ActionRequest(SessionRequest):
    """What every action takes."""

    state: Short | None = Field(default=None, description="stateId of the newest document.")
    require_verified: bool = Field(default=False, description="Count an effect that was not seen as a no.")


class TargetRequest(ActionRequest):
    """An action on one control."""

    ref: Short | None = Field(default=None, description="Ref of the control in the newest state; needs state.")
    role: Short | None = Field(default=None, description="Role of the control, such as button.")
    name: Short | None = Field(default=None, description="Name of the control.")
    with_text: Short | None = Field(default=None, description="A part of the control's name or text.")
    nth: int | None = Field(default=None, ge=1, le=5_000, description="Which of several, from 1.")

    @property
    def locator(self) -> Locator | None:
        """What the control is called by; None when nothing was said."""
        if self.role is None and self.name is None and self.with_text is None:
            return None
        return Locator(self.role, self.name, self.with_text, self.nth)


def gesture(
    action: str,
    request: TargetRequest,
    *,
    pointer: bool = True,
    optional: bool = False,
    value: str = "",
    secret: bool = False,
    arguments: dict[str, Any] | None = None,
    end: tuple[str | None, Locator | None] = (None, None),
    **more: Any,
) -> Gesture:
    """A gesture on the control of a request.

    Args:
        action: as the log names it.
        optional: whether the gesture may do without a control, and then needs a state.
        arguments: what the log keeps beside the locator.

    Raises:
        EyesError: BROWSER_TARGET_REQUIRED when none was named, or both a ref and a locator.
    """
    locator = request.locator
    if (request.ref is None) == (locator is None) and not (optional and locator is None):
        sentence = "A ref and a locator were given." if locator else "No control was named."
        raise EyesError(BROWSER_TARGET_REQUIRED, sentence, details={"dispatched": "no"})
    needs: Needs = "fresh" if locator is not None and request.state is None and not optional else "state"
    told = (
        {"ref": request.ref}
        if locator is None
        else {"role": locator.role, "name": locator.name, "text": locator.text, "nth": locator.nth}
    )
    return Gesture(
        action,
        needs=needs,
        state_id=request.state,
        pointer=pointer and (request.ref is not None or locator is not None),
        arguments={**{key: one for key, one in told.items() if one is not None}, **(arguments or {})},
        request=Doing(
            ref=request.ref,
            locator=locator,
            end_ref=end[0],
            end_locator=end[1],
            value=value,
            secret=secret,
            more=more,
        ),
    )
