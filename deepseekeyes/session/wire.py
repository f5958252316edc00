"""JSON lines over a private socket: a Unix socket where there is one, loopback with a token elsewhere."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deepseekeyes.core.errors import Code, Details, EyesError
from deepseekeyes.session.codes import SESSION_LINE_LIMIT, SESSION_PROTOCOL

CHUNK = 65_536
SETTING = "session.max_line_bytes"


def encoded(message: dict[str, Any], limit: int) -> bytes:
    """One message as one line.

    Raises:
        EyesError: SESSION_LINE_LIMIT.
    """
    line = json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    if len(line) > limit:
        raise line_limit(limit)
    return line


def decoded(line: bytes) -> dict[str, Any]:
    """One line as a message.

    Raises:
        EyesError: SESSION_PROTOCOL when it is no JSON object.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise EyesError(SESSION_PROTOCOL, "A line of the session is not a JSON object.")
    return message


def line_limit(limit: int) -> EyesError:
    """The failure of a line that is too long."""
    return EyesError(
        SESSION_LINE_LIMIT,
        f"A line of the session would be longer than {limit} bytes.",
        details={"limit": {"name": "max_line_bytes", "value": limit, "setting": SETTING}},
        setting=SETTING,
    )


def connect(address: str, timeout_s: float) -> socket.socket:
    """A connected socket.

    Args:
        address: `unix:PATH` or `tcp:HOST:PORT`.

    Raises:
        OSError: nobody listens there.
    """
    scheme, _, rest = address.partition(":")
    if scheme == "unix":
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        target: Any = str(Path(rest))
    else:
        host, _, port = rest.rpartition(":")
        connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        target = (host, int(port))
    connection.settimeout(timeout_s)
    try:
        connection.connect(target)
    except BaseException:
        connection.close()
        raise
    return connection


def lines(connection: socket.socket, limit: int) -> Iterator[bytes]:
    """Complete lines until the other side closes; a torn last one is dropped.

    Raises:
        EyesError: SESSION_LINE_LIMIT.
        OSError: the connection broke, or its timeout passed in silence.
    """
    held = bytearray()
    while True:
        chunk = connection.recv(CHUNK)
        if not chunk:
            return
        held += chunk
        while (end := held.find(b"\n")) >= 0:
            yield bytes(held[:end])
            del held[: end + 1]
        if len(held) > limit:
            raise line_limit(limit)


def told(failed: EyesError) -> dict[str, Any]:
    """A failure as the other side can raise it."""
    return {
        "code": failed.code.name,
        "kind": failed.kind,
        "hint": failed.hint,
        "message": failed.message,
        "details": dict(failed.details),
    }


def raised(body: dict[str, Any]) -> EyesError:
    """A failure that the other side told."""
    details: Details = {**(body.get("details") or {})}  # type: ignore[typeddict-item]
    return EyesError(Code(body["code"], body["kind"], body["hint"]), body["message"], details=details)
