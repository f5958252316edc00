"""What a Wayland compositor says of itself to anybody: its process, its protocols, its monitors."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.processes import program_name
from deepseekeyes.desktop.codes import DESKTOP_DISPLAY_LOST, DESKTOP_DISPLAY_MISSING, DESKTOP_TIMEOUT
from deepseekeyes.desktop.ports import Monitor

MOST_BYTES = 1_000_000
LONGEST_S = 5.0
DISPLAY, REGISTRY, CALLBACK, FIRST_FREE = 1, 2, 3, 4
SYNC, GET_REGISTRY, BIND, GET_XDG_OUTPUT = 0, 1, 0, 1
"""Requests by their places in the protocols."""
OUTPUT_VERSION, LAYOUT_VERSION = 4, 3
CURRENT_MODE = 1


@dataclass(slots=True)
class _Output:
    """What was told about one monitor: the place in the layout where the compositor says it, else the raw mode."""

    name: str = ""
    x: int = 0
    y: int = 0
    mode: tuple[int, int] = (0, 0)
    turned: bool = False
    scale: int = 1
    place: tuple[int, int] | None = None
    size: tuple[int, int] | None = None

    def bounds(self) -> Box:
        x, y = self.place or (self.x, self.y)
        if self.size is not None:
            return Box(x, y, *self.size)
        width, height = self.mode[::-1] if self.turned else self.mode
        return Box(x, y, width / max(self.scale, 1), height / max(self.scale, 1))


@dataclass(frozen=True, slots=True)
class Compositor:
    """A compositor that answered.

    Attributes:
        program: name of its process; empty when that cannot be told.
        protocols: interface to version.
        monitors: in the compositor's layout; the one at its origin counts as the primary one.
    """

    name: str
    program: str
    protocols: Mapping[str, int]
    monitors: tuple[Monitor, ...]

    @property
    def layout(self) -> Box:
        """What all monitors cover."""
        boxes = [one.bounds for one in self.monitors]
        left, top = min(box.x for box in boxes), min(box.y for box in boxes)
        return Box(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)


def look(environment: Mapping[str, str], timeout_s: float) -> Compositor:
    """Ask the compositor that the environment names.

    Raises:
        EyesError: DESKTOP_DISPLAY_MISSING, DESKTOP_DISPLAY_LOST, DESKTOP_TIMEOUT.
    """
    name = environment.get("WAYLAND_DISPLAY", "").strip()
    deadline = time.monotonic() + min(timeout_s, LONGEST_S)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
        link.settimeout(min(timeout_s, LONGEST_S))
        try:
            link.connect(str(_place(name, environment)))
        except (OSError, ValueError) as wrong:
            raise EyesError(DESKTOP_DISPLAY_MISSING, f"The Wayland display {name[:80]!r} cannot be reached.") from wrong
        try:
            talk = _Talk(link, deadline)
            outputs = talk.outputs()
            program = program_name(_peer(link))
        except TimeoutError as late:
            raise EyesError(DESKTOP_TIMEOUT, f"The Wayland display {name[:80]} did not answer in time.") from late
        except (OSError, struct.error) as gone:
            raise EyesError(DESKTOP_DISPLAY_LOST, f"The Wayland display {name[:80]} has gone away.") from gone
    monitors = _monitors(outputs)
    if not monitors:
        raise EyesError(DESKTOP_DISPLAY_MISSING, f"The Wayland display {name[:80]} has no monitor.")
    return Compositor(name, program, talk.globals_, monitors)


def _place(name: str, environment: Mapping[str, str]) -> Path:
    """Where the compositor listens.

    Raises:
        ValueError: the environment does not say.
    """
    folder = environment.get("XDG_RUNTIME_DIR", "")
    if not name or not (folder or name.startswith("/")):
        raise ValueError("no display is named")
    return Path(folder) / name


def _peer(link: socket.socket) -> int:
    pid, _, _ = struct.unpack("3i", link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return int(pid)


def _monitors(outputs: list[_Output]) -> tuple[Monitor, ...]:
    seen = [(one, one.bounds()) for one in outputs]
    usable = [(one, box) for one, box in seen if box.width > 0 and box.height > 0]
    usable.sort(key=lambda pair: (pair[1][:2] != (0, 0), pair[1].x, pair[1].y))
    return tuple(
        Monitor(index, one.name or f"monitor {index}", box, scale=_scale(one, box), primary=index == 1)
        for index, (one, box) in enumerate(usable, 1)
    )


def _scale(one: _Output, box: Box) -> float:
    width = one.mode[1] if one.turned else one.mode[0]
    return round(width / box.width, 4) if width else float(one.scale)


@dataclass(slots=True)
class _Talk:
    """One conversation: the registry, then the monitors."""

    link: socket.socket
    deadline: float
    globals_: dict[str, int] = field(default_factory=dict)
    _buffer: bytes = b""
    _read: int = 0
    _next: int = FIRST_FREE
    _named: list[tuple[int, str, int]] = field(default_factory=list)

    def outputs(self) -> list[_Output]:
        """All monitors, from two rounds of questions."""
        self._send(DISPLAY, GET_REGISTRY, struct.pack("=I", REGISTRY))
        for object_, code, body in self._round(CALLBACK):
            if object_ == REGISTRY and code == 0:
                number, interface, version = _global(body)
                self._named.append((number, interface, version))
                self.globals_[interface] = max(version, self.globals_.get(interface, 0))
        outputs = {
            self._bound(number, interface, min(version, OUTPUT_VERSION)): _Output()
            for number, interface, version in self._named
            if interface == "wl_output"
        }
        places = self._layout(outputs)
        for object_, code, body in self._round(self._new()):
            if object_ in outputs:
                _output_event(outputs[object_], code, body)
            elif object_ in places:
                _place_event(places[object_], code, body)
        return list(outputs.values())

    def _layout(self, outputs: Mapping[int, _Output]) -> dict[int, _Output]:
        """Ask for the places of monitors in the layout, where the compositor tells them."""
        manager = next((one for one in self._named if one[1] == "zxdg_output_manager_v1"), None)
        if manager is None:
            return {}
        bound = self._bound(manager[0], manager[1], min(manager[2], LAYOUT_VERSION))
        places: dict[int, _Output] = {}
        for number, output in outputs.items():
            place = self._new()
            self._send(bound, GET_XDG_OUTPUT, struct.pack("=II", place, number))
            places[place] = output
        return places

    def _bound(self, number: int, interface: str, version: int) -> int:
        new = self._new()
        body = struct.pack("=I", number) + _text(interface) + struct.pack("=II", version, new)
        self._send(REGISTRY, BIND, body)
        return new

    def _new(self) -> int:
        self._next += 1
        return self._next - 1

    def _send(self, object_: int, code: int, body: bytes) -> None:
        self.link.sendall(struct.pack("=II", object_, (len(body) + 8) << 16 | code) + body)

    def _round(self, callback: int) -> Iterator[tuple[int, int, bytes]]:
        """All events until the compositor has answered what was asked so far."""
        self._send(DISPLAY, SYNC, struct.pack("=I", callback))
        while True:
            object_, code, body = self._event()
            if object_ == callback:
                return
            if object_ == DISPLAY and code == 0:
                raise ConnectionResetError("the compositor refused a request")
            yield object_, code, body

    def _event(self) -> tuple[int, int, bytes]:
        object_, word = struct.unpack("=II", self._take(8))
        return object_, word & 0xFFFF, self._take((word >> 16) - 8)

    def _take(self, count: int) -> bytes:
        if count < 0:
            raise ConnectionResetError("the compositor talks nonsense")
        while len(self._buffer) < count:
            left = self.deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self.link.settimeout(left)
            more = self.link.recv(65_536)
            self._read += len(more)
            if not more or self._read > MOST_BYTES:
                raise ConnectionResetError("the compositor hung up")
            self._buffer += more
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken


def _text(text: str) -> bytes:
    raw = text.encode() + b"\0"
    return struct.pack("=I", len(raw)) + raw + bytes(-len(raw) % 4)


def _read_text(body: bytes, at: int) -> tuple[str, int]:
    (length,) = struct.unpack_from("=I", body, at)
    raw = body[at + 4 : at + 4 + length]
    return raw.rstrip(b"\0").decode("utf-8", "replace"), at + 4 + length + (-length % 4)


def _global(body: bytes) -> tuple[int, str, int]:
    (number,) = struct.unpack_from("=I", body)
    interface, at = _read_text(body, 4)
    (version,) = struct.unpack_from("=I", body, at)
    return int(number), interface, int(version)


def _output_event(output: _Output, code: int, body: bytes) -> None:
    if code == 0:
        output.x, output.y = struct.unpack_from("=ii", body)
        _, at = _read_text(body, 20)
        _, at = _read_text(body, at)
        output.turned = bool(struct.unpack_from("=i", body, at)[0] % 2)
    elif code == 1:
        flags, width, height = struct.unpack_from("=Iii", body)
        if flags & CURRENT_MODE:
            output.mode = (width, height)
    elif code == 3:
        output.scale = struct.unpack_from("=i", body)[0]
    elif code == 4:
        output.name = _read_text(body, 0)[0]


def _place_event(output: _Output, code: int, body: bytes) -> None:
    if code == 0:
        output.place = struct.unpack_from("=ii", body)
    elif code == 1:
        output.size = struct.unpack_from("=ii", body)
    elif code == 3 and not output.name:
        output.name = _read_text(body, 0)[0]
