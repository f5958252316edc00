"""An ASGI application on a socket, until it is told to stop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.codes import SERVE_ADDRESS_UNUSABLE
from deepseekeyes.serve.http_guard import AsgiApp

GRACE_S = 1
BACKLOG = 128


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens soon; port 0 takes a free one.

    Raises:
        EyesError: SERVE_ADDRESS_UNUSABLE.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind, proto)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
    except (OSError, OverflowError, UnicodeError) as trouble:
        reason = getattr(trouble, "strerror", None) or type(trouble).__name__
        raise EyesError(SERVE_ADDRESS_UNUSABLE, f"{host}:{port} cannot be listened on: {reason}.") from trouble
    return made


def url_of(listening: socket.socket, host: str, path: str) -> str:
    """The address that a client types."""
    port = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"http://{shown}:{port}{path}"


async def run(
    app: AsgiApp, listening: socket.socket, stop: asyncio.Event, ready: Callable[[], Awaitable[None]]
) -> None:
    """Serve until `stop` is set; running requests get a second.

    Args:
        app: the application, with its lifespan.
        listening: a bound socket.
        stop: set from outside.
        ready: awaited once requests are taken.
    """
    import uvicorn

    class Quiet(uvicorn.Server):
        """Leaves signals to the door."""

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    config: Any = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=GRACE_S,
        backlog=BACKLOG,
    )
    server = Quiet(config)
    running = asyncio.ensure_future(server.serve(sockets=[listening]))
    while not server.started and not running.done():  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    if not running.done():
        await ready()
    stopping = asyncio.ensure_future(stop.wait())
    await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    server.should_exit = True
    await running
