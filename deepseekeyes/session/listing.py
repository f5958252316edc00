"""Which sessions live, and the end of those that cannot be asked any more."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from deepseekeyes.contracts.session import SessionEnd, SessionList, SessionRow
from deepseekeyes.session import wire
from deepseekeyes.session.client import bury
from deepseekeyes.session.descriptor import Descriptor, Place, doing, read, sweep
from deepseekeyes.session.orphans import end as end_orphans

ANSWER_S = 1.0
TERM_S = 10.0
KILL_S = 2.0
POLL_S = 0.02


def places(home: Path, kind: str) -> tuple[Place, ...]:
    """Every session of a kind that has a descriptor, by name."""
    folder = home / "run" / kind
    return tuple(Place(folder, kind, path.stem) for path in sorted(folder.glob("*.json")))


def sessions(home: Path, kind: str) -> SessionList:
    """The living sessions of a kind; what the dead left is cleaned up and their names are told."""
    rows: list[SessionRow] = []
    ended: list[str] = []
    for place in places(home, kind):
        descriptor = read(place)
        if descriptor is not None and place.alive:
            rows.append(_row(place, descriptor))
        elif descriptor is not None:
            bury(place, descriptor)
            ended.append(place.name)
        elif not place.alive:
            sweep(place)
    return SessionList(items=tuple(rows), ended=tuple(ended))


def end(place: Place, reason: str) -> SessionEnd | None:
    """End a host by signals, with everything it started, for when it cannot be asked: SIGTERM, then SIGKILL.

    A host that was stopped gets to see its SIGTERM, so that it can put away what it holds.

    Returns:
        What was ended, or None when nothing lived there.
    """
    descriptor = read(place)
    if descriptor is None:
        return None
    if place.alive:
        _signal(descriptor.pid, signal.SIGTERM)
        _signal(descriptor.pid, getattr(signal, "SIGCONT", signal.SIGTERM))
        if not _gone(place, TERM_S):
            _signal(descriptor.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            _gone(place, KILL_S)
    end_orphans(descriptor.mark)
    sweep(place, descriptor)
    return SessionEnd(session=place.name, kind=place.kind, pid=descriptor.pid, reason=reason)


def _row(place: Place, descriptor: Descriptor) -> SessionRow:
    was = doing(place)
    return SessionRow(
        name=place.name,
        kind=place.kind,
        pid=descriptor.pid,
        version=descriptor.version,
        started_at=descriptor.started_at,
        log=str(place.log),
        doing=str(was.get("operation")) if was is not None else None,
        answers=_answers(descriptor),
    )


def _answers(descriptor: Descriptor) -> bool:
    try:
        wire.connect(descriptor.address, ANSWER_S).close()
    except OSError:
        return False
    return True


def _gone(place: Place, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while place.alive:
        if time.monotonic() >= deadline:
            return False
        time.sleep(POLL_S)
    return True


def _signal(pid: int, number: int) -> None:
    with suppress(OSError):
        os.kill(pid, number)
