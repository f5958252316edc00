"""What a page or a desktop must offer so that gestures can be carried out on it under guard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from deepseekeyes.contracts.automation import Compared, Delta, Marker, SurfaceKind
from deepseekeyes.core.errors import Code
from deepseekeyes.core.geometry import Box


@dataclass(frozen=True, slots=True)
class Control:
    """One control (or window) as one observation saw it.

    Attributes:
        ref: the name callers use, kept while the same live node lives (`refs.RefBook`).
        key: stable over observations and runs (`refs.ref_key`).
        place: the frame or window it lies in, as the public document names it.
        document: identity of the document or process generation; another one means another control.
        protected: its value is never read, shown or stored.
        box: in pixels of the observation's screenshot.
        fields: what a delta compares: value (absent when protected), checked, enabled, focused and the like.
    """

    ref: str
    key: str
    role: str
    name: str
    place: str = ""
    document: str = ""
    protected: bool = False
    box: Box | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Grid:
    """Keyed digests of the square tiles of a picture, row by row; `tile` is the side in pixels."""

    columns: int
    rows: int
    tile: int
    digests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shot:
    """A screenshot; made by `pixels.take`.

    Attributes:
        data: the PNG that may be kept and shown, protected fields painted over; None when read back from a file.
        sha256, size: of `data`, the latter in bytes.
        pixel_digest: keyed digest of the decoded pixels before masking.
        masks: what was painted over, pixels.
        origin, scale: a pixel lies at `origin + pixel / scale` in the surface's own space.
    """

    sha256: str
    size: int
    width: int
    height: int
    pixel_digest: str
    data: bytes | None = field(default=None, repr=False)
    media_type: str = "image/png"
    masks: tuple[Box, ...] = ()
    origin: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0
    grid: Grid | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One observation before it has a state id.

    Attributes:
        scope: what is looked at (a page id, a window ref, `desktop`); a change of it is a change of scope.
        tail: what the state id covers beside the pixels: the page's cleaned URL, or the platform.
        facts: single values a delta compares (url, title, scroll, active window); no secrets.
        text: document text, for the delta; no secrets.
        body: the surface's own record, from which its operations build the public document.
    """

    scope: str
    tail: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    elements: tuple[Control, ...] = ()
    windows: tuple[Control, ...] = ()
    shot: Shot | None = None
    body: Any = field(default=None, repr=False)

    def control(self, ref: str) -> Control | None:
        """The element or window with this ref."""
        return next((one for one in (*self.elements, *self.windows) if one.ref == ref), None)


@dataclass(frozen=True, slots=True)
class Seen:
    """A snapshot that was given its place in the run."""

    state_id: str
    sequence: int
    observed_at: str
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Identity:
    """What a live node says about itself at this moment."""

    role: str
    name: str
    document: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """What a gesture is bound to.

    Attributes:
        control: the control as the newest observation saw it; None for a bare point or for the page.
        handle: the surface's hold on the live node.
        point: in pixels of the newest screenshot.
    """

    control: Control | None = None
    handle: Any = field(default=None, repr=False)
    point: tuple[float, float] | None = None


Needs = Literal["state", "fresh", "nothing"]


@dataclass(frozen=True, slots=True)
class Gesture:
    """One thing to do.

    Attributes:
        action: the word of the command line with `_` for `-`.
        state_id: what the caller believes is newest.
        needs: `state` refuses unless `state_id` is newest; `fresh` observes first and acts on what it saw (locators,
            named targets); `nothing` neither needs nor checks a state (open, launch, focus).
        pointer: whether the hit test applies.
        mutates: False for gestures that only look or wait; they are not counted as actions.
        arguments: what the log keeps; texts already as keyed digests.
        request: what the surface needs to act; never logged.
    """

    action: str
    needs: Needs = "state"
    state_id: str | None = None
    pointer: bool = False
    mutates: bool = True
    arguments: Mapping[str, Any] = field(default_factory=dict)
    request: Any = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison that speaks for or against the effect of an action.

    Attributes:
        compared: what was compared; `holds` says whether it came out as it should.
        weight: `must` checks all have to hold (text read back, checked state); of the `may` checks one that holds is
            enough when there is no `must` (navigation, change near the target).
    """

    compared: Compared
    weight: Literal["must", "may"] = "must"


@dataclass(frozen=True, slots=True)
class StateCodes:
    """A surface's own codes for what the shared order refuses.

    Attributes:
        missing: a state is needed and there is none.
        stale: the given state is not the newest.
        changed: the node is not what was seen: role, name or document differ, or it has gone.
    """

    missing: Code
    stale: Code
    changed: Code


class Surface(Protocol):
    """A live page or desktop. Every method may raise `EyesError`; what it raises before `act` means nothing was done.

    `act` sets `details["dispatched"]` on what it raises: `no`, `yes` or `unknown` (taken when absent).
    """

    @property
    def kind(self) -> SurfaceKind: ...

    @property
    def codes(self) -> StateCodes: ...

    async def observe(self, gesture: Gesture | None) -> Snapshot:
        """Look; `gesture` is what was just done, None for a look on purpose."""
        ...

    async def resolve(self, gesture: Gesture, seen: Seen | None) -> Target:
        """The very node of the gesture's ref, or exactly one match of its locator; raises a refused-stale code."""
        ...

    async def identity(self, target: Target) -> Identity | None:
        """Role, name, document and place of the live node now; None when it is gone. Not called without a control."""
        ...

    async def reach(self, gesture: Gesture, target: Target) -> Marker | None:
        """Hit test of a pointer gesture; the marker lies in pixels of the newest screenshot. Raises what covers it."""
        ...

    async def act(self, gesture: Gesture, target: Target) -> Mapping[str, Any]:
        """Do it with real input events; returns facts worth logging (no secrets)."""
        ...

    async def settle(self, gesture: Gesture) -> None:
        """Wait until the surface is quiet, bounded."""
        ...

    async def checks(
        self, gesture: Gesture, target: Target, before: Seen | None, after: Seen, delta: Delta
    ) -> Sequence[Check]:
        """What speaks for the effect: text read back, checked state, navigation, change near the target."""
        ...

    async def pause(self, seconds: float) -> None:
        """Wait between two tries of an assertion; may end early when something changed."""
        ...


@runtime_checkable
class Remembering(Protocol):
    """A surface that can tell, for less than a look costs, whether a look would show what the newest one showed."""

    async def unchanged(self, seen: Seen) -> bool:
        """Whether nothing can have changed since; False in doubt, never raises."""
        ...
