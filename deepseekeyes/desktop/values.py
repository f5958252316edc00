"""The values that pass between a backend and the operations, the same on every system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from deepseekeyes.core.geometry import Box

WindowKind = Literal["normal", "dialog", "utility", "menu", "popup", "tooltip", "notification", "dock", "desktop"]
WalkStatus = Literal["ok", "partial", "unavailable", "timeout"]
CaptureMethod = Literal["window", "region", "screen"]
Button = Literal["left", "middle", "right"]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What this display allows. `semantic_reason` says why `semantic` is False, in one sentence.

    Attributes:
        window_capture: a window's own pixels can be read while something covers it.
        window_pixels: pixels of a single window can be had at all.
        places: it is known where windows and elements lie, and what lies at a point.
        window_manager: somebody answers activation and reports stacking; without one focus is set directly.
        semantic: accessibility trees can be read.
        human_input: input by somebody else is noticed while we act.
    """

    capture: bool = True
    window_capture: bool = True
    window_pixels: bool = True
    places: bool = True
    pointer: bool = True
    keyboard: bool = True
    window_manager: bool = True
    semantic: bool = True
    semantic_reason: str | None = None
    human_input: bool = True


@dataclass(frozen=True, slots=True)
class Environment:
    """Where we are.

    Attributes:
        system: `linux`, `windows` or `macos`.
        backend: the family member, such as `x11`.
        display: the display's own name.
        lock_key: equal for every process that would act on this display; safe as a file name.
        versions: of the parts that were found, for reports and doctor.
        notes: sentences for people, such as a missing extension.
    """

    system: Literal["linux", "windows", "macos"]
    backend: str
    display: str
    lock_key: str
    capabilities: Capabilities
    versions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Monitor:
    """One monitor.

    Attributes:
        index: from 1; the primary one comes first.
        scale: how much larger than usual programs draw; informative where the space is in physical pixels.
    """

    index: int
    name: str
    bounds: Box
    scale: float = 1.0
    primary: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """One top-level window.

    Attributes:
        identity: opaque; never given to another window, even when the system uses a handle again.
        weak: the identity could not be tied to a process, only to handle and program.
        app: the program's stable name (class, bundle or process name), as a person would type it.
        bounds: with frame and title bar; what a person calls the window, invisible shadows left out; not finite where
            the display does not tell places.
        client: what `capture` of this window shows, and what its elements lie in.
        z: 0 is the front.
        modal: keeps its owner from being used.
        transient_for: identity of the owner, when that is a listed window.
        kind: menus, popups and tooltips are windows here too; `normal` and `dialog` take part in ordinary lists.
        viewable: pixels can be had now (mapped and not minimised).
    """

    identity: str
    title: str
    app: str
    pid: int | None
    bounds: Box
    client: Box
    z: int
    active: bool = False
    minimised: bool = False
    viewable: bool = True
    modal: bool = False
    dialog: bool = False
    transient_for: str | None = None
    kind: WindowKind = "normal"
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """One control of a window's accessibility tree.

    Attributes:
        handle: the backend's hold on the live node; opaque, comparable, lives as long as the node does.
        role: lower case with `_`, the same words on every system (`push_button`, `text`, `check_box`, ...).
        name, description: whitespace collapsed, accelerator padding gone.
        value: text of text roles, number of ranges as a string; always None when protected.
        bounds: None when the system gave none or nonsense; only boxes that can be seen.
        states: lower-case words such as `enabled`, `focused`, `showing`, `checked`, `selected`, `expanded`.
        actions: machine names, not localised.
        parent: handle of the nearest listed ancestor.
        window: identity of the window it lies in.
        container: a role that only groups others and tells nothing by itself.
        bounds_derived: the box was computed from window-relative extents, because the toolkit knows no others.
    """

    handle: str
    role: str
    name: str
    window: str
    value: str | None = None
    description: str = ""
    automation_id: str = ""
    bounds: Box | None = None
    states: frozenset[str] = frozenset()
    actions: tuple[str, ...] = ()
    editable: bool = False
    protected: bool = False
    depth: int = 0
    parent: str | None = None
    container: bool = False
    bounds_derived: bool = False

    @property
    def visible(self) -> bool:
        """Whether a person could see it, were nothing in front."""
        return "showing" in self.states and "visible" in self.states

    @property
    def enabled(self) -> bool:
        """Whether it can be used."""
        return "enabled" in self.states or "sensitive" in self.states

    @property
    def focused(self) -> bool:
        """Whether the keyboard goes to it within its window."""
        return "focused" in self.states


@dataclass(frozen=True, slots=True)
class Walk:
    """The elements of a window, breadth first.

    Attributes:
        status: `partial` when a limit ended it, `timeout` when the program stopped answering, `unavailable` when there
            is no tree (with `elements` empty).
        reason: one of `element-limit`, `time-budget`, `app-timeout`, `app-gone`, `no-bus`, `no-tree`; None when ok.
        left_out: known but unvisited nodes, at least.
    """

    elements: tuple[Element, ...]
    status: WalkStatus = "ok"
    reason: str | None = None
    left_out: int = 0
    elapsed_ms: int = 0


@dataclass(frozen=True, slots=True)
class Grab:
    """Captured pixels.

    Attributes:
        rgb: packed 8-bit RGB rows, `3 * width * height` bytes.
        method: `window` shows the window's own pixels whatever covers it; `region` is what the screen showed there.
        covered: a part of it may show what lay over the window instead.
        popups: identities of menus and popups of the same program that were painted over it.
    """

    rgb: bytes = field(repr=False)
    width: int
    height: int
    origin: tuple[float, float]
    scale: float = 1.0
    method: CaptureMethod = "screen"
    covered: bool = False
    popups: tuple[str, ...] = ()

    def png(self) -> bytes:
        """The same pixels as a PNG, lossless."""
        import io

        from PIL import Image

        out = io.BytesIO()
        Image.frombytes("RGB", (self.width, self.height), self.rgb).save(out, "PNG", compress_level=1)
        return out.getvalue()


@dataclass(frozen=True, slots=True)
class Hit:
    """What lies topmost at a point.

    Attributes:
        window: None for the bare desktop or a surface that is no window of the list.
        label: how to name it to a person.
    """

    window: Window | None
    label: str


@dataclass(frozen=True, slots=True)
class Focus:
    """A window that has the keyboard now.

    Attributes:
        window: identity.
        verified: `window` by the manager and the input focus, `input` by the input focus alone.
        restored: it was minimised before.
    """

    window: str
    verified: Literal["window", "input"] = "window"
    restored: bool = False


@dataclass(frozen=True, slots=True)
class Launched:
    """A started program.

    Attributes:
        windows: identities that appeared for it within the waiting time.
        reused: an older process of the program took the request over.
    """

    pid: int
    program: str
    windows: tuple[str, ...] = ()
    reused: bool = False


@dataclass(frozen=True, slots=True)
class Typed:
    """Text that was sent as keys: code points out of how many, and how."""

    sent: int
    total: int
    method: Literal["keys", "semantic"] = "keys"


@dataclass(frozen=True, slots=True)
class Opening:
    """How a backend is opened.

    Attributes:
        environment: the process's own variables; backends read no others.
        timeout_s: deadline of a single call.
        semantic: False leaves accessibility alone.
        state_dir: private folder for what a crash must not leave undone (a borrowed keyboard map); None: in memory.
    """

    environment: Mapping[str, str]
    timeout_s: float = 30.0
    semantic: bool = True
    state_dir: Path | None = None
