"""Lines out of bytes, in linear time and bounded space."""

from __future__ import annotations


class FrameTooLargeError(Exception):
    """A line is longer than a frame may be."""


class LineFrames:
    """Cuts a byte stream at its newlines.

    Args:
        limit: the longest line, bytes without its newline.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._held = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that this chunk completes.

        Raises:
            FrameTooLargeError: a line grew beyond the limit; it is dropped.
        """
        first, *rest = chunk.split(b"\n")
        self._hold(first)
        if not rest:
            return []
        lines = [b"".join(self._parts), *rest[:-1]]
        self._parts, self._held = [], 0
        if any(len(line) > self._limit for line in lines):
            raise FrameTooLargeError
        self._hold(rest[-1])
        return lines

    def _hold(self, part: bytes) -> None:
        self._held += len(part)
        if self._held > self._limit:
            self._parts, self._held = [], 0
            raise FrameTooLargeError
        if part:
            self._parts.append(part)
