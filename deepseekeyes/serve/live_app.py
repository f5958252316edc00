"""The app behind a running door: exchanged as a whole when its configuration has changed and is sound."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.catalog_file import FILE as CATALOG_FILE
from deepseekeyes.serve.served_door import say

if TYPE_CHECKING:
    from deepseekeyes.wiring.app import App

Stamp = tuple[tuple[str, int, int, int] | None, ...]
TakeOver = Callable[["App", "App"], Awaitable[None]]


class LiveApp:
    """Lends the app that is in force to one call after another.

    Args:
        open_app: opens an app from the files and the environment as they are now.
        take_over: moves connections from the old app to the new one, revoking first what is no longer allowed.
    """

    def __init__(self, open_app: Callable[[], App], take_over: TakeOver | None = None) -> None:
        self._open = open_app
        self._take_over = take_over
        self._uses: dict[int, int] = {}
        self._old: dict[int, App] = {}
        self._exchange = asyncio.Lock()
        self.generation = 0
        self.app = open_app()
        self._stamp = _stamp(self.app)

    @asynccontextmanager
    async def use(self) -> AsyncIterator[App]:
        """The app in force, kept open until the block ends even if it is exchanged meanwhile."""
        await self.refresh()
        app = self.app
        self._uses[id(app)] = self._uses.get(id(app), 0) + 1
        try:
            yield app
        finally:
            self._uses[id(app)] -= 1
            if not self._uses[id(app)]:
                del self._uses[id(app)]
                self._retire(self._old.get(id(app)))

    async def refresh(self) -> bool:
        """Exchange the app when a file that it was made from has changed; an unsound change is said and left aside."""
        if _stamp(self.app) == self._stamp:
            return False
        async with self._exchange:
            stamp = _stamp(self.app)
            if stamp == self._stamp:
                return False
            self._stamp = stamp
            fresh = self._opened()
            if fresh is None:
                return False
            old = self.app
            if self._take_over is not None:
                await self._take_over(old, fresh)
            self.app = fresh
            self.generation += 1
            self._old[id(old)] = old
            if id(old) not in self._uses:
                self._retire(old)
            say("note: the configuration has changed and is in force now.")
            return True

    async def aclose(self) -> None:
        """Close every app and what lives in the one in force."""
        for app in self._old.values():
            app.close()
        self._old.clear()
        await self.app.aclose()

    def _opened(self) -> App | None:
        fresh = self._open()
        try:
            _ = fresh.settings, fresh.routes.catalog
        except EyesError as wrong:
            say(f"warning: the changed configuration is not used: {wrong.code.name}: {wrong.message}")
            fresh.close()
            return None
        return fresh

    def _retire(self, app: App | None) -> None:
        if app is not None and app is not self.app and self._old.pop(id(app), None) is not None:
            app.close()


def _stamp(app: App) -> Stamp:
    from deepseekeyes.config.sources import candidates

    files = [path for _, path in candidates(home=app.home, cwd=app.cwd, config_file=app.config_file)]
    return tuple(_file(path) for path in (*files, app.home / CATALOG_FILE))


def _file(path: Path) -> tuple[str, int, int, int] | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return str(path), found.st_ino, found.st_size, found.st_mtime_ns
