"""The ledger as the operations write to it: trouble is reported once and never fails the work."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from collections.abc import Callable

    from deepseekeyes.contracts.attempt import Attempt
    from deepseekeyes.contracts.evidence import Persistence
    from deepseekeyes.contracts.usage import UsageEvent
    from deepseekeyes.mcp.deps import Entry
    from deepseekeyes.store.ledger import Ledger
    from deepseekeyes.wiring.app import App


class Books:
    """Attempts and usage of one process."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._code: str | None = None

    @cached_property
    def ledger(self) -> Ledger:
        from deepseekeyes.store.ledger import Ledger

        settings = self._app.settings.ledger
        return Ledger(
            self._app.places.ledger,
            limits=settings.limits(),
            silenced=settings.silenced(),
            sessions_kept=settings.usage_sessions,
            busy_timeout_ms=settings.busy_timeout_ms,
            quarantine=self._app.places.quarantine,
        )

    def attempt(self, attempt: Attempt) -> None:
        """Write one attempt row."""
        self.attempt_row(attempt.model_dump(mode="json", by_alias=True))

    def attempt_row(self, row: dict[str, Any]) -> None:
        """Write one attempt row that is JSON already; a reading that the cache served is counted as usage, too."""
        self._write({"attempts": [(None, row)]}, hit=row if row["status"] == "cache-hit" else None)

    def usage(self, event: UsageEvent) -> None:
        """Write one usage row."""
        self._append("usage", event.model_dump(mode="json", by_alias=True))

    def external(self, entry: Callable[[], Entry]) -> str | None:
        """Write what an external call leaves, in one transaction; returns the code when it could not be written.

        A process that serves does not wait for the disk, nor for other processes at the ledger: the code is then that
        of what was written before.
        """
        if not self._app.serving:
            return self._write(_rows(entry()))
        self.ledger.extend_later(lambda: _rows(entry()), self._failed)
        return self._code

    def persistence(self) -> Persistence:
        """Whether everything was written down so far."""
        from deepseekeyes.contracts.evidence import Persistence

        return Persistence(healthy=self._code is None, code=self._code)

    def trouble(self) -> str | None:
        """The code of what could not be written down so far."""
        return self._code

    def opened(self) -> list[Ledger]:
        """The ledger, if it was asked for."""
        return [self.ledger] if "ledger" in self.__dict__ else []

    def close(self) -> None:
        if "ledger" in self.__dict__:
            self.ledger.close()

    def _append(self, table: str, row: dict[str, Any]) -> None:
        self._write({table: [(None, row)]})

    def _write(
        self, rows: dict[str, list[tuple[str | None, dict[str, Any]]]], *, hit: dict[str, Any] | None = None
    ) -> str | None:
        try:
            self.ledger.extend_each(rows, hit=hit)
        except EyesError as trouble:
            self._failed(trouble)
            return trouble.code.name
        return None

    def _failed(self, trouble: EyesError) -> None:
        if self._code is None:
            self._app.door.note(f"The ledger was not written ({trouble.code.name}): {trouble.message}")
        self._code = trouble.code.name


def _rows(entry: Entry) -> dict[str, list[tuple[str | None, dict[str, Any]]]]:
    rows: dict[str, list[tuple[str | None, dict[str, Any]]]] = {}
    if entry.usage is not None:
        rows["usage"] = [(None, entry.usage.model_dump(mode="json", by_alias=True))]
    if entry.audit is not None:
        rows["audit"] = [(entry.run, entry.audit)]
    return rows
