"""Keyed digests: whether two texts of one run are equal, and nothing more."""

from __future__ import annotations

import hmac
import secrets
from typing import Any

from deepseekeyes.automation.codes import RUN_CLOSED
from deepseekeyes.core.errors import EyesError

ALGORITHM = "hmac-sha256/run"


class Keys:
    """The key of one run. It lives in memory (or in a private session document) and is deleted when the run closes.

    Args:
        key: 32 bytes; a fresh one when absent.
    """

    def __init__(self, key: bytes | None = None) -> None:
        self._key: bytes | None = secrets.token_bytes(32) if key is None else key

    def digest(self, data: str | bytes) -> str:
        """64 hex digits.

        Raises:
            EyesError: RUN_CLOSED after `close`.
        """
        if self._key is None:
            raise EyesError(RUN_CLOSED, "The run is closed and its key is gone.")
        raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        return hmac.digest(self._key, raw, "sha256").hex()

    def told(self, text: str) -> dict[str, Any]:
        """What a log may keep of a text: its lengths and its keyed digest."""
        return {
            "length": len(text),
            "utf16Length": len(text.encode("utf-16-le", "surrogatepass")) // 2,
            "digest": self.digest(text),
            "algorithm": ALGORITHM,
        }

    def close(self) -> None:
        """Delete the key."""
        self._key = None

    def to_hex(self) -> str | None:
        """The key for a private session document; None once closed."""
        return None if self._key is None else self._key.hex()

    @classmethod
    def from_hex(cls, stored: str | None) -> Keys:
        keys = cls(bytes.fromhex(stored) if stored is not None else b"")
        if stored is None:
            keys.close()
        return keys
