"""Start a session host as a process of its own that outlives the command."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from deepseekeyes.core.atomic import private_dir, write_failure
from deepseekeyes.core.errors import EyesError
from deepseekeyes.session.codes import SESSION_START_FAILED, SESSION_START_TIMEOUT
from deepseekeyes.session.descriptor import MARK, Place, log_tail
from deepseekeyes.session.wire import raised

SETTING = "session.start_timeout_ms"
COMPILED = "NODE_COMPILE_CACHE"
"""Where programs of Node, such as a browser's driver, keep what they compiled: a quarter less work at a start."""


def start(
    place: Place,
    *,
    home: Path,
    config: str | None,
    environ: Mapping[str, str],
    timeout_s: float,
    entry: str = "deepseekeyes.serve.host:main",
) -> None:
    """Start a host and return when it takes connections.

    The host is told where everything is by its arguments; nothing of the command's own input and output reaches it.
    Somebody who starts the same session at the same moment is as good.

    Args:
        config: what `--config` named.
        entry: `module:function` that the process runs.

    Raises:
        EyesError: SESSION_START_FAILED with the end of the log, SESSION_START_TIMEOUT, or what the host raised.
    """
    private_dir(place.folder)
    module, _, function = entry.partition(":")
    root = str(Path(__file__).resolve().parents[2])
    program = f"import sys; sys.path.append({root!r}); from {module} import {function} as main; sys.exit(main())"
    words = [place.kind, place.name, "--home", str(home), *(["--config", config] if config else [])]
    log = _log(place)
    try:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and code
            [sys.executable, "-P", "-c", program, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            env={COMPILED: str(place.folder / "compiled"), **environ, MARK: secrets.token_hex(16)},
            start_new_session=True,
        )
    except OSError as trouble:
        raise EyesError(
            SESSION_START_FAILED, f"The session host could not be started: {trouble.strerror}.", log=place.log
        ) from trouble
    finally:
        os.close(log)
    # A caller that lives longer than the host must not keep its corpse.
    threading.Thread(target=process.wait, name="session-host", daemon=True).start()
    _await_ready(process, place, timeout_s)


def _log(place: Place) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
    try:
        return os.open(place.log, flags, 0o600)
    except OSError as error:
        raise write_failure(error, place.log) from error


def _await_ready(process: subprocess.Popen[bytes], place: Place, timeout_s: float) -> None:
    assert process.stdout is not None
    answer = _first_line(process.stdout, timeout_s)
    if answer is not None:
        process.stdout.close()
    else:
        process.terminate()
        raise EyesError(
            SESSION_START_TIMEOUT,
            f"The session host was not ready within {timeout_s:g} s.{_quoted(place)}",
            details={"limit": {"name": "start_timeout_ms", "value": timeout_s * 1000, "setting": SETTING}},
            setting=SETTING,
            log=place.log,
        )
    if answer.get("event") in ("ready", "taken"):
        return
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=5)
    if answer.get("event") == "error":
        raise raised(answer["error"])
    raise EyesError(SESSION_START_FAILED, f"The session host ended before it was ready.{_quoted(place)}", log=place.log)


def _first_line(stream: IO[bytes], timeout_s: float) -> dict[str, Any] | None:
    """The first line as an object; empty when the process ended without one, None when time ran out."""
    held: list[bytes] = []
    reader = threading.Thread(target=lambda: held.append(stream.readline()), daemon=True)
    reader.start()
    reader.join(timeout_s)
    if not held:
        return None
    try:
        message = json.loads(held[0])
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _quoted(place: Place) -> str:
    tail = log_tail(place)
    return f" Its log ends with: {' / '.join(tail.splitlines()[-4:])[:600]}" if tail else ""
