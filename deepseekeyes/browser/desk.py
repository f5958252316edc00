"""The browser sessions of one process."""

from __future__ import annotations

from dataclasses import dataclass

from deepseekeyes.automation.run import Run
from deepseekeyes.browser.codes import BROWSER_NOT_OPEN
from deepseekeyes.browser.ports import Live
from deepseekeyes.core.errors import EyesError


@dataclass(frozen=True, slots=True)
class Session:
    """A live browser and the run that records it."""

    name: str
    run: Run
    live: Live


class Desk:
    """Holds what is open; empty in a process that never opened anything."""

    def __init__(self) -> None:
        self._open: dict[str, Session] = {}

    def get(self, name: str) -> Session:
        """A session by name.

        Raises:
            EyesError: BROWSER_NOT_OPEN.
        """
        found = self._open.get(name)
        if found is None:
            raise EyesError(
                BROWSER_NOT_OPEN, f"There is no browser session named {name[:40]!r}.", details={"dispatched": "no"}
            )
        return found

    def find(self, name: str) -> Session | None:
        return self._open.get(name)

    def put(self, session: Session) -> None:
        self._open[session.name] = session

    async def end(self, name: str) -> Session | None:
        """Close one session's browser and its run."""
        found = self._open.pop(name, None)
        if found is not None:
            await found.live.close()
            found.run.close()
        return found

    async def end_all(self) -> None:
        """Close everything, for the end of the process."""
        for name in list(self._open):
            await self.end(name)
