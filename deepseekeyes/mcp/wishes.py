"""What one process asks the serving ones to do with a server: a small file each door looks for.

A door that stays holds its own connections; `mcp refresh`, `mcp reconnect` and `mcp approve` are other processes.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, get_args

Verb = Literal["refresh", "reconnect"]
Wish = tuple[str, Verb]

MOST_BYTES = 4096


def leave(folder: Path, server: str, verb: Verb, at: str) -> None:
    """Ask every serving process; the newest wish about a server takes the place of an older one.

    Args:
        folder: where wishes lie.
        server: a server's id.
        verb: what to do.
        at: the moment, RFC 3339; it makes equal wishes differ.

    Raises:
        EyesError: HOME_NOT_WRITABLE, DISK_FULL, WRITE_FAILED.
    """
    from deepseekeyes.core.atomic import private_dir, write_private

    private_dir(folder)
    content = json.dumps({"server": server, "verb": verb, "at": at})
    write_private(folder / f"{server}.json", content.encode(), durable=False)


def left(folder: Path) -> dict[str, tuple[str, Verb]]:
    """The wishes that lie there now: server -> (moment, verb). What cannot be read is no wish."""
    found: dict[str, tuple[str, Verb]] = {}
    with suppress(OSError):
        for path in sorted(folder.glob("*.json")):
            wish = _read(path)
            if wish is not None:
                found[path.stem] = wish
    return found


def _read(path: Path) -> tuple[str, Verb] | None:
    try:
        with path.open("rb") as file:
            stored: Any = json.loads(file.read(MOST_BYTES))
    except (OSError, ValueError):
        return None
    if not isinstance(stored, dict) or stored.get("server") != path.stem or stored.get("verb") not in get_args(Verb):
        return None
    return str(stored.get("at")), stored["verb"]
