"""What one process has open. Everything is made when it is first asked for."""

from __future__ import annotations

import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deepseekeyes.core.clock import Clock
from deepseekeyes.core.home import home as resolve_home
from deepseekeyes.core.telemetry import refuse_telemetry

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from deepseekeyes.config.load import Loaded
    from deepseekeyes.config.settings import Settings
    from deepseekeyes.store.blobs import Blobs
    from deepseekeyes.store.documents import Documents
    from deepseekeyes.store.records import Records
    from deepseekeyes.store.settings import Places
    from deepseekeyes.vision.ports import RouteVerifier
    from deepseekeyes.wiring.books import Books
    from deepseekeyes.wiring.door import Door
    from deepseekeyes.wiring.routes import Routes


class App:
    """The stores, settings and routes of one process, and the door it serves.

    Args:
        home: where state lies.
        cwd: the working folder.
        environ: the process's environment.
        flags: settings given on the command line, by dotted key.
        config_file: what `--config` named.
        serving: whether the process stays and may hold connections open between calls.
    """

    def __init__(
        self,
        *,
        door: Door,
        home: Path,
        cwd: Path,
        environ: Mapping[str, str],
        flags: Mapping[str, Any] | None = None,
        config_file: Path | None = None,
        clock: Clock | None = None,
        session: str | None = None,
        serving: bool = False,
    ) -> None:
        self.door = door
        self.home = home
        self.cwd = cwd
        self.environ = environ
        self.flags = dict(flags or {})
        self.config_file = config_file
        self.clock = clock or Clock()
        self.session = session
        self.serving = serving
        self.endings: list[Callable[[], Awaitable[None]]] = []
        self._noted: set[Path] = set()

    @classmethod
    def open(
        cls,
        *,
        door: Door,
        environ: Mapping[str, str],
        home: str | None = None,
        config: str | None = None,
        flags: Mapping[str, Any] | None = None,
        serving: bool = False,
    ) -> App:
        """An app for the working folder and the environment of this process.

        Raises:
            EyesError: WORKING_FOLDER_GONE.
        """
        refuse_telemetry()
        return cls(
            door=door,
            home=Path(home).expanduser().absolute() if home else resolve_home(environ),
            cwd=_working_folder(),
            environ=environ,
            flags=flags,
            config_file=Path(config) if config else None,
            session=environ.get("DEEPSEEKEYES_SESSION"),
            serving=serving,
        )

    @cached_property
    def loaded(self) -> Loaded:
        """The configuration with its origins; its warnings go to the door once."""
        from deepseekeyes.config.load import load

        loaded = load(
            home=self.home, cwd=self.cwd, environ=self.environ, flags=self.flags, config_file=self.config_file
        )
        for warning in loaded.warnings:
            self.door.note(warning)
        return loaded

    @property
    def settings(self) -> Settings:
        return self.loaded.settings

    @cached_property
    def places(self) -> Places:
        from deepseekeyes.store.settings import places

        return places(self.settings.store, self.settings.ledger, self.home)

    @cached_property
    def blobs(self) -> Blobs:
        from deepseekeyes.store.blobs import Blobs

        return Blobs(self.places.blobs, self.places.quarantine)

    @cached_property
    def records(self) -> Records:
        from deepseekeyes.store.records import Records

        return Records(self.places.evidence, self.places.quarantine)

    @cached_property
    def documents(self) -> Documents:
        from deepseekeyes.store.documents import Documents

        store = self.settings.store
        return Documents(
            self.places.documents, lock_timeout_s=store.lock_timeout_ms / 1000, max_bytes=store.document_max_bytes
        )

    @cached_property
    def books(self) -> Books:
        from deepseekeyes.wiring.books import Books

        return Books(self)

    @cached_property
    def routes(self) -> Routes:
        from deepseekeyes.wiring.routes import Routes

        return Routes(self)

    @cached_property
    def verifier(self) -> RouteVerifier:
        from deepseekeyes.wiring.probe import verifier

        return verifier(self)

    @cached_property
    def session_hash(self) -> str | None:
        """The hash under which this session's rows are stored."""
        if not self.session:
            return None
        import hashlib

        return hashlib.sha256(self.session.encode("utf-8", "surrogatepass")).hexdigest()

    async def sleep(self, seconds: float) -> None:
        """Wait; the loop runs already where anything waits."""
        import asyncio

        await asyncio.sleep(seconds)

    async def aclose(self) -> None:
        """Close what lives in this process (browsers, connections), the newest first, then everything else.

        Whatever opens something that lives adds its ending to `endings`. A door that stays calls this at its end.
        """
        while self.endings:
            ending = self.endings.pop()
            try:
                await ending()
            except Exception as trouble:  # noqa: BLE001 - one that cannot be closed must not keep the others open
                self.door.note(f"Something could not be closed: {type(trouble).__name__}.")
        self.close()

    def close(self) -> None:
        """Close what is open and report what was found corrupt."""
        opened = self.__dict__
        stores = [opened[name] for name in ("blobs", "records", "documents") if name in opened]
        if "books" in opened:
            stores.extend(self.books.opened())
            self.books.close()
        for store in stores:
            for moved in store.quarantined:
                if moved.moved_to not in self._noted:
                    self._noted.add(moved.moved_to)
                    self.door.note(f"A corrupt file was set aside as {moved.moved_to}: {moved.reason}.")

    @staticmethod
    def seconds() -> float:
        """Wall clock, seconds since the epoch."""
        return time.time()


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except OSError as gone:
        from deepseekeyes.core.errors import EyesError
        from deepseekeyes.wiring.codes import WORKING_FOLDER_GONE

        raise EyesError(WORKING_FOLDER_GONE, "The working folder was removed or may not be entered.") from gone
