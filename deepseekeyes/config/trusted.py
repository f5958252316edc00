"""Which working-folder files the user has accepted, by path and content."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from deepseekeyes.config.sources import File
from deepseekeyes.contracts.config import TrustState
from deepseekeyes.core.errors import EyesError

DOCUMENT: Final = "config-trust"
VERSION: Final = 1
MAX_FILES: Final = 1_000


def is_trusted(home: Path, file: File) -> bool:
    """Whether exactly this content at this place was accepted. A trust document that cannot be read trusts nothing."""
    return state(home, file) == "trusted"


def state(home: Path, file: File) -> TrustState:
    """What is known about a working-folder file: accepted as it is, accepted with other content, or never."""
    try:
        known = _entries(home).get(_place(file))
    except EyesError:
        return "untrusted"
    if not isinstance(known, dict):
        return "untrusted"
    return "trusted" if known.get("sha256") == file.sha256 else "changed"


def record(home: Path, file: File, *, at: str) -> None:
    """Accept a file as it is now, in place of any earlier content. The oldest of too many entries are forgotten.

    Args:
        at: the moment, RFC 3339.

    Raises:
        EyesError: from the store, when the home cannot be written.
    """

    def change(files: dict[str, Any]) -> dict[str, Any]:
        files.pop(_place(file), None)
        kept = dict(sorted(files.items(), key=_moment)[-(MAX_FILES - 1) :])
        return {**kept, _place(file): {"sha256": file.sha256, "at": at}}

    _update(home, change)


def forget(home: Path, file: File) -> None:
    """Take the acceptance of a path back."""

    def change(files: dict[str, Any]) -> dict[str, Any]:
        return {place: entry for place, entry in files.items() if place != _place(file)}

    _update(home, change)


def _moment(item: tuple[str, Any]) -> str:
    return str(item[1].get("at", "")) if isinstance(item[1], dict) else ""


def _place(file: File) -> str:
    try:
        return str(file.path.resolve())
    except (OSError, RuntimeError):
        return str(file.path)


def _entries(home: Path) -> dict[str, Any]:
    from deepseekeyes.store.documents import Documents

    found = Documents(home).load(DOCUMENT, VERSION)
    files = found.get("files") if found else None
    return files if isinstance(files, dict) else {}


def _update(home: Path, change: Any) -> None:
    from deepseekeyes.store.documents import Documents

    def whole(before: dict[str, Any] | None) -> dict[str, Any]:
        files = before.get("files") if before else None
        return {"files": change(dict(files) if isinstance(files, dict) else {})}

    Documents(home).update(DOCUMENT, VERSION, whole)
