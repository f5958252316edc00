"""A Wayland session of its own for tests: sway without a screen, and the desktop's real portals.

Only the dialog that asks for leave is on paper, always answered with yes; without one there is no Screenshot portal.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_session import (
    PATIENCE_S,
    PROGRAMS,
    SYSTEM_PYTHON,
    Program,
    _bus,
    _dying_with_us,
    _end,
    _found,
    _surroundings,
    until,
)
from jeepney import HeaderFields, MessageType, new_error, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, DBusConnectionBase, prep_socket

NOBODY = "65534"
PERSON = "org.freedesktop.impl.portal.desktop.paper"
SWAY_CONFIG = "output HEADLESS-1 resolution {width}x{height}\nxwayland disable\n"
PERSON_PORTAL = f"[portal]\nDBusName={PERSON}\nInterfaces=org.freedesktop.impl.portal.Access;\nUseIn=sway;\n"
PORTALS = Path("/usr/share/xdg-desktop-portal/portals")
SERVICES = Path("/usr/share/dbus-1/services")
LIBEXEC = Path("/usr/libexec")
WIDTH, HEIGHT = 800, 600


class PaperDesk:
    """The desktop's dialog that asks a person for leave."""

    def __init__(self, address: str) -> None:
        self._link = DBusConnection(prep_socket(address.removeprefix("unix:path=").partition(",")[0]))
        self._link.send_and_get_reply(message_bus.RequestName(PERSON), timeout=PATIENCE_S)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._link.sock.shutdown(2)
        self._thread.join(PATIENCE_S)
        self._link.close()

    def _serve(self) -> None:
        while True:
            try:
                message = DBusConnectionBase._receive(self._link, None)
            except (OSError, ValueError):
                return
            if message.header.message_type is not MessageType.method_call:
                continue
            if message.header.fields[HeaderFields.member] == "AccessDialog":
                self._link.send(new_method_return(message, "ua{sv}", (0, {})))
            else:
                self._link.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "s", ("no",)))


@dataclass
class WaylandSession:
    """A running session; `environ` is all that a process needs to be on it."""

    folder: Path
    environ: dict[str, str]
    programs: list[Program] = field(default_factory=list)

    def run(self, name: str, title: str) -> Program:
        """Start one of `desktop_programs` and wait until it says that its window is there."""
        log = self.folder / f"program-{len(self.programs)}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [SYSTEM_PYTHON, str(PROGRAMS / f"{name}.py"), "--title", title],
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                start_new_session=True,
            )
        nowhere: Any = None
        program = Program(process, log, title, nowhere)
        self.programs.append(program)
        program.tells("ready")
        return program


def _start(folder: Path, name: str, words: list[str], environ: dict[str, str]) -> subprocess.Popen[bytes]:
    with (folder / f"{name}.log").open("wb") as log:
        return subprocess.Popen(
            _dying_with_us(*words),
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            start_new_session=True,
        )


def _compositor(folder: Path, environ: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start sway, which never runs as root."""
    config = folder / "sway.conf"
    config.write_text(SWAY_CONFIG.format(width=WIDTH, height=HEIGHT))
    words = [_found("sway"), "--config", str(config)]
    if os.geteuid() == 0:
        os.chown(folder, int(NOBODY), int(NOBODY))
        words = [_found("setpriv"), "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", *words]
    headless = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}
    process = _start(folder, "sway", words, {**environ, **headless})

    def listening() -> str | None:
        assert process.poll() is None, (folder / "sway.log").read_text()
        return next((one.name for one in folder.glob("wayland-*") if one.is_socket()), None)

    environ["WAYLAND_DISPLAY"] = until("the compositor", listening)
    return process


def _portals(folder: Path, environ: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Start PipeWire, the portals' part for this compositor, and the portals."""
    place = folder / "portals"
    place.mkdir()
    shutil.copy(PORTALS / "wlr.portal", place)
    (place / "paper.portal").write_text(PERSON_PORTAL)
    environ["XDG_DESKTOP_PORTAL_DIR"] = str(place)
    yield _start(folder, "pipewire", [_found("pipewire")], environ)
    until("PipeWire", lambda: (folder / "pipewire-0").exists())
    yield _start(folder, "wlr", [str(LIBEXEC / "xdg-desktop-portal-wlr")], environ)
    _named(environ, "org.freedesktop.impl.portal.desktop.wlr")
    yield _start(folder, "portal", [str(LIBEXEC / "xdg-desktop-portal")], environ)
    _named(environ, "org.freedesktop.portal.Desktop")


def _named(environ: dict[str, str], name: str) -> None:
    place = environ["DBUS_SESSION_BUS_ADDRESS"].removeprefix("unix:path=").partition(",")[0]
    with DBusConnection(prep_socket(place)) as link:
        until(name, lambda: link.send_and_get_reply(message_bus.NameHasOwner(name), timeout=PATIENCE_S).body[0])


@contextmanager
def wayland_session() -> Iterator[WaylandSession]:
    """A session that lives as long as the block."""
    folder = Path(tempfile.mkdtemp(prefix="way-"))
    folder.chmod(0o700)
    started: list[subprocess.Popen[bytes]] = []
    person: PaperDesk | None = None
    try:
        environ = {
            **_surroundings(folder),
            "XDG_SESSION_TYPE": "wayland",
            "XDG_CURRENT_DESKTOP": "sway",
            "GDK_BACKEND": "wayland",
            "DISPLAY": "",
        }
        started.append(_compositor(folder, environ))
        process, environ["DBUS_SESSION_BUS_ADDRESS"] = _bus(folder, environ)
        started.append(process)
        store = SERVICES / "org.freedesktop.impl.portal.PermissionStore.service"
        lines = [line for line in store.read_text().splitlines() if not line.startswith("SystemdService")]
        (folder / "services" / store.name).write_text("\n".join(lines) + "\n")
        person = PaperDesk(environ["DBUS_SESSION_BUS_ADDRESS"])
        started.extend(_portals(folder, environ))
        session = WaylandSession(folder, environ)
        yield session
        for program in session.programs:
            program.end()
    finally:
        if person is not None:
            person.close()
        _end(folder)
        for process in started:
            process.wait(PATIENCE_S)
        shutil.rmtree(folder, ignore_errors=True)
