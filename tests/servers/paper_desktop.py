"""A desktop on paper: windows and elements that behave, a backend over them, and a log of what was really sent."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from paper_things import SENT, Pane, Thing, holds, look

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop import codes
from deepseekeyes.desktop.ports import (
    Button,
    Capabilities,
    Element,
    Environment,
    Focus,
    Grab,
    Hit,
    Launched,
    Monitor,
    Typed,
    Walk,
    Window,
)


class PaperDesktop:
    """A `Backend` in memory.

    Attributes:
        panes: front first.
        calls: everything that was sent, in order.
        hooks: run right after the named method did its work: a dialog that steals the focus, a window that closes.
        before: run right before it.
        grabbed_by, disturbed_by: what `grabbed` and `disturbed` say.
    """

    def __init__(
        self, width: int = 400, height: int = 300, *, origin: tuple[int, int] = (0, 0), scale: float = 1.0
    ) -> None:
        self.monitors_ = [Monitor(1, "paper", Box(0, 0, width, height), primary=True)]
        if origin != (0, 0):
            self.monitors_.append(Monitor(2, "left", Box(origin[0], origin[1], -origin[0], height)))
        self.area = Box(origin[0], origin[1], width - origin[0], height - origin[1])
        self.scale = scale
        self.panes: list[Pane] = []
        self.keyboard: str | None = None
        self.at = (width // 2, height // 2)
        self.calls: list[tuple[Any, ...]] = []
        self.hooks: dict[str, Callable[[], None]] = {}
        self.before: dict[str, Callable[[], None]] = {}
        self.grabbed_by: str | None = None
        self.disturbed_by: str | None = None
        self.semantic = True
        self.semantic_values = True
        self.lossy = 0
        self.closed = False
        self.opened = 0
        self.walk_status: Any = "ok"

    # What tests build ------------------------------------------------------------------------------------------

    def pane(self, identity: str, title: str, box: tuple[float, float, float, float], **more: Any) -> Pane:
        """A new window in front of the others, with the keyboard."""
        made = Pane(identity, title, more.pop("app", "editor"), Box(*box), **more)
        self.panes.insert(0, made)
        if made.kind in ("normal", "dialog"):
            self.keyboard = identity
        return made

    def find(self, identity: str) -> Pane:
        return next(one for one in self.panes if one.identity == identity)

    def drop(self, identity: str) -> None:
        self.panes = [one for one in self.panes if one.identity != identity]
        if self.keyboard == identity:
            self.keyboard = self.panes[0].identity if self.panes else None

    def sent(self) -> list[str]:
        """Names of the calls that reach a program."""
        return [call[0] for call in self.calls if call[0] in SENT]

    # Backend ---------------------------------------------------------------------------------------------------

    @property
    def environment(self) -> Environment:
        able = Capabilities(semantic=self.semantic, semantic_reason=None if self.semantic else "no trees on paper")
        return Environment("linux", "paper", ":paper", "paper", able)

    def monitors(self) -> tuple[Monitor, ...]:
        return tuple(self.monitors_)

    def windows(self) -> tuple[Window, ...]:
        return tuple(
            Window(
                identity=one.identity,
                title=one.title,
                app=one.app,
                pid=one.pid,
                bounds=one.box,
                client=one.box,
                z=z,
                active=one.identity == self.keyboard,
                minimised=one.minimised,
                viewable=not one.minimised,
                modal=one.modal,
                dialog=one.kind == "dialog",
                transient_for=one.owner,
                kind=one.kind,
            )
            for z, one in enumerate(self.panes)
        )

    def active(self) -> str | None:
        return self.keyboard

    def top_at(self, x: float, y: float) -> Hit:
        for window in self.windows():
            box = window.bounds
            if window.viewable and box.x <= x < box.right and box.y <= y < box.bottom:
                return Hit(window, f'"{window.title}"')
        return Hit(None, "the desktop")

    def capture(self, target: str | Box | None = None) -> Grab:
        from PIL import Image, ImageDraw

        if isinstance(target, str):
            pane = self._live(target)
            if not all(map(math.isfinite, pane.box)):
                raise EyesError(codes.DESKTOP_WINDOW_NOT_VIEWABLE, "It lies nowhere.", details={"dispatched": "no"})
            area, panes = pane.box, [pane]
        else:
            area, panes = target or self.area, list(reversed(self.panes))
        size = (round(area.width * self.scale), round(area.height * self.scale))
        picture = Image.new("RGB", size, (30, 60, 90))
        pen = ImageDraw.Draw(picture)
        for one in panes:
            if one.minimised:
                continue
            self._fill(pen, one.box, area, one.title)
            for thing in one.things:
                if thing.box is not None and not thing.gone:
                    x, y, width, height = thing.box
                    self._fill(pen, Box(one.box.x + x, one.box.y + y, width, height), area, look(one, thing, self.at))
        how: Any = "window" if isinstance(target, str) else "screen"
        return Grab(picture.tobytes(), *size, (area.x, area.y), self.scale, how)

    def _fill(self, pen: Any, box: Box, area: Box, seed: str) -> None:
        if not all(map(math.isfinite, box)):
            return
        colour = tuple(hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()[:3])
        left, top = (box.x - area.x) * self.scale, (box.y - area.y) * self.scale
        right, bottom = left + box.width * self.scale - 1, top + box.height * self.scale - 1
        pen.rectangle((left, top, right, bottom), fill=colour)

    def pointer(self) -> tuple[int, int]:
        return self.at

    def idle(self) -> float | None:
        return 100.0

    def elements(self, window: str, *, deadline_s: float, most: int, hidden: bool = False) -> Walk:
        pane = self._live(window)
        found = tuple(self._element(pane, one) for one in pane.things if not one.gone)
        self._hook("elements")
        left = max(0, len(found) - most)
        if self.walk_status != "ok":
            return Walk((), self.walk_status, "app-timeout", left_out=0)
        return Walk(found[:most], "partial" if left else "ok", "element-limit" if left else None, left)

    def element(self, handle: str) -> Element | None:
        for pane in self.panes:
            for thing in pane.things:
                if thing.handle == handle and not thing.gone:
                    return self._element(pane, thing)
        return None

    def focused(self, window: str) -> Element | None:
        pane = self._live(window)
        if not pane.knows_focus:
            return None
        return next((self._element(pane, one) for one in pane.things if one.handle == pane.focus), None)

    def read_text(self, handle: str) -> str | None:
        found = self._thing(handle)
        return None if found is None or found[1].protected else found[1].value

    def focus_element(self, handle: str) -> bool:
        found = self._thing(handle)
        assert found is not None
        found[0].focus = handle
        self._hook("focus_element")
        return found[0].focus == handle

    def insert_text(self, handle: str, text: str) -> Typed:
        raise AssertionError("not used")

    def set_value(self, handle: str, value: str) -> str | None:
        if not self.semantic_values:
            raise EyesError(codes.DESKTOP_SEMANTIC_UNAVAILABLE, "None here.", details={"dispatched": "no"})
        found = self._thing(handle)
        assert found is not None
        self.calls.append(("set_value", handle))
        found[1].value = value
        return None if found[1].protected else value

    def do_action(self, handle: str, name: str | None) -> str:
        found = self._thing(handle)
        assert found is not None
        if name is not None and name not in found[1].actions:
            raise EyesError(
                codes.DESKTOP_ACTION_NOT_EXPOSED,
                f"There is no action {name!r}.",
                details={"dispatched": "no", "candidates": list(found[1].actions)},
                choices=", ".join(found[1].actions),
            )
        self.calls.append(("do_action", handle, name))
        self._press(found[0], found[1])
        return name or found[1].actions[0]

    def scroll_to(self, handle: str) -> bool:
        self.calls.append(("scroll_to", handle))
        return True

    def focus_window(self, window: str) -> Focus:
        pane = self._live(window)
        self.panes.remove(pane)
        self.panes.insert(0, pane)
        pane.minimised = False
        self.keyboard = window
        self._hook("focus_window")
        return Focus(window)

    def move_window(self, window: str, x: float, y: float) -> Window:
        pane = self._live(window)
        pane.box = Box(x, y, pane.box.width, pane.box.height)
        self._hook("move_window")
        return next(one for one in self.windows() if one.identity == window)

    def resize_window(self, window: str, width: float, height: float) -> Window:
        pane = self._live(window)
        pane.box = Box(pane.box.x, pane.box.y, width, height)
        return next(one for one in self.windows() if one.identity == window)

    def close_window(self, window: str) -> bool:
        self._live(window)
        self._hook("close_window")
        if "close_window" not in self.hooks:
            self.drop(window)
        return all(one.identity != window for one in self.panes)

    def launch(self, argv: Sequence[str], environment: Mapping[str, str], *, wait_s: float) -> Launched:
        self.calls.append(("launch", *argv))
        self.pane(f"new-{len(self.calls)}", f"{argv[0]} window", (20, 20, 120, 90), app=argv[0], pid=4_000)
        return Launched(4_000, argv[0], (self.panes[0].identity,))

    def grabbed(self) -> str | None:
        return self.grabbed_by

    def watch(self) -> None:
        self.disturbed_by = None
        self._hook("watch")

    def disturbed(self) -> str | None:
        return self.disturbed_by

    def held(self) -> tuple[str, ...]:
        return ()

    def move(self, x: float, y: float) -> None:
        self._input("move", x, y)
        self.at = (round(x), round(y))

    def click(self, x: float, y: float, *, button: Button = "left", count: int = 1) -> None:
        self._input("click", x, y, button, count)
        self.at = (round(x), round(y))
        top = self.top_at(x, y).window
        if top is not None:
            pane = self.find(top.identity)
            for thing in pane.things:
                if thing.box is not None and not thing.gone and holds(pane, thing.box, x, y):
                    pane.focus = thing.handle
                    self._press(pane, thing)
        self._hook("click")

    def drag(self, start: tuple[float, float], end: tuple[float, float], *, duration_s: float) -> None:
        self._input("drag", start, end)
        self.at = (round(end[0]), round(end[1]))
        self._hook("drag")

    def scroll(self, x: float, y: float, *, dx: int, dy: int) -> None:
        self._input("scroll", x, y, dx, dy)
        self._hook("scroll")

    def check_chord(self, chord: str) -> tuple[str, ...]:
        words = tuple(chord.split("+"))
        if any(word not in {"CTRL", "SHIFT", "S", "A", "ENTER", "DELETE"} for word in words):
            raise EyesError(codes.DESKTOP_KEY_UNKNOWN, f"{chord} is no chord.", details={"dispatched": "no"})
        return words

    def press(self, chord: str, *, window: str | None) -> None:
        self._front(window)
        self._input("press", chord)
        pane = self.find(self.keyboard or "")
        found = next((one for one in pane.things if one.handle == pane.focus), None)
        if found is not None and chord in ("CTRL+A", "DELETE"):
            found.value = "" if found.editable else found.value
        self._hook("press")

    def type_text(self, text: str, *, window: str | None) -> Typed:
        self._front(window)
        self._input("type_text", text)
        pane = self.find(self.keyboard or "")
        found = next((one for one in pane.things if one.handle == pane.focus), None)
        if found is not None and found.editable:
            found.value = (found.value or "") + text[: len(text) - self.lossy]
        self._hook("type_text")
        return Typed(len(text), len(text))

    def close(self) -> None:
        self.closed = True

    # Inside ----------------------------------------------------------------------------------------------------

    def _input(self, name: str, *given: Any) -> None:
        hook = self.before.pop(name, None)
        if hook is not None:
            hook()
        if self.disturbed_by is not None:
            raise EyesError(codes.DESKTOP_HUMAN_INPUT, "Somebody moved.", details={"dispatched": "no"})
        self.calls.append((name, *given))

    def _front(self, window: str | None) -> None:
        if window is not None and self.keyboard != window:
            raise EyesError(codes.TARGET_FOCUS_MISMATCH, "Another one.", details={"dispatched": "no"})

    def _hook(self, name: str) -> None:
        self.hooks.get(name, lambda: None)()

    def _press(self, pane: Pane, thing: Thing) -> None:
        if thing.checked is not None:
            thing.checked = not thing.checked
        if thing.clicked is not None:
            thing.clicked()

    def _live(self, window: str) -> Pane:
        found = next((one for one in self.panes if one.identity == window), None)
        if found is None:
            raise EyesError(codes.DESKTOP_WINDOW_GONE, "It has gone.", details={"dispatched": "no"})
        return found

    def _thing(self, handle: str) -> tuple[Pane, Thing] | None:
        for pane in self.panes:
            for thing in pane.things:
                if thing.handle == handle and not thing.gone:
                    return pane, thing
        return None

    def _element(self, pane: Pane, thing: Thing) -> Element:
        states = {"visible", "showing", *(("enabled", "sensitive") if thing.enabled else ())}
        if pane.focus == thing.handle:
            states.add("focused")
        if thing.checked is not None:
            states.add("checkable")
            states |= {"checked"} if thing.checked else set()
        box = thing.box
        return Element(
            handle=thing.handle,
            role=thing.role,
            name=thing.name,
            window=pane.identity,
            value=None if thing.protected else thing.value,
            bounds=None if box is None else Box(pane.box.x + box[0], pane.box.y + box[1], box[2], box[3]),
            states=frozenset(states),
            actions=thing.actions,
            editable=thing.editable,
            protected=thing.protected,
            container=thing.container,
        )


def form(paper: PaperDesktop, *, title: str = "form", at: tuple[float, float] = (40, 30)) -> Pane:
    """A window with a field, a protected field, a check box, two buttons and a label."""
    pane = paper.pane(f"win-{title}", title, (*at, 200, 160), app="former")
    pane.things = [
        Thing(f"{title}/frame", "frame", title, (0, 0, 200, 160), container=True),
        Thing(f"{title}/label", "label", "Name", (4, 10, 40, 20)),
        Thing(f"{title}/name", "text", "Name", (50, 10, 140, 20), value="", editable=True, actions=("activate",)),
        Thing(f"{title}/pass", "password_text", "Password", (50, 40, 140, 20), value="", editable=True, protected=True),
        Thing(f"{title}/agree", "check_box", "Agree", (4, 70, 100, 20), checked=False, actions=("click",)),
        Thing(f"{title}/save", "push_button", "Save", (4, 100, 60, 24), actions=("click",)),
        Thing(f"{title}/off", "push_button", "Later", (80, 100, 60, 24), enabled=False, actions=("click",)),
        Thing(f"{title}/read", "text", "Total", (4, 130, 100, 20), value="12", editable=False),
    ]
    return pane
