"""A display as the surface that the shared order of gestures works on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from deepseekeyes.automation.delta import box_row
from deepseekeyes.automation.run import Run
from deepseekeyes.automation.surface import Check, Gesture, Grid, Identity, Seen, Snapshot, StateCodes, Target
from deepseekeyes.contracts.automation import Delta, Marker, SurfaceKind
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop import guards, safety
from deepseekeyes.desktop.acting import ACTS, Stage
from deepseekeyes.desktop.choosing import only_window
from deepseekeyes.desktop.codes import (
    DESKTOP_STATE_MISSING,
    DESKTOP_STATE_STALE,
    DESKTOP_TARGET_CHANGED,
    DESKTOP_WINDOW_GONE,
)
from deepseekeyes.desktop.deps import DesktopDeps
from deepseekeyes.desktop.hovering import control_at, glance
from deepseekeyes.desktop.judging import Case, judge
from deepseekeyes.desktop.looking import Wanted, snapshot
from deepseekeyes.desktop.ports import Backend, Window
from deepseekeyes.desktop.requests import Doing
from deepseekeyes.desktop.rows import clean_name, element_control, window_control, window_rows
from deepseekeyes.desktop.targets import RULES, WINDOW_RULES, Aim, aim
from deepseekeyes.desktop.view import View

T = TypeVar("T")
CODES: Final = StateCodes(DESKTOP_STATE_MISSING, DESKTOP_STATE_STALE, DESKTOP_TARGET_CHANGED)


class DesktopSurface:
    """Implements `automation.surface.Surface` over a backend.

    Args:
        wanted: what is looked at; actions move it on.
        before_acting: called right before anything is dispatched, so that a crash leaves no state that may be acted on.
        pointer: where our own last action left the pointer.
        note: what whoever looks next is told first.
    """

    def __init__(
        self,
        backend: Backend,
        run: Run,
        deps: DesktopDeps,
        *,
        wanted: Wanted,
        before_acting: Callable[[], None],
        pointer: Sequence[float] | None = None,
        note: str | None = None,
    ) -> None:
        self.backend = backend
        self.run = run
        self.deps = deps
        self.wanted = wanted
        self.pointer: Sequence[float] | None = pointer
        self.stage: Stage | None = None
        self.note = note
        self._before_acting = before_acting
        self._windows: tuple[Window, ...] = ()

    @property
    def kind(self) -> SurfaceKind:
        return "desktop"

    @property
    def codes(self) -> StateCodes:
        return CODES

    async def observe(self, gesture: Gesture | None) -> Snapshot:  # noqa: ARG002 - what to look at is known here
        found: Snapshot = await _in_thread(snapshot, self.backend, self.wanted, self.deps.settings, self.run.keys)
        if self.note is None:
            return found
        note, self.note = self.note, None
        return replace(found, body=replace(found.body, warnings=(note, *found.body.warnings)))

    async def resolve(self, gesture: Gesture, seen: Seen | None) -> Target:
        doing: Doing = gesture.request
        found = await _in_thread(self._aim, gesture.action, doing, seen)
        await _in_thread(self._guarded, gesture, found)
        self.stage = Stage(
            backend=self.backend,
            aim=found,
            doing=doing,
            popups=seen.snapshot.body.popups if seen is not None else (),
            control=found.element or (control_at(seen.snapshot.body, found.pixel) if seen is not None else None),
            glance=self._glance,
            settings=self.deps.settings,
            programs=self.deps.programs,
            sleep=self.deps.sleep,
        )
        return _target(found)

    def _glance(self) -> Grid | None:
        """What the pixels look like now; compared, never kept."""
        newest = self.run.newest
        if newest is None or newest.snapshot.shot is None:
            return None
        return glance(self.backend, self.wanted.window, newest.snapshot.body, self.run.keys)

    def _aim(self, action: str, doing: Doing, seen: Seen | None) -> Aim:
        """What is meant; `launch` means nothing yet, and a window called by name needs no state to be focused."""
        if action == "launch":
            return Aim("window")
        if action == "focus" and doing.window is None:
            rows, _ = window_rows(self.backend.windows(), self.deps.settings)
            return Aim("window", only_window(rows, doing.app, doing.title))
        if seen is None:
            raise EyesError(DESKTOP_STATE_MISSING, "Nothing was observed yet.", details={"dispatched": "no"})
        view: View = seen.snapshot.body
        if view.lost is not None and doing.window is None and doing.app is None and doing.title is None:
            raise EyesError(DESKTOP_WINDOW_GONE, f"{view.lost} has gone.", details={"dispatched": "no"})
        return aim(action, doing, view)

    def _guarded(self, gesture: Gesture, found: Aim) -> None:
        """Look once more at everything that may have changed; nothing is dispatched."""
        backend, settings = self.backend, self.deps.settings
        backend.watch()
        self._windows = windows = backend.windows()
        safety.check_unlocked(windows)
        safety.check_corner(backend.pointer(), backend.monitors(), settings, self.pointer)
        if found.window is not None:
            safety.check_app(str(found.window["app"]), settings)
            guards.live_window(windows, found.window)
        rules = RULES.get(gesture.action, WINDOW_RULES)
        if rules.input and gesture.action != "launch":
            guards.unblocked(windows, found.window, settings, any_application=rules.text)
            if rules.points or rules.keys:
                popups = self._popups()
                guards.ungrabbed(backend, windows, found.window, popups)
        if gesture.action == "move_window" and found.window is not None:
            wanted: Doing = gesture.request
            guards.in_sight(backend, found.window, wanted.more["x"], wanted.more["y"])
        if gesture.action == "key":
            backend.check_chord(gesture.request.value)

    def _popups(self) -> tuple[str, ...]:
        return self.run.newest.snapshot.body.popups if self.run.newest is not None else ()

    async def identity(self, target: Target) -> Identity | None:
        return await _in_thread(self._identity, target)

    def _identity(self, target: Target) -> Identity | None:
        found: Aim = target.handle
        if found.element is not None:
            now = self.backend.element(found.element["handle"])
            if now is None:
                return None
            return Identity(
                now.role, clean_name(now), document=now.window or found.identity or "", place=found.element["window"]
            )
        window = next((one for one in self._windows if one.identity == found.identity), None)
        if window is None or found.window is None:
            return None
        name = " ".join(window.app.split())[:200]
        return Identity("window", name, document=window.identity, place="desktop")

    async def reach(self, gesture: Gesture, target: Target) -> Marker | None:
        found: Aim = target.handle
        if found.point is None or (gesture.action == "scroll" and gesture.request.more.get("into_view")):
            return None
        await _in_thread(self._reached, gesture, found)
        return marker(found)

    def _reached(self, gesture: Gesture, found: Aim) -> None:
        if found.window is not None:
            guards.unmoved(guards.live_window(self._windows, found.window), found.window)
        assert found.point is not None
        place = found.point
        if found.element is not None:
            place = guards.element_place(self.backend, found.element)
        if gesture.action in ("type", "key", "set_value"):
            return
        if gesture.action != "move":
            guards.unobscured(self.backend, place, found.window, self._popups())
        guards.undisturbed(self.backend)

    async def act(self, gesture: Gesture, target: Target) -> Mapping[str, Any]:  # noqa: ARG002 - the stage holds it
        assert self.stage is not None
        await _in_thread(self._before_acting)
        facts = await _in_thread(ACTS[gesture.action], self.stage)
        self.pointer = await _in_thread(self.backend.pointer)
        self._follow(gesture)
        return facts

    def _follow(self, gesture: Gesture) -> None:
        """What is looked at from here on."""
        assert self.stage is not None
        identity = self.stage.aim.identity
        if gesture.action == "close_window":
            self.wanted = Wanted()
        elif self.stage.follow is not None:
            self.wanted = Wanted(self.stage.follow, str(gesture.arguments.get("program", "")))
        elif identity is not None and self.stage.aim.window is not None and gesture.action != "launch":
            keep_desktop = self.wanted.window is None and self.stage.aim.mode in (
                "screenshot-coordinate",
                "focused-target",
            )
            if not keep_desktop:
                self.wanted = Wanted(identity, str(self.stage.aim.window["title"]))

    async def settle(self, gesture: Gesture) -> None:  # noqa: ARG002 - the same for all
        await self.pause(self.deps.settings.settle_ms / 1000)

    async def checks(
        self,
        gesture: Gesture,
        target: Target,  # noqa: ARG002 - the stage holds it
        before: Seen | None,
        after: Seen,
        delta: Delta,
    ) -> Sequence[Check]:
        assert self.stage is not None
        handle = self.stage.left.get("handle")
        text = None if handle is None else await _in_thread(self.backend.read_text, handle)
        return await _in_thread(judge, gesture.action, Case(self.stage, before, after, delta, self.run.keys, text))

    async def pause(self, seconds: float) -> None:
        await _in_thread(self.deps.sleep, seconds)


def marker(found: Aim) -> Marker | None:
    """Where an action happens, in pixels of the screenshot before it."""
    if found.pixel is None:
        return None
    bbox = found.element["bbox"] if found.element is not None else None
    return Marker(
        x=round(found.pixel[0], 2),
        y=round(found.pixel[1], 2),
        box=None if bbox is None else box_row(Box(bbox["x"], bbox["y"], bbox["width"], bbox["height"])),
        end=found.end_pixel,
    )


def _target(found: Aim) -> Target:
    if found.element is not None:
        return Target(element_control(found.element, found.identity or ""), found, found.pixel)
    if found.window is not None and found.mode in ("window", "focused-target"):
        return Target(window_control(found.window), found, found.pixel)
    return Target(None, found, found.pixel)


async def _in_thread(function: Callable[..., T], *given: Any) -> T:
    import asyncio

    return await asyncio.to_thread(function, *given)
