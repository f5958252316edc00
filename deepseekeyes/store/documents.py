"""Small mutable JSON documents: versioned, changed under a lock, replaced in one step.

A file is `{"version": N, "content": {...}}`. Another version than the asked one is refused, since writing it back would
lose what this release does not know; a corrupt file is quarantined, reported, and counts as absent.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any

from deepseekeyes.core.atomic import read_file, sweep_temporary, write_private
from deepseekeyes.core.codes import NOT_JSON
from deepseekeyes.core.errors import EyesError, Limit
from deepseekeyes.core.lock import LOCK_TIMEOUT_S, locked
from deepseekeyes.store.codes import DOCUMENT_NAME_INVALID, DOCUMENT_TOO_LARGE, DOCUMENT_VERSION
from deepseekeyes.store.quarantine import Quarantine, Quarantined

Content = dict[str, Any]

MAX_BYTES = 16 * 1024 * 1024

_NAME = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}/){0,2}[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}")


class Documents:
    """The mutable documents of a home; any number of processes may change them at once.

    Args:
        home: the folder that names are relative to; None keeps everything in memory.
        lock_timeout_s: how long a change waits for another one, seconds (setting `store.lock_timeout_ms`).
        max_bytes: the largest document (setting `store.document_max_bytes`).
    """

    def __init__(
        self, home: Path | None, *, lock_timeout_s: float = LOCK_TIMEOUT_S, max_bytes: int = MAX_BYTES
    ) -> None:
        self._home = home
        self._lock_timeout_s = lock_timeout_s
        self._max_bytes = max_bytes
        self._memory: dict[str, bytes] = {}
        self._quarantine = Quarantine(home / "quarantine") if home is not None else None

    @property
    def quarantined(self) -> tuple[Quarantined, ...]:
        """Corrupt files that this object moved aside, for warnings and for the doctor."""
        return self._quarantine.taken if self._quarantine else ()

    def load(self, name: str, version: int) -> Content | None:
        """The content of a document, or None when there is none (or it was corrupt).

        Args:
            name: without `.json`; at most two folders, as in `mcp-catalogs/files`.
            version: the only version the caller understands.

        Raises:
            EyesError: DOCUMENT_VERSION, DOCUMENT_TOO_LARGE, DOCUMENT_NAME_INVALID, FILE_UNREADABLE.
        """
        data = self._read(name)
        content = None if data is None else self._opened(name, version, data)
        if data is None or content is not None:
            return content
        with self._locked(name):
            return self._load_or_quarantine(name, version)

    def update(self, name: str, version: int, change: Callable[[Content | None], Content]) -> Content:
        """Change a document under its lock and return the new content.

        Args:
            name: as in `load`.
            version: the version to read and to write.
            change: gets a copy of the content (None when there is none) and returns the new content; an exception of
                it leaves the document as it was.

        Raises:
            EyesError: as `load`, and LOCK_TIMEOUT, NOT_JSON, HOME_NOT_WRITABLE, DISK_FULL, WRITE_FAILED.
        """
        with self._locked(name):
            before = self._load_or_quarantine(name, version)
            after = change(copy.deepcopy(before))
            return before if before is not None and after == before else self._write(name, version, after)

    def remove(self, name: str) -> bool:
        """Forget a document, whatever its version; False when there was none.

        Raises:
            EyesError: DOCUMENT_NAME_INVALID, LOCK_TIMEOUT.
        """
        with self._locked(name):
            path = self.path(name)
            if path is None:
                return self._memory.pop(name, None) is not None
            try:
                path.unlink()
            except OSError:
                return False
            return True

    def names(self, folder: str = "") -> Iterator[str]:
        """The documents directly in a folder of the home, ascending, as names for `load`.

        Raises:
            EyesError: DOCUMENT_NAME_INVALID.
        """
        prefix = f"{folder}/" if folder else ""
        probe = self.path(prefix + "x")
        if probe is None:
            found = sorted(self._memory)
            yield from (name for name in found if name.startswith(prefix) and "/" not in name[len(prefix) :])
            return
        with suppress(OSError):
            for path in sorted(probe.parent.iterdir()):
                if path.suffix == ".json" and _NAME.fullmatch(path.stem):
                    yield prefix + path.stem

    def path(self, name: str) -> Path | None:
        """Where a document lies or would lie; None in memory.

        Raises:
            EyesError: DOCUMENT_NAME_INVALID.
        """
        if not _NAME.fullmatch(name):
            raise EyesError(DOCUMENT_NAME_INVALID, f"{name[:80]!r} is not a name for a document.")
        return None if self._home is None else self._home / f"{name}.json"

    def _locked(self, name: str) -> AbstractContextManager[None]:
        path = self.path(name)
        if path is None:
            return nullcontext()
        return locked(
            path.with_name(f".{path.name}.lock"), timeout_s=self._lock_timeout_s, setting="store.lock_timeout_ms"
        )

    def _read(self, name: str) -> bytes | None:
        path = self.path(name)
        data = self._memory.get(name) if path is None else read_file(path)
        if data is not None and len(data) > self._max_bytes:
            raise self._too_large(name)
        return data

    def _load_or_quarantine(self, name: str, version: int) -> Content | None:
        """Under the lock, where nobody replaces the file between the reading and the move."""
        data = self._read(name)
        content = None if data is None else self._opened(name, version, data)
        path = self.path(name)
        if data is not None and content is None and path is not None and self._quarantine:
            self._quarantine.take(path, "it is not a versioned JSON document")
        return content

    def _opened(self, name: str, version: int, data: bytes) -> Content | None:
        try:
            whole = json.loads(data)
        except (ValueError, RecursionError):
            return None
        if not isinstance(whole, dict) or not isinstance(whole.get("content"), dict):
            return None
        found = whole.get("version")
        if type(found) is not int:
            return None
        if found != version:
            raise EyesError(
                DOCUMENT_VERSION,
                f"{name}.json has version {found}; this release reads version {version}.",
                path=self.path(name),
            )
        return dict(whole["content"])

    def _write(self, name: str, version: int, content: Content) -> Content:
        """Write the document and return its content as a reader will see it."""
        try:
            text = json.dumps({"version": version, "content": content}, indent=1, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise EyesError(NOT_JSON, f"The content of {name}.json has no JSON form.") from error
        data = text.encode() + b"\n"
        if len(data) > self._max_bytes:
            raise self._too_large(name)
        path = self.path(name)
        if path is None:
            self._memory[name] = data
        else:
            write_private(path, data)
            sweep_temporary(path.parent)
        return dict(json.loads(data)["content"])

    def _too_large(self, name: str) -> EyesError:
        limit: Limit = {"name": "document bytes", "value": self._max_bytes, "setting": "store.document_max_bytes"}
        return EyesError(
            DOCUMENT_TOO_LARGE,
            f"{name}.json would hold more than {self._max_bytes:,} bytes.",
            details={"limit": limit},
        )
