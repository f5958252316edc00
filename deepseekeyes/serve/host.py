"""The process that keeps a session alive: one app, one operation at a time, a private socket, an end of its own.

    python -c "from deepseekeyes.serve.host import main; main()" KIND NAME --home DIR [--config FILE]

Its first line on standard output says that it is ready, that another host has the session, or why it failed; after
that its output is its log.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from deepseekeyes import __version__
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.crash import internal
from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.host_calls import Calls
from deepseekeyes.serve.host_door import HostDoor
from deepseekeyes.serve.served_door import say
from deepseekeyes.serve.workshop import Workshop
from deepseekeyes.session import wire
from deepseekeyes.session.codes import SESSION_START_FAILED
from deepseekeyes.session.descriptor import MARK, Descriptor, Place, publish, socket_path, sweep
from deepseekeyes.session.hold import Hold

if TYPE_CHECKING:
    from deepseekeyes.wiring.app import App

GRACE_S = 3.0
CLOSING_S = 15.0
TICK_S = 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a host until it ends.

    Returns:
        The process's exit code.
    """
    parser = argparse.ArgumentParser(prog="deepseekeyes-session-host")
    parser.add_argument("kind")
    parser.add_argument("name")
    parser.add_argument("--home", required=True)
    parser.add_argument("--config")
    given = parser.parse_args(arguments)
    from deepseekeyes.wiring.app import App

    door = HostDoor()
    app = App.open(door=door, environ=os.environ, home=given.home, config=given.config, serving=True)
    place = Place.of(app.home, given.kind, given.name)
    hold = Hold(place.lock)
    if not hold.take():
        _announce({"event": "taken"})
        return 0
    try:
        asyncio.run(_hosted(place, app, door))
    except EyesError as failed:
        _announce({"event": "error", "error": wire.told(failed)})
        return failed.exit_code
    except Exception as bug:  # noqa: BLE001 - the process's own border
        crash = internal(bug, app.home)
        say(f"error: {crash.message} {crash.hint}")
        _announce({"event": "error", "error": wire.told(crash)})
        return crash.exit_code
    finally:
        sweep(place)
        hold.release()
    return 0


async def _hosted(place: Place, app: App, door: HostDoor) -> None:
    await Host(place, app, door).serve()


class Host:
    """One session.

    Args:
        place: its files; the caller holds its lock.
        app: what it keeps open.
        door: the app's door.
    """

    def __init__(self, place: Place, app: App, door: HostDoor) -> None:
        self._place = place
        self._app = app
        self._settings = app.settings.session
        self._end = asyncio.Event()
        self._workshop = Workshop(at_once=1, waiting=1)
        self._calls = Calls(app, door, place, self._workshop, self._settings, ending=self._finish)
        self._token: str | None = None
        self._address = ""

    async def serve(self) -> None:
        """Take connections until a signal, a closing operation or idleness ends the session."""
        sweep(self._place)
        server = await self._listen()
        self._on_signals()
        self._publish()
        _announce({"event": "ready"})
        _to_log()
        say(f"{self._now()} ready, process {os.getpid()}, version {__version__}")
        idle = asyncio.create_task(self._watch_idleness())
        try:
            await self._end.wait()
        finally:
            idle.cancel()
            await self._shut(server)
            say(f"{self._now()} ended")

    def _finish(self) -> None:
        """Be findable no more and come to an end; replies that are under way are still sent."""
        with suppress(OSError):
            self._place.descriptor.unlink()
        self._end.set()

    async def _listen(self) -> asyncio.Server:
        limit = self._settings.max_line_bytes
        if sys.platform == "win32":
            self._token = secrets.token_urlsafe(32)
            server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=limit)
            host, port = server.sockets[0].getsockname()[:2]
            self._address = f"tcp:{host}:{port}"
            return server
        path = socket_path(self._place)
        old = os.umask(0o177)
        try:
            server = await asyncio.start_unix_server(self._accept, str(path), limit=limit)
        except OSError as trouble:
            raise EyesError(
                SESSION_START_FAILED, f"The session's socket {path} cannot be made: {trouble}.", log=self._place.log
            ) from trouble
        finally:
            os.umask(old)
        self._address = f"unix:{path}"
        return server

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._calls.converse(reader, writer, self._token)

    def _publish(self) -> None:
        publish(
            self._place,
            Descriptor(
                kind=self._place.kind,
                name=self._place.name,
                pid=os.getpid(),
                version=__version__,
                started_at=self._now(),
                address=self._address,
                mark=self._app.environ.get(MARK, ""),
                max_line_bytes=self._settings.max_line_bytes,
                token=self._token,
            ),
        )

    def _on_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            try:
                loop.add_signal_handler(number, self._finish)
            except NotImplementedError:
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(self._finish))

    async def _watch_idleness(self) -> None:
        while True:
            await asyncio.sleep(min(TICK_S, self._settings.idle_s / 4))
            if self._calls.idle_s >= self._settings.idle_s:
                say(f"{self._now()} idle for {self._settings.idle_s} s")
                self._finish()
                return

    async def _shut(self, server: asyncio.Server) -> None:
        server.close()
        await self._calls.drain(GRACE_S)
        try:
            await asyncio.wait_for(self._workshop.aside(self._app.aclose()), CLOSING_S)
        except (TimeoutError, EyesError):
            say(f"{self._now()} something did not close in time")
        self._workshop.close()

    def _now(self) -> str:
        return rfc3339(self._app.clock.now())


def _announce(message: dict[str, Any]) -> None:
    """The one line that whoever started this process waits for; nobody may be there."""
    with suppress(OSError, ValueError):
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()


def _to_log() -> None:
    """From here on standard output is the log too, so that no pipe of the starting command stays open."""
    with suppress(OSError, ValueError):
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
