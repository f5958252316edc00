"""The log of one run: hash-chained JSON lines, and screenshots by hash, in a private folder or in memory."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from deepseekeyes.automation.codes import RUN_LOG_BROKEN
from deepseekeyes.automation.surface import Shot
from deepseekeyes.automation.tally import Tally
from deepseekeyes.contracts.automation import SurfaceKind
from deepseekeyes.core.atomic import create_exclusive, private_dir, read_file, write_failure, write_private
from deepseekeyes.core.canonical import digest
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import redact
from deepseekeyes.core.secrets import known_values

STEPS = "steps.jsonl"
SHOTS = "screenshots"
DOING = "doing.json"
SCHEMA = "deepseekeyes.run.v1"
KEPT = 500
MEMORY_SHOT_BYTES = 200_000_000
"""Screenshots of a run without a folder; the newest are kept."""

BLOCK = 65_536
SHORTEST = 4
"""Shorter texts hold no secret that the redactor would know; most of a delta's refs are that short."""


def head_line(kind: SurfaceKind, run_id: str, session: str, created_at: str, version: str) -> dict[str, Any]:
    """The first line of a log; its digest is where the chain starts."""
    content = {
        "schema": SCHEMA,
        "kind": kind,
        "runId": run_id,
        "session": session,
        "createdAt": created_at,
        "version": version,
        "keyedDigests": "hmac-sha256/run",
    }
    return {**content, "headSha256": digest(content)}


