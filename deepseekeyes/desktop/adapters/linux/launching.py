"""Starts programs and finds the windows they bring."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.adapters.linux.processes import alive, descends_from
from deepseekeyes.desktop.adapters.linux.windows import Listed
from deepseekeyes.desktop.codes import DESKTOP_LAUNCH_FAILED
from deepseekeyes.desktop.ports import Launched

POLL_S = 0.03
MAIN_KINDS = {"normal", "dialog", "utility"}


class Lists(Protocol):
    """The windows of a display."""

    def listed(self) -> Sequence[Listed]: ...

    def active_number(self) -> int | None: ...


@dataclass(slots=True)
class Launching:
    """Starts programs on one display.

    Attributes:
        place: variables that lead a program to this display.
    """

    windows: Lists
    place: Mapping[str, str]
    _children: set[int] = field(default_factory=set)

    def launch(self, argv: Sequence[str], environment: Mapping[str, str], wait_s: float) -> Launched:
        """Start a program, detached and without a shell, and wait for its first window.

        A program that hands over to an older process of its own counts when that one shows a new window or comes to
        the front.

        Raises:
            EyesError: DESKTOP_LAUNCH_FAILED.
        """
        program = self._program(argv, environment)
        before = self.windows.listed()
        active = self.windows.active_number()
        pid = self._start(program, argv, environment)
        end = time.monotonic() + wait_s
        while True:
            found, reused = self._appeared(pid, Path(program).name, before, active)
            ended = self._ended(pid)
            if found or time.monotonic() >= end or (ended not in {None, 0}):
                break
            time.sleep(POLL_S)
        if not found and ended not in {None, 0}:
            raise EyesError(
                DESKTOP_LAUNCH_FAILED,
                f"{Path(program).name} ended at once with status {ended}.",
                details={"dispatched": "yes"},
            )
        return Launched(pid, program, found, reused)

    def _program(self, argv: Sequence[str], environment: Mapping[str, str]) -> str:
        name = argv[0] if argv else ""
        found = shutil.which(name, path=environment.get("PATH") or os.defpath) if name else None
        if found is None:
            raise EyesError(DESKTOP_LAUNCH_FAILED, f"There is no program {name[:80]!r}.", details={"dispatched": "no"})
        return found

    def reap(self) -> None:
        """Take note of the programs of ours that have ended."""
        for pid in tuple(self._children):
            self._ended(pid)

    def _ended(self, pid: int) -> int | None:
        """The exit status of a program of ours; None while it runs."""
        try:
            found, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            self._children.discard(pid)
            return 0
        if not found:
            return None
        self._children.discard(pid)
        return os.waitstatus_to_exitcode(status)

    def _start(self, program: str, argv: Sequence[str], environment: Mapping[str, str]) -> int:
        """Start it in a session of its own, with nothing of ours but the environment."""
        null = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
        variables = {**environment, **self.place}
        try:
            pid = os.posix_spawn(program, list(argv), variables, file_actions=null, setsid=True)
        except OSError as failed:
            raise EyesError(
                DESKTOP_LAUNCH_FAILED,
                f"{Path(program).name} cannot be started: {failed.strerror}.",
                details={"dispatched": "no"},
            ) from failed
        self._children.add(pid)
        return pid

    def _appeared(
        self, pid: int, name: str, before: Sequence[Listed], active: int | None
    ) -> tuple[tuple[str, ...], bool]:
        """Windows that belong to the start, and whether an older process shows them."""
        known = {one.window.identity for one in before}
        now = [one for one in self.windows.listed() if one.window.kind in MAIN_KINDS and not one.override]
        new = [one for one in now if one.window.identity not in known]
        own = tuple(
            one.window.identity for one in new if one.window.pid is not None and descends_from(one.window.pid, pid)
        )
        if own:
            return own, False
        if alive(pid):
            return (), False
        same = [one for one in now if _is_named(one, name)]
        handed = [one for one in same if one.window.identity not in known]
        handed = handed or [one for one in same if one.window.active and one.xid != active]
        return tuple(one.window.identity for one in handed), bool(handed)


def _is_named(one: Listed, name: str) -> bool:
    """Whether a window's program goes by the name of what was started."""
    app, wanted = one.window.app.lower(), name.lower()
    return bool(app) and (app == wanted or wanted.startswith(app) or app.startswith(wanted))
