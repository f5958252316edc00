"""Names: the nearest valid word, and words that are safe as file names."""

from __future__ import annotations

import re
from collections.abc import Iterable

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice a mistyped word most likely meant, or None when nothing is close.

    Case and the difference between `-`, `_` and `.` do not count.
    """
    from difflib import get_close_matches

    plain = {_plain(choice): choice for choice in sorted(choices, reverse=True)}
    found = get_close_matches(_plain(word)[:128], plain, n=1, cutoff=0.6)
    return plain[found[0]] if found else None


def safe_name(text: str, limit: int = 64) -> str:
    """A name of ASCII letters, digits, `.`, `_` and `-` that is safe as a file name on every platform.

    A text that is such a name already stays itself. Any other gets `-` and eight digits of its SHA-256 at its end, so
    different texts keep different names.

    Args:
        text: any text.
        limit: the longest name, characters, at least 16.
    """
    safe = _UNSAFE.sub("_", text).strip("._ ")
    if safe == text and 0 < len(text) <= limit and not _RESERVED.fullmatch(text):
        return text
    import hashlib

    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{safe[: limit - 9] or 'name'}-{mark}"


def _plain(word: str) -> str:
    return re.sub(r"[-_.]+", "-", word.casefold())