class RunLog:
    """Appends steps; each names the digest of the one before.

    Args:
        folder: of the run; None keeps everything in memory.
        head: the first line (`head_line`).
        count: steps that are in the file already.
        last: digest of the last line.
        kept: steps held in memory; with a folder the rest is read back when asked for, without one it is counted only.

    Attributes:
        dropped: counts of the steps that are not kept anywhere any more.
    """

    def __init__(
        self,
        folder: Path | None,
        head: Mapping[str, Any],
        *,
        count: int = 0,
        last: str | None = None,
        kept: int = KEPT,
    ) -> None:
        self.folder = folder
        self.head = dict(head)
        self.count = count
        self.last = last or str(head["headSha256"])
        self._kept: deque[dict[str, Any]] = deque(maxlen=kept)
        self._shots: dict[str, bytes] = {}
        self._shot_bytes = 0
        self.dropped = Tally()

    @classmethod
    def create(cls, folder: Path | None, head: Mapping[str, Any], *, kept: int = KEPT) -> RunLog:
        """Start a log; its first line is written at once.

        Raises:
            EyesError: DISK_FULL, HOME_NOT_WRITABLE, WRITE_FAILED.
        """
        log = cls(folder, head, kept=kept)
        if folder is not None:
            private_dir(folder)
            log._write(_line(log.head))
        return log

    @classmethod
    def resume(cls, folder: Path, *, kept: int = KEPT) -> RunLog:
        """Take up the log of a run that another process wrote; a torn last line is cut off.

        Only the two ends of the file are read, so this takes the same time for every length.

        Raises:
            EyesError: RUN_LOG_BROKEN when the file is missing or no log.
        """
        path = folder / STEPS
        try:
            with path.open("r+b") as file:
                head = _parsed(file.readline())
                tail, torn = _last_line(file)
                if torn:
                    file.truncate(file.tell() - torn)
        except OSError:
            head = tail = None
        last = _parsed(tail) if tail is not None else None
        if head is None or last is None or head.get("schema") != SCHEMA:
            raise EyesError(RUN_LOG_BROKEN, "The log of this run cannot be continued.", folder=folder)
        if "stepSha256" not in last:
            return cls(folder, head, kept=kept)
        return cls(folder, head, count=int(last["index"]), last=str(last["stepSha256"]), kept=kept)

    @classmethod
    def restored(
        cls,
        head: Mapping[str, Any],
        steps: Iterable[Mapping[str, Any]],
        dropped: Mapping[str, Any],
        *,
        kept: int = KEPT,
    ) -> RunLog:
        """A log in memory as a session document kept it; its screenshots are gone."""
        rows = [dict(row) for row in steps]
        count, last = (rows[-1]["index"], str(rows[-1]["stepSha256"])) if rows else (0, None)
        log = cls(None, head, count=count, last=last, kept=kept)
        log._kept.extend(rows)
        log.dropped = Tally.from_json(dropped)
        return log

    @property
    def run_id(self) -> str:
        return str(self.head["runId"])

    def begin(self, action: str, at: str) -> None:
        """Leave word of what is about to be done, for whoever finds the run after a crash."""
        if self.folder is not None:
            write_private(self.folder / DOING, _line({"action": action, "at": at, "after": self.count}), durable=False)

    def append(self, step: Mapping[str, Any]) -> dict[str, Any]:
        """Write one step before anybody hears of it; secrets this process knows are taken out of every text.

        Args:
            step: its content without `index`, `previousSha256` and `stepSha256`.

        Returns:
            The stored line.

        Raises:
            EyesError: DISK_FULL, HOME_NOT_WRITABLE, WRITE_FAILED.
        """
        secrets = known_values()
        content = _clean(dict(step), secrets)
        content["index"] = self.count + 1
        content["previousSha256"] = self.last
        row = {**content, "stepSha256": digest(content)}
        if self.folder is not None:
            self._write(_line(row))
        self.count += 1
        self.last = row["stepSha256"]
        if self.folder is None and len(self._kept) == self._kept.maxlen:
            self.dropped.add(self._kept[0])
        self._kept.append(row)
        self.done()
        return row

    def done(self) -> None:
        """Nothing is under way any more."""
        if self.folder is not None:
            with suppress(OSError):
                (self.folder / DOING).unlink()

    def keep(self, shot: Shot) -> None:
        """Store a screenshot under its hash, once."""
        if shot.data is None:
            return
        if self.folder is None:
            self._hold(shot.sha256, shot.data)
        else:
            create_exclusive(self.folder / SHOTS / f"{shot.sha256}.png", shot.data, durable=False)

    def _hold(self, sha256: str, data: bytes) -> None:
        """Keep a screenshot in memory; the oldest go when there are too many bytes of them."""
        if sha256 in self._shots:
            return
        self._shots[sha256] = data
        self._shot_bytes += len(data)
        while self._shot_bytes > MEMORY_SHOT_BYTES and len(self._shots) > 1:
            self._shot_bytes -= len(self._shots.pop(next(iter(self._shots))))

    def picture(self, sha256: str) -> bytes | None:
        """The bytes of a stored screenshot, unchecked."""
        if self.folder is None:
            return self._shots.get(sha256)
        return read_file(self.folder / SHOTS / f"{sha256}.png")

    def steps(self) -> Iterator[dict[str, Any]]:
        """Every step in order."""
        if self.folder is None or len(self._kept) == self.count:
            yield from list(self._kept)
            return
        with (self.folder / STEPS).open("rb") as file:
            for line in islice(file, 1, self.count + 1):
                row = _parsed(line)
                if row is not None:
                    yield row

    def flush(self) -> None:
        """Bring the log to the disk itself, before a report is written over it."""
        if self.folder is None:
            return
        descriptor = os.open(self.folder / STEPS, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _write(self, line: bytes) -> None:
        assert self.folder is not None
        path = self.folder / STEPS
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            descriptor = os.open(path, flags, 0o600)
            try:
                _whole(descriptor, line)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise write_failure(error, path) from error


def _whole(descriptor: int, line: bytes) -> None:
    """Write a line or take back the part of it that was written."""
    start = os.fstat(descriptor).st_size
    view = memoryview(line)
    try:
        while view:
            view = view[os.write(descriptor, view) :]
    except OSError:
        with suppress(OSError):
            os.ftruncate(descriptor, start)
        raise


def _last_line(file: BinaryIO) -> tuple[bytes | None, int]:
    """The last complete line, and how many bytes of a torn one follow it; the file is left at its end."""
    end = file.seek(0, os.SEEK_END)
    tail = b""
    start = end
    while start > 0 and tail.count(b"\n") < 2:
        start = max(0, start - BLOCK)
        file.seek(start)
        tail = file.read(min(BLOCK, end - start - len(tail))) + tail
    file.seek(end)
    *whole, torn = tail.split(b"\n")
    return (whole[-1] if whole else None), len(torn)


def _line(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) else None


_DIGESTS = frozenset({"sha256", "pixelDigest", "digest", "stateId", "stateBefore", "fromStateId", "key"})


def _clean(value: Any, secrets: tuple[str, ...], name: str = "") -> Any:
    """A JSON value with secrets removed from every text; digests of ours stay as they are."""
    if isinstance(value, str):
        return value if len(value) < SHORTEST or name in _DIGESTS else redact(value, secrets)
    if isinstance(value, dict):
        return {key: _clean(item, secrets, key) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item, secrets, name) for item in value]
    return value
