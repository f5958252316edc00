"""Breaking off a reading: between lines, and inside a network that is running."""

from __future__ import annotations

import threading
from typing import Any, TypeAlias

Array: TypeAlias = Any


class ReadingStopped(Exception):  # noqa: N818 - nobody waits for the reading any more
    """The reading was broken off by the one who asked for it."""


class Stop:
    """Asked for by one thread, looked at by those that read.

    onnxruntime looks at the same flag between the layers of a network, so that even a large strip ends at once.
    """

    def __init__(self) -> None:
        self._asked = threading.Event()
        self._options: Any = None
        self._making = threading.Lock()

    def ask(self) -> None:
        """Break the reading off. Safe from any thread, and more than once."""
        with self._making:
            self._asked.set()
            if self._options is not None:
                self._options.terminate = True

    def check(self) -> None:
        """Go on, unless the reading was broken off.

        Raises:
            ReadingStopped: it was.
        """
        if self._asked.is_set():
            raise ReadingStopped

    def run(self, session: Any, feed: dict[str, Array]) -> list[Array]:
        """What a network says.

        Raises:
            ReadingStopped: the reading was broken off before or meanwhile.
        """
        self.check()
        try:
            outputs: list[Array] = session.run(None, feed, self._run_options())
        except Exception:
            self.check()
            raise
        return outputs

    def _run_options(self) -> Any:
        from onnxruntime import RunOptions

        with self._making:
            if self._options is None:
                self._options = RunOptions()
                self._options.log_severity_level = 4
                self._options.terminate = self._asked.is_set()
            return self._options
