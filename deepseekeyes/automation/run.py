"""One run: everything a session remembers between two gestures."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deepseekeyes.automation.budget import Budget
from deepseekeyes.automation.keys import Keys
from deepseekeyes.automation.refs import RefBook
from deepseekeyes.automation.runlog import RunLog, head_line
from deepseekeyes.automation.state import state_id
from deepseekeyes.automation.surface import Seen, Snapshot
from deepseekeyes.contracts.automation import SurfaceKind
from deepseekeyes.core.atomic import private_dir
from deepseekeyes.core.canonical import digest
from deepseekeyes.core.clock import Clock, rfc3339
from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    import asyncio

    from deepseekeyes.automation.settings import AutomationSettings


@dataclass(slots=True)
class Run:
    """The state of one run. Only `perform` and `looking` change it.

    Attributes:
        session: the session's name.
        started: wall clock seconds, for the age in the budget.
        newest: the newest observation.
        trusted: False after something was dispatched whose end was not seen; then no state is the newest.
        closed_at: when the run was closed.
    """

    kind: SurfaceKind
    session: str
    log: RunLog
    keys: Keys
    budget: Budget
    clock: Clock
    started: float
    refs: RefBook = field(default_factory=RefBook)
    windows: RefBook = field(default_factory=lambda: RefBook("w"))
    sequence: int = 0
    newest: Seen | None = None
    trusted: bool = True
    closed_at: str | None = None
    _turn: asyncio.Lock | None = None

    @classmethod
    def start(
        cls,
        kind: SurfaceKind,
        session: str,
        *,
        root: Path | None,
        settings: AutomationSettings,
        clock: Clock,
        version: str,
    ) -> Run:
        """A fresh run.

        Args:
            root: folder of runs; the run gets a folder of its own in it. None keeps the run in memory.
            version: of the program, for the log's first line.
        """
        now = clock.now()
        run_id = f"{now:%Y%m%d-%H%M%S}-{clock.new_id().replace('-', '')[:12]}"
        head = head_line(kind, run_id, session, rfc3339(now), version)
        folder = None if root is None else private_dir(root / run_id)
        return cls(
            kind=kind,
            session=session,
            log=RunLog.create(folder, head, kept=settings.kept_steps),
            keys=Keys(),
            budget=Budget(settings.run_actions, settings.run_seconds),
            clock=clock,
            started=now.timestamp(),
        )

    @property
    def id(self) -> str:
        return self.log.run_id

    @property
    def folder(self) -> Path | None:
        return self.log.folder

    @property
    def age_s(self) -> float:
        return max(0.0, self.clock.now().timestamp() - self.started)

    @property
    def state_id(self) -> str | None:
        """The only state id that counts as newest; None when there is none."""
        return self.newest.state_id if self.newest is not None and self.trusted else None

    @property
    def turn(self) -> asyncio.Lock:
        """Held through a whole gesture: of two with one state id, the second finds it old."""
        if self._turn is None:
            import asyncio

            self._turn = asyncio.Lock()
        return self._turn

    def admit(self, snapshot: Snapshot) -> Seen:
        """Give an observation its sequence and state id, store its pixels, and make it the newest."""
        if snapshot.shot is not None:
            self.log.keep(snapshot.shot)
        sequence = self.sequence + 1
        seen = Seen(
            state_id=state_id(self.kind, self.id, sequence, content_sha256(snapshot), snapshot.tail),
            sequence=sequence,
            observed_at=rfc3339(self.clock.now()),
            snapshot=snapshot,
        )
        self.sequence, self.newest, self.trusted = sequence, seen, True
        return seen

    def invalidate(self) -> None:
        """Something may have happened that nobody saw: no earlier state may be acted on."""
        self.trusted = False

    def record(self, step: Mapping[str, Any]) -> dict[str, Any]:
        """Append one step to the log; a state whose step could not be written does not count."""
        try:
            return self.log.append(step)
        except EyesError:
            self.invalidate()
            raise

    def close(self) -> None:
        """End the run: its key goes, so its keyed digests say nothing from here on."""
        if self.closed_at is None:
            self.closed_at = rfc3339(self.clock.now())
            self.invalidate()
            self.keys.close()
            with suppress(OSError):
                self.log.flush()


def content_sha256(snapshot: Snapshot) -> str:
    """What a state id covers: the screenshot's hash, or a digest of what was read where there are no pixels."""
    if snapshot.shot is not None:
        return snapshot.shot.sha256
    controls = [[one.ref, one.role, one.name, one.place] for one in (*snapshot.elements, *snapshot.windows)]
    text = hashlib.sha256(snapshot.text.encode("utf-8", "surrogatepass")).hexdigest()
    return digest([snapshot.scope, text, controls])
