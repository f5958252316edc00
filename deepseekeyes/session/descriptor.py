"""Where a live session can be found. A descriptor is published only when its host takes connections."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from deepseekeyes.core.names import safe_name
from deepseekeyes.session.hold import held

SCHEMA = "deepseekeyes.session.v1"
PROTOCOL = 1
MARK = "_DEEPSEEKEYES_HOST_MARK"
"""Environment variable by which children of a host are known when it was killed."""

ADDRESS_BYTES = 100
"""Longest socket path that every system takes."""


@dataclass(frozen=True, slots=True)
class Place:
    """The files of one session in the home's `run` folder."""

    folder: Path
    kind: str
    name: str

    @classmethod
    def of(cls, home: Path, kind: str, name: str) -> Place:
        return cls(home / "run" / kind, kind, safe_name(name))

    @property
    def descriptor(self) -> Path:
        return self.folder / f"{self.name}.json"

    @property
    def lock(self) -> Path:
        return self.folder / f"{self.name}.lock"

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    @property
    def doing(self) -> Path:
        return self.folder / f"{self.name}.doing"

    @property
    def socket(self) -> Path:
        return self.folder / f"{self.name}.sock"

    @property
    def alive(self) -> bool:
        """Whether a host process holds this place."""
        return held(self.lock)


@dataclass(frozen=True, slots=True)
class Descriptor:
    """What a host says about itself.

    Attributes:
        address: `unix:PATH` or `tcp:HOST:PORT`.
        token: asked for where the address protects nothing by itself.
        mark: value of `MARK` in the environment of the host and of its children.
        max_line_bytes: the longest line either side sends.
    """

    kind: str
    name: str
    pid: int
    version: str
    started_at: str
    address: str
    mark: str
    max_line_bytes: int
    token: str | None = field(default=None, repr=False)
    protocol: int = PROTOCOL
    schema: str = SCHEMA


_TYPES: dict[str, type | tuple[type, ...]] = {
    "pid": int,
    "protocol": int,
    "max_line_bytes": int,
    "token": (str, type(None)),
}


def read(place: Place) -> Descriptor | None:
    """The published descriptor; None when there is none that can be understood."""
    try:
        stored = json.loads(place.descriptor.read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(stored, dict) or stored.get("schema") != SCHEMA:
        return None
    return _built(stored)


def publish(place: Place, descriptor: Descriptor) -> None:
    """Make a session findable, in one step."""
    from deepseekeyes.core.atomic import write_private

    write_private(place.descriptor, json.dumps(asdict(descriptor)).encode(), durable=False)


def sweep(place: Place, descriptor: Descriptor | None = None) -> None:
    """Remove what a host left; only its holder or the finder of its corpse calls this. The log stays."""
    descriptor = descriptor or read(place)
    for path in (place.descriptor, place.doing, place.socket):
        with suppress(OSError):
            path.unlink()
    if descriptor is not None and descriptor.address.startswith("unix:"):
        _remove_short(Path(descriptor.address.removeprefix("unix:")), place)


def doing(place: Place) -> dict[str, Any] | None:
    """What the host is (or was) at: `operation` and `at`."""
    try:
        found = json.loads(place.doing.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def socket_path(place: Place) -> Path:
    """Where the socket goes: beside the descriptor, or in a short private folder when that path is too long."""
    if len(os.fsencode(place.socket)) <= ADDRESS_BYTES:
        return place.socket
    import tempfile

    return Path(tempfile.mkdtemp(prefix="deepseekeyes-")) / "s"


def log_tail(place: Place, lines: int = 12) -> str:
    """The end of a host's log, without secrets."""
    from deepseekeyes.core.redact import redact
    from deepseekeyes.core.secrets import known_values

    try:
        with place.log.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 4_096))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return redact("\n".join(text.strip().splitlines()[-lines:]), known_values())


def _built(stored: dict[str, Any]) -> Descriptor | None:
    known = {one.name: stored[one.name] for one in fields(Descriptor) if one.name in stored}
    if any(not isinstance(value, _TYPES.get(name, str)) for name, value in known.items()):
        return None
    try:
        return Descriptor(**known)
    except TypeError:
        return None


def _remove_short(path: Path, place: Place) -> None:
    """Remove a socket that lies in a short folder of ours."""
    if path != place.socket and path.parent.name.startswith("deepseekeyes-"):
        import shutil

        shutil.rmtree(path.parent, ignore_errors=True)
