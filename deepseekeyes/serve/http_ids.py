"""Requests over HTTP whose id is none: answered with an error, where the SDK would take them for notifications."""

from __future__ import annotations

import json
import re
from collections.abc import MutableMapping
from typing import Any, Final

from deepseekeyes.serve.http_guard import AsgiApp, Receive, Scope, Send
from deepseekeyes.serve.unread import unusable_id

# Any id, of the message or of something inside it, that is neither text nor a whole number.
_SUSPECT: Final = re.compile(rb'"id"\s*:\s*(?!"|-?\d+\s*[,}\]])')


class Ids:
    """Reads the body of each message before the application does, and passes on what has a usable id or none at all.

    Args:
        app: what answers.
        max_bytes: of a body; a longer one is left to the application, which refuses it.
    """

    def __init__(self, app: AsgiApp, *, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        read = await self._read(receive)
        refusal = _refusal(b"".join(part.get("body", b"") for part in read))
        if refusal is not None:
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(refusal)).encode())]
            await send({"type": "http.response.start", "status": 400, "headers": headers})
            await send({"type": "http.response.body", "body": refusal})
            return
        waiting = iter(read)

        async def again() -> MutableMapping[str, Any]:
            part = next(waiting, None)
            return await receive() if part is None else part

        await self._app(scope, again, send)

    async def _read(self, receive: Receive) -> list[MutableMapping[str, Any]]:
        read: list[MutableMapping[str, Any]] = []
        size = 0
        while size <= self._max_bytes:
            part = await receive()
            read.append(part)
            size += len(part.get("body", b""))
            if part["type"] != "http.request" or not part.get("more_body", False):
                break
        return read


def _refusal(body: bytes) -> bytes | None:
    """The error for a request with an id that is none; what cannot be read at all is the application's to refuse."""
    if _SUSPECT.search(body) is None:
        return None
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return unusable_id(found)
