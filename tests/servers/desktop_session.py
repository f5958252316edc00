"""A desktop of its own for tests: Xvfb, a window manager, a private session bus, the accessibility bus, real programs.

Everything started here carries this session's runtime folder in its environment; ending the session ends exactly those
processes. If the test process dies, display and bus die with it, and the programs with them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import psutil
import pytest
from desktop_clients import Accessibility, Seen, Xclient

PROGRAMS = Path(__file__).parent / "desktop_programs"
PATIENCE_S = 60.0
STEP_S = 0.02
SCREEN = "1280x800x24"
SYSTEM_PYTHON = "/usr/bin/python3"
BUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:dir={folder}</listen><auth>EXTERNAL</auth>
<servicedir>{folder}/services</servicedir>
<policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>
"""
T = TypeVar("T")


def until(what: str, check: Callable[[], T], seconds: float = PATIENCE_S) -> T:
    """The first true answer of `check`, which is asked again and again.

    Raises:
        AssertionError: none came in time.
    """
    deadline = time.monotonic() + seconds
    while not (found := check()):
        assert time.monotonic() < deadline, f"waited {seconds:g} s for {what}"
        threading.Event().wait(STEP_S)
    return found


@dataclass
class Program:
    """A program on the display: the leader of its own process group, telling what happens to it in lines of JSON."""

    process: subprocess.Popen[bytes]
    log: Path
    title: str
    display: Xclient

    @property
    def pid(self) -> int:
        return self.process.pid

    def told(self) -> list[dict[str, Any]]:
        """Everything the program has said so far."""
        lines = self.log.read_text(encoding="utf-8").split("\n")[:-1]
        return [json.loads(line) for line in lines if line.startswith("{")]

    def tells(self, event: str, **values: Any) -> dict[str, Any]:
        """The first thing it says of this kind with these values, waited for."""

        def found() -> dict[str, Any] | None:
            matching = (each for each in self.told() if each["event"] == event and each | values == each)
            return next(matching, None)

        return until(f"{self.title} to tell {event} {values}; it told {self.told()}", found)

    def window(self, title: str | None = None) -> Seen:
        """Its window of this title, waited for."""
        wanted = title or self.title

        def found() -> Seen | None:
            assert self.process.poll() is None, f"{wanted} ended: {self.log.read_text()[-2000:]}"
            return next((each for each in self.display.windows() if each.title == wanted), None)

        return until(f"the window {wanted!r}", found)

    def freeze(self) -> None:
        """It answers nothing any more, as in a loop of its own."""
        os.killpg(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.killpg(self.pid, signal.SIGCONT)

    def end(self) -> None:
        """End the whole process group, however it behaves."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait(PATIENCE_S)


@dataclass
class DesktopSession:
    """A running desktop.

    Attributes:
        folder: its private runtime folder, short enough for socket names.
        environ: what a process needs to be on this desktop; the whole environment of its programs.
        display: a client of the tests' own.
        accessibility: the accessibility bus.
    """

    folder: Path
    environ: dict[str, str]
    display: Xclient
    accessibility: Accessibility
    programs: list[Program] = field(default_factory=list)

    def start(self, words: list[str], title: str, **environ: str) -> Program:
        """Start a command whose window will have this title."""
        log = self.folder / f"program-{len(list(self.folder.glob('program-*')))}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                words,
                env={**self.environ, **environ},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                start_new_session=True,
            )
        program = Program(process, log, title, self.display)
        self.programs.append(program)
        return program

    def run(self, name: str, *words: str, title: str | None = None, **environ: str) -> Program:
        """Start one of `desktop_programs` (`gtk3`, `gtk4`, `qt6`, `tk`) and wait for its window."""
        shown = title or f"{name} form"
        line = [SYSTEM_PYTHON, str(PROGRAMS / f"{name}.py"), "--title", shown, *words]
        program = self.start(line, shown, **environ)
        program.window()
        program.tells("ready")
        return program

    def chromium(self, page: Path, title: str, *flags: str) -> Program:
        """A browser's window without its frame, as an Electron program has, on a page with this title."""
        profile = Path(tempfile.mkdtemp(dir=self.folder))
        words = [
            *(_found("chromium"), "--no-sandbox", "--no-first-run", "--disable-gpu", "--password-store=basic"),
            *(
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--lang=en-US",
                "--test-type",
            ),
            *(f"--user-data-dir={profile}", "--window-size=500,420", f"--app={page.as_uri()}", *flags),
        ]
        program = self.start(words, title)
        program.window()
        return program

    def end_launched(self, name: str) -> None:
        """End programs of this name on this desktop that the code under test has started."""
        for process in belonging(self.folder):
            try:
                if process.name() == name:
                    process.kill()
            except psutil.NoSuchProcess:
                continue
        until("the windows to go", lambda: not self.display.windows())

    def end_programs(self) -> None:
        """End every program started so far and wait until its windows are gone."""
        ended, self.programs = self.programs, []
        for program in ended:
            program.end()
        until("the windows to go", lambda: not self.display.windows())


def _found(name: str) -> str:
    path = shutil.which(name)
    assert path is not None, f"{name} is missing; the tests need Debian packages: see scripts/system.sh"
    return path


def _dying_with_us(*words: str) -> list[str]:
    return [_found("setpriv"), "--pdeathsig", "KILL", *words]


def _display(folder: Path, screens: tuple[str, ...], environ: dict[str, str]) -> tuple[subprocess.Popen[bytes], str]:
    """Start Xvfb on a number that is free.

    Returns:
        The process and the display's name.
    """
    reading, writing = os.pipe()
    sizes = [word for number, size in enumerate(screens) for word in ("-screen", str(number), size)]
    words = [_found("Xvfb"), "-displayfd", str(writing), *sizes, "-nolisten", "tcp", "-noreset", *_several(screens)]
    try:
        with (folder / "display.log").open("wb") as log:
            process = subprocess.Popen(
                _dying_with_us(*words),
                env=environ,
                pass_fds=[writing],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
    finally:
        os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        number = pipe.readline().strip()
    assert number, (folder / "display.log").read_text()
    return process, f":{number.decode()}"


def _several(screens: tuple[str, ...]) -> tuple[str, ...]:
    return ("+xinerama",) if len(screens) > 1 else ()


def _bus(folder: Path, environ: dict[str, str]) -> tuple[subprocess.Popen[bytes], str]:
    """Start a session bus that can start nothing but the accessibility bus.

    Returns:
        The process and its address.
    """
    service = Path("/usr/share/dbus-1/services/org.a11y.Bus.service")
    assert service.is_file(), "at-spi2-core is missing; the tests need Debian packages: see scripts/system.sh"
    (folder / "services").mkdir()
    lines = [line for line in service.read_text().splitlines() if not line.startswith("SystemdService")]
    (folder / "services" / service.name).write_text("\n".join(lines) + "\n")
    (folder / "bus.conf").write_text(BUS_CONFIG.format(folder=folder))
    words = [_found("dbus-daemon"), f"--config-file={folder / 'bus.conf'}", "--nofork", "--nopidfile"]
    with (folder / "bus.log").open("wb") as log:
        process = subprocess.Popen(
            _dying_with_us(*words, "--print-address=1"),
            env=environ,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
    assert process.stdout is not None
    with process.stdout:
        address = process.stdout.readline().decode().strip()
    assert re.match("unix:", address), (folder / "bus.log").read_text()
    return process, address


def belonging(folder: Path) -> list[psutil.Process]:
    """Processes, other than this one, that carry a session's runtime folder in their environment."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.environ().get("XDG_RUNTIME_DIR") == str(folder):
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
            continue
    return found


def _end(folder: Path) -> None:
    """End what belongs to a session and wait for it to be gone."""

    def gone() -> bool:
        left = belonging(folder)
        for process in left:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
        psutil.wait_procs(left, timeout=PATIENCE_S)
        return not left

    until("the desktop to end", gone)


@contextmanager
def desktop_session(*screens: str, window_manager: bool = True, assistive: bool = True) -> Iterator[DesktopSession]:
    """A desktop that lives as long as the block.

    Args:
        screens: sizes with depth, side by side from left to right; one of 1280x800 by default.
        window_manager: whether anything manages its windows.
        assistive: whether the session says that assistive programs are in use. GTK shows its trees in any case; Qt 6.4
            has none without, and Chromium none without both this and `--force-renderer-accessibility`.
    """
    folder = Path(tempfile.mkdtemp(prefix="desk-"))
    folder.chmod(0o700)
    started: list[subprocess.Popen[bytes]] = []
    try:
        environ = _surroundings(folder)
        process, environ["DISPLAY"] = _display(folder, screens or (SCREEN,), environ)
        started.append(process)
        process, environ["DBUS_SESSION_BUS_ADDRESS"] = _bus(folder, environ)
        started.append(process)
        Accessibility.switch(environ["DBUS_SESSION_BUS_ADDRESS"], on=assistive)
        with (
            closing(Xclient(environ["DISPLAY"])) as display,
            closing(Accessibility(environ["DBUS_SESSION_BUS_ADDRESS"])) as accessibility,
        ):
            session = DesktopSession(folder, environ, display, accessibility)
            if window_manager:
                started.append(session.start([_found("openbox"), "--sm-disable"], "openbox").process)
                session.programs.clear()
                until("the window manager", lambda: display.managed)
            yield session
            for program in session.programs:
                program.end()
    finally:
        _end(folder)
        for process in started:
            process.wait(PATIENCE_S)
        shutil.rmtree(folder, ignore_errors=True)


def _surroundings(folder: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "XDG_RUNTIME_DIR": str(folder),
        "XDG_SESSION_TYPE": "x11",
        "GDK_BACKEND": "x11",
        "GSETTINGS_BACKEND": "memory",
        "GSK_RENDERER": "cairo",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "QT_QPA_PLATFORM": "xcb",
    }


@pytest.fixture(scope="session")
def whole_desktop() -> Iterator[DesktopSession]:
    """The desktop that the tests of one process share."""
    with desktop_session() as session:
        yield session


@pytest.fixture
def desktop(whole_desktop: DesktopSession) -> Iterator[DesktopSession]:
    """A desktop with nothing on it; what a test starts ends with it."""
    yield whole_desktop
    whole_desktop.end_programs()
