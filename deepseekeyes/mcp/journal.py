"""The markers of a run: one line for each nested call, so that an outer program's result can be traced back."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from deepseekeyes.core.atomic import private_dir
from deepseekeyes.core.canonical import canonical, digest
from deepseekeyes.core.clock import Clock, rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.codes import MCP_RESULT_CONTEXT_UNAVAILABLE, MCP_RUN_INVALID

SCHEMA = "deepseekeyes.mcp-context.v1"
PREFIX = "[DeepSeekEyes MCP context]\n"
MAX_BYTES = 16 * 1024 * 1024

_RUN = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")


def check_run(run: str) -> str:
    """A run id that is safe as a file name.

    Raises:
        EyesError: MCP_RUN_INVALID.
    """
    if _RUN.fullmatch(run) is None:
        raise EyesError(MCP_RUN_INVALID, f"{run[:64]!r} is no run id.")
    return run


def marker(
    tool: str,
    status: Literal["success", "error"],
    *,
    result_sha256: str | None = None,
    error_code: str | None = None,
    images: Sequence[str] = (),
) -> dict[str, Any]:
    """What a run remembers of one call: no text of the result, no arguments."""
    content: dict[str, Any] = {"schemaVersion": SCHEMA, "tool": tool, "status": status}
    if status == "success":
        content["resultSha256"] = result_sha256
    else:
        content["errorCode"] = error_code
        content["errorSha256"] = digest({"tool": tool, "status": status, "errorCode": error_code})
    content["imageCount"] = len(images)
    content["images"] = list(images)
    return content


@dataclass(slots=True)
class Line:
    """A place in a journal, opened before anything is sent. Takes at most one marker."""

    _descriptor: int
    _clock: Clock
    _written: bool = False

    def write(self, content: dict[str, Any]) -> str | None:
        """Append the marker; returns a code when that failed, since the call itself has already happened."""
        if self._written:
            return None
        self._written = True
        line = canonical({**content, "at": rfc3339(self._clock.now())}).encode() + b"\n"
        try:
            os.write(self._descriptor, line)
        except OSError:
            return MCP_RESULT_CONTEXT_UNAVAILABLE.name
        return None

    def close(self) -> None:
        """Let go of the file."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class RunJournal:
    """Journals under `mcp-runs/<run>.jsonl`.

    Args:
        root: the folder; None has no journals, so that nested calls are refused.
    """

    def __init__(self, root: Path | None, clock: Clock) -> None:
        self._root = root
        self._clock = clock

    def begin(self, run: str) -> Line:
        """Open a run's journal for one marker.

        Raises:
            EyesError: MCP_RUN_INVALID; MCP_RESULT_CONTEXT_UNAVAILABLE when it cannot be written or is full.
        """
        check_run(run)
        if self._root is None:
            raise EyesError(MCP_RESULT_CONTEXT_UNAVAILABLE, "There is no place for run journals.", **_UNSENT)
        path = self._path(run)
        try:
            private_dir(path.parent)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
            descriptor = os.open(path, flags, 0o600)
        except (OSError, EyesError) as refused:
            raise EyesError(
                MCP_RESULT_CONTEXT_UNAVAILABLE, f"The journal of the run {run} cannot be written.", **_UNSENT
            ) from refused
        if os.fstat(descriptor).st_size > MAX_BYTES:
            os.close(descriptor)
            raise EyesError(MCP_RESULT_CONTEXT_UNAVAILABLE, f"The journal of the run {run} is full.", **_UNSENT)
        return Line(descriptor, self._clock)

    def markers(self, run: str) -> tuple[dict[str, Any], ...]:
        """The markers of a run, oldest first; a line that a killed writer cut is left out."""
        if self._root is None:
            return ()
        try:
            lines = self._path(check_run(run)).read_bytes().splitlines()
        except OSError:
            return ()
        found = (_parsed(line) for line in lines)
        return tuple(each for each in found if each is not None)

    def runs(self) -> tuple[str, ...]:
        """Runs that have a journal, by name."""
        if self._root is None or not self._root.is_dir():
            return ()
        names = (path.name.removesuffix(".jsonl") for path in self._root.glob("*.jsonl"))
        return tuple(sorted(name for name in names if _RUN.fullmatch(name)))

    def end(self, run: str) -> bool:
        """Remove a run's journal; False when there was none."""
        if self._root is None:
            return False
        try:
            self._path(check_run(run)).unlink()
        except OSError:
            return False
        return True

    def _path(self, run: str) -> Path:
        assert self._root is not None
        return self._root / f"{run}.jsonl"


_UNSENT: dict[str, Any] = {"details": {"dispatched": "no"}}


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) and found.get("schemaVersion") == SCHEMA else None
