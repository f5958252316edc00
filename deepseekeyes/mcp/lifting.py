"""Pictures and other bytes that servers hide as base64 inside text.

Left in place they cost a model megabytes of tokens and show it nothing. A picture becomes a picture, other base64
becomes one line that says how much there was; the artifact keeps the text as it came.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as BadBase64
from dataclasses import dataclass

SHORTEST_PICTURE = 64
SHORTEST_BYTES = 2_000

_MAGIC = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
_RUN = re.compile(
    r"(?:data:[A-Za-z0-9.+-]{1,60}/[A-Za-z0-9.+-]{1,60}(?:;[A-Za-z0-9=._-]{1,60}){0,4};base64,)?"
    r"[A-Za-z0-9+/]{64,}(?:(?:\\n|\r?\n)[A-Za-z0-9+/]{60,})*(?:(?:\\n|\r?\n)[A-Za-z0-9+/]+(?==))?={0,2}"
)
_BREAK = re.compile(r"\\n|\s+")


@dataclass(frozen=True, slots=True)
class Hidden:
    """Base64 found in a text: its place, its characters, and the picture inside if it is one."""

    start: int
    end: int
    picture: bytes | None

    @property
    def length(self) -> int:
        return self.end - self.start


def looks_like_picture(data: bytes) -> bool:
    """Whether the bytes begin like a PNG, JPEG, GIF or WebP file."""
    return data.startswith(_MAGIC) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def find_hidden(text: str) -> tuple[Hidden, ...]:
    """Every run of base64 that is a picture, and every other dense run of at least 2,000 characters, in order."""
    if len(text) < SHORTEST_PICTURE:
        return ()
    found = []
    for run in _RUN.finditer(text):
        encoded = _BREAK.sub("", run[0].rpartition(",")[2])
        picture = _picture(encoded)
        if picture is not None or _is_dense(encoded):
            found.append(Hidden(run.start(), run.end(), picture))
    return tuple(found)


def _is_dense(encoded: str) -> bool:
    """Whether a long run mixes upper case, lower case and digits as base64 does; plain words and rulers do not."""
    if len(encoded) < SHORTEST_BYTES:
        return False
    sample = encoded[:SHORTEST_BYTES]
    return (
        any("A" <= each <= "Z" for each in sample)
        and any("a" <= each <= "z" for each in sample)
        and any(each.isdigit() for each in sample)
    )


def _picture(encoded: str) -> bytes | None:
    try:
        head = b64decode(encoded[:32], validate=True)
    except (BadBase64, ValueError):
        return None
    if not looks_like_picture(head):
        return None
    try:
        return b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except (BadBase64, ValueError):
        return None
