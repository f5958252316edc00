"""Documents of the desktop: what its windows show, and what came of an action."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from deepseekeyes.contracts.automation import (
    AssertionBody,
    Compared,
    Delta,
    Marker,
    PixelBox,
    ScriptRun,
    TargetRow,
    Verdict,
)
from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.model import Contract


class DesktopPoint(Contract):
    """A point; in pixels of the screenshot unless the field says otherwise."""

    x: float
    y: float


class DesktopElement(Contract):
    """One control of the captured window.

    Attributes:
        ref: names this very control for as long as it lives; never another one.
        ref_key: finds the same control in another observation or run.
        window: ref of its window.
        value: absent when protected.
        bbox: in pixels of the screenshot; absent when the system gave none.
        container: it only groups others.
    """

    ref: str
    ref_key: str
    window: str
    role: str
    name: str
    description: str | None = None
    value: str | None = None
    automation_id: str | None = None
    protected: bool = False
    enabled: bool = True
    visible: bool = True
    focused: bool = False
    editable: bool = False
    checked: bool | None = None
    selected: bool | None = None
    expanded: bool | None = None
    bbox: PixelBox | None = None
    actions: tuple[str, ...] = ()
    depth: int = 0
    container: bool = False


class DesktopWindow(Contract):
    """One window; `bounds` lie in the virtual desktop that all monitors share, `z` is 0 in front.

    Attributes:
        bounds: absent when the system gave none that mean anything.
        owner: ref of the window it belongs to (a dialog's, a menu's).
        modal: keeps its owner from being used.
        viewable: it has pixels now.
    """

    ref: str
    app: str
    title: str
    pid: int | None
    kind: str
    active: bool = False
    modal: bool = False
    dialog: bool = False
    minimised: bool = False
    viewable: bool = True
    owner: str | None = None
    z: int
    bounds: PixelBox | None


class DesktopMonitor(Contract):
    """One monitor, in the virtual desktop."""

    index: int
    name: str
    primary: bool
    scale: float
    bounds: PixelBox


class DesktopScreen(Contract):
    """Where the screenshot lies: pixel `(px, py)` is the point `x + px / scale`, `y + py / scale`."""

    x: float
    y: float
    width: int
    height: int
    scale: float


class SemanticStatus(Contract):
    """How much the accessibility tree tells, and what to aim by."""

    enabled: bool
    quality: Literal["available", "sparse", "empty", "disabled"]
    element_count: int
    actionable_count: int
    content_element_count: int
    truncated: bool
    limit_reason: str | None = None
    elapsed_ms: int = 0
    preferred_targeting: Literal["element-ref", "screenshot-coordinates"]


class VisualDelivery(Contract):
    """Whether the pixels are meant to be shown with this state, and why; they are captured and stored either way.

    Attributes:
        tiles: how many pictures they were cut into for the host; 0 when they fit as they are.
        trouble: why they could not be cut to fit.
        next: what to type to see them.
    """

    mode: Literal["auto", "always", "manual"]
    requested: Literal["include", "omit", "auto"]
    delivered: bool
    reason: str
    full_screenshot_preserved: bool
    tiles: int = 0
    trouble: str | None = None
    next: str | None = None


class DesktopTile(Contract):
    """A part of the screenshot, at `x`, `y` of it; index from 1."""

    index: int
    x: int
    y: int
    image: BlobRef


class DesktopOmitted(Contract):
    """What was left out."""

    elements: int = 0
    windows: int = 0


class DesktopObservation(Document):
    """`deepseekeyes.desktop-observation.v1`.

    Attributes:
        scope: `window` when one window was looked at; then elements are listed.
        captured_window: ref of that window.
        capture_lost: the window that was to be looked at and has gone; there are no pixels then.
        covered: something lies over the window and is in the picture.
        delta: against the state before; absent inside an action document, which has its own.
    """

    schema_: Literal["deepseekeyes.desktop-observation.v1"] = Field(
        default="deepseekeyes.desktop-observation.v1", alias="schema"
    )
    session: str
    run_id: str
    state_id: str
    sequence: int
    observed_at: str
    scope: Literal["desktop", "window"]
    captured_window: str | None = None
    capture_lost: str | None = None
    platform: str
    backend: str
    display: str
    screen: DesktopScreen
    monitors: tuple[DesktopMonitor, ...] = ()
    cursor: DesktopPoint | None = None
    active_window: str | None = None
    windows: tuple[DesktopWindow, ...] = ()
    windows_total: int = 0
    elements: tuple[DesktopElement, ...] = ()
    elements_total: int = 0
    truncated: bool = False
    omitted: DesktopOmitted = DesktopOmitted()
    semantic_status: SemanticStatus
    visual_delivery: VisualDelivery
    covered: bool = False
    screenshot: BlobRef | None = None
    tiles: tuple[DesktopTile, ...] = ()
    masks: tuple[PixelBox, ...] = ()
    timings: dict[str, int] = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    delta: Delta | None = None

    def images(self) -> tuple[BlobRef, ...]:
        """The tiles where there are any, else the screenshot."""
        if self.tiles:
            return tuple(one.image for one in self.tiles)
        return () if self.screenshot is None else (self.screenshot,)

    def shows(self) -> bool:
        return self.visual_delivery.delivered


class DesktopPlan(Contract):
    """What would have been done: the window, the point in the virtual desktop, and what lies topmost there."""

    window: str | None = None
    target_mode: str | None = None
    point: DesktopPoint | None = None
    topmost: str | None = None
    foreground: str | None = None
    grabbed: str | None = None
    arguments: dict[str, Any] = Field(default_factory=dict)


class DesktopAction(Document):
    """`deepseekeyes.desktop-action.v1`: what an action did, and the state after it; with `plan`, what it would do."""

    schema_: Literal["deepseekeyes.desktop-action.v1"] = Field(default="deepseekeyes.desktop-action.v1", alias="schema")
    session: str
    run_id: str
    action: str
    verdict: Verdict | None
    compared: tuple[Compared, ...] = ()
    target: TargetRow | None = None
    marker: Marker | None = None
    facts: dict[str, Any] = Field(default_factory=dict)
    state_id: str | None
    state: DesktopObservation | None
    delta: Delta | None
    step: int
    plan: DesktopPlan | None = None
    error: ErrorBody | None = None
    require_verified: bool = False

    def images(self) -> tuple[BlobRef, ...]:
        return () if self.state is None else self.state.images()

    def shows(self) -> bool:
        return self.state is not None and self.state.shows()

    def outcome(self) -> Outcome | None:
        asked = self.require_verified and self.plan is None
        return "verdict" if asked and self.verdict != "verified" else None

    def failure(self) -> ErrorBody | None:
        return self.error


class DesktopAssertion(AssertionBody):
    """`deepseekeyes.desktop-assertion.v1`: whether something holds."""

    schema_: Literal["deepseekeyes.desktop-assertion.v1"] = Field(
        default="deepseekeyes.desktop-assertion.v1", alias="schema"
    )


class DesktopWindowList(Document):
    """`deepseekeyes.desktop-window-list.v1`: the windows, front first, without looking into any."""

    schema_: Literal["deepseekeyes.desktop-window-list.v1"] = Field(
        default="deepseekeyes.desktop-window-list.v1", alias="schema"
    )
    session: str
    display: str
    active: str | None
    monitors: tuple[DesktopMonitor, ...] = ()
    items: tuple[DesktopWindow, ...]
    truncated: bool = False
    omitted: int = 0


class DesktopScreenshot(Document):
    """`deepseekeyes.desktop-screenshot.v1`: the pixels of a fresh state, protected fields painted over."""

    schema_: Literal["deepseekeyes.desktop-screenshot.v1"] = Field(
        default="deepseekeyes.desktop-screenshot.v1", alias="schema"
    )
    session: str
    state_id: str
    captured_window: str | None
    screen: DesktopScreen
    screenshot: BlobRef
    tiles: tuple[DesktopTile, ...] = ()
    masks: tuple[PixelBox, ...] = ()
    path: str | None = None

    def images(self) -> tuple[BlobRef, ...]:
        """The tiles where there are any, else the screenshot."""
        return tuple(one.image for one in self.tiles) or (self.screenshot,)

    def shows(self) -> bool:
        return True


class DesktopSessionRow(Contract):
    """One session; `closed_at` is absent while it is open."""

    name: str
    run_id: str
    display: str | None
    steps: int
    closed_at: str | None
    folder: str | None


class DesktopSessionList(Document):
    """`deepseekeyes.desktop-session-list.v1`: the sessions of this home."""

    schema_: Literal["deepseekeyes.desktop-session-list.v1"] = Field(
        default="deepseekeyes.desktop-session-list.v1", alias="schema"
    )
    items: tuple[DesktopSessionRow, ...]
    truncated: bool = False
    omitted: int = 0


class DesktopClosed(Document):
    """`deepseekeyes.desktop-closed.v1`: sessions that have ended; windows and programs stay as they are."""

    schema_: Literal["deepseekeyes.desktop-closed.v1"] = Field(default="deepseekeyes.desktop-closed.v1", alias="schema")
    closed_at: str
    sessions: tuple[DesktopSessionRow, ...]


class DesktopScriptRun(ScriptRun):
    """`deepseekeyes.desktop-script.v1`."""

    schema_: Literal["deepseekeyes.desktop-script.v1"] = Field(default="deepseekeyes.desktop-script.v1", alias="schema")
