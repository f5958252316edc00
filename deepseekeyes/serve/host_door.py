"""The door of a session host: what an operation asks of its caller goes over the wire to the command that waits."""

from __future__ import annotations

import base64
import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.codes import SERVE_STDIN_REFUSED
from deepseekeyes.serve.served_door import say
from deepseekeyes.session import wire

if TYPE_CHECKING:
    from deepseekeyes.contracts.document import Document

ANSWER_S = 60.0


class Caller:
    """The command that waits for the running operation.

    Args:
        send: puts one event on the wire; may be called from any thread.
        wants_text: whether it shows text while it arrives.
    """

    def __init__(self, send: Callable[[dict[str, Any]], None], *, wants_text: bool = False) -> None:
        self.send = send
        self.wants_text = wants_text
        self.gone = False
        self._ids = itertools.count(1)
        self._asked: dict[int, Future[dict[str, Any]]] = {}
        self._guard = threading.Lock()

    def ask(self, event: dict[str, Any]) -> dict[str, Any]:
        """Send a question and wait for its answer; called from the thread of the operations.

        Raises:
            EyesError: SERVE_STDIN_REFUSED when the caller has gone or keeps silent, or what the caller answered.
        """
        answer: Future[dict[str, Any]] = Future()
        with self._guard:
            number = next(self._ids)
            if self.gone:
                raise EyesError(SERVE_STDIN_REFUSED, "The command that asked has gone.")
            self._asked[number] = answer
        self.send({**event, "id": number})
        try:
            found = answer.result(ANSWER_S)
        except TimeoutError:
            raise EyesError(SERVE_STDIN_REFUSED, "The command that asked does not answer.") from None
        if "error" in found:
            raise wire.raised(found["error"])
        return found

    def answered(self, message: dict[str, Any]) -> None:
        """Hand an answer to whoever asked."""
        with self._guard:
            waiting = self._asked.pop(int(message.get("answer") or 0), None)
        if waiting is not None:
            waiting.set_result(message)

    def leave(self) -> None:
        """The command has gone; nobody will answer."""
        with self._guard:
            self.gone = True
            waiting, self._asked = list(self._asked.values()), {}
        for one in waiting:
            one.set_exception(EyesError(SERVE_STDIN_REFUSED, "The command that asked has gone."))


class HostDoor:
    """A `Door` whose caller changes with every operation; without one it is silent."""

    local = True

    def __init__(self) -> None:
        self.caller: Caller | None = None

    @property
    def wants_text(self) -> bool:
        return self.caller is not None and self.caller.wants_text

    def stdin(self, limit: int, setting: str = "vision.limits.max_bytes") -> bytes:
        """The caller's standard input.

        Raises:
            EyesError: what the caller's own door raises, SERVE_STDIN_REFUSED without a caller.
        """
        return base64.b64decode(self._required().ask({"event": "stdin", "limit": limit, "setting": setting})["data"])

    def environment(self, name: str) -> str | None:
        """A variable of the caller's environment, which may be newer than that of this process."""
        found = self._required().ask({"event": "environment", "name": name}).get("value")
        return found if isinstance(found, str) else None

    def progress(self, done: int, total: int | None, label: str) -> None:
        self._tell({"event": "progress", "done": done, "total": total, "label": label})

    def item(self, document: Document) -> None:
        """Pieces of a stream are not sent; the operation's document holds them."""

    def text(self, delta: str) -> None:
        self._tell({"event": "text", "delta": delta})

    def note(self, sentence: str) -> None:
        if self.caller is None:
            say(f"warning: {sentence}")
        self._tell({"event": "note", "sentence": sentence})

    def _required(self) -> Caller:
        if self.caller is None:
            raise EyesError(SERVE_STDIN_REFUSED, "Nobody waits for this operation.")
        return self.caller

    def _tell(self, event: dict[str, Any]) -> None:
        if self.caller is not None and not self.caller.gone:
            self.caller.send(event)
