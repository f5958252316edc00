"""Whole results on disk: canonical JSON, named by its digest, private, written in one step."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from deepseekeyes.core.atomic import create_exclusive, read_file, sweep_temporary, write_private
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.codes import MCP_ARTIFACT_NOT_FOUND, MCP_TOOL_RESULT_FAILED

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_FILE = re.compile(r"^(?P<label>[A-Za-z0-9_-]{1,64})-(?P<sha256>[0-9a-f]{64})\.json$")
_SHA256 = re.compile(r"^[0-9a-f]{4,64}$")


@dataclass(frozen=True, slots=True)
class ArtifactFile:
    """One stored result. `sound` says whether its bytes still have the digest in its name (None: not looked)."""

    server: str
    label: str
    sha256: str
    path: Path
    bytes: int
    modified: float
    sound: bool | None = None


def safe_label(text: str) -> str:
    """A part of a file name: other characters become `_`, at most 64, never empty."""
    return _UNSAFE.sub("_", text)[:64] or "unknown"


class ArtifactFiles:
    """Results under `<root>/<server>/<label>-<sha256>.json`; the digest is that of the file's bytes.

    Args:
        root: the folder; None keeps nothing.
    """

    def __init__(self, root: Path | None) -> None:
        self._root = root

    @property
    def enabled(self) -> bool:
        return self._root is not None

    def write(self, server: str, label: str, sha256: str, data: bytes) -> Path | None:
        """Keep one result and return its place; a file that is there already with these bytes is left alone.

        Raises:
            EyesError: MCP_TOOL_RESULT_FAILED.
        """
        if self._root is None:
            return None
        path = self._root / safe_label(server) / f"{safe_label(label)}-{sha256}.json"
        try:
            if path.is_dir():
                raise EyesError(MCP_TOOL_RESULT_FAILED, f"{path} is a folder where a result belongs.")
            if not create_exclusive(path, data) and read_file(path) != data:
                write_private(path, data)
            sweep_temporary(path.parent)
        except EyesError as failed:
            raise EyesError(
                MCP_TOOL_RESULT_FAILED,
                f"The tool ran, but its result could not be kept. {failed.message}",
                details={"dispatched": "yes"},
            ) from failed
        return path

    def entries(self, server: str | None = None) -> Iterator[ArtifactFile]:
        """Every kept result, by server and name; what vanishes meanwhile is left out."""
        if self._root is None or not self._root.is_dir():
            return
        for folder in sorted(self._root.iterdir()):
            if not folder.is_dir() or (server is not None and folder.name != safe_label(server)):
                continue
            for path in sorted(folder.iterdir()):
                named = _FILE.fullmatch(path.name)
                if named is None:
                    continue
                try:
                    found = path.stat()
                except OSError:
                    continue
                yield ArtifactFile(folder.name, named["label"], named["sha256"], path, found.st_size, found.st_mtime)

    def find(self, reference: str) -> ArtifactFile:
        """A kept result by its digest or the start of it (4 digits or more), verified.

        Raises:
            EyesError: MCP_ARTIFACT_NOT_FOUND.
        """
        wanted = reference.removeprefix("sha256:").lower()
        matches = [each for each in self.entries() if _SHA256.fullmatch(wanted) and each.sha256.startswith(wanted)]
        if not matches:
            raise EyesError(MCP_ARTIFACT_NOT_FOUND, f"No kept result has a digest that starts with {wanted[:64]!r}.")
        found = matches[0]
        data = read_file(found.path) or b""
        sound = hashlib.sha256(data).hexdigest() == found.sha256
        return ArtifactFile(found.server, found.label, found.sha256, found.path, found.bytes, found.modified, sound)

    def remove(self, found: ArtifactFile) -> bool:
        """Remove one kept result; False when it was gone already."""
        try:
            found.path.unlink()
        except OSError:
            return False
        return True
