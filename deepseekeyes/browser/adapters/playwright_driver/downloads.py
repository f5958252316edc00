"""Downloads of a session: kept in the run folder with hash, size and source, and within a budget while they run."""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from deepseekeyes.browser.codes import BROWSER_DOWNLOADS_TOO_LARGE
from deepseekeyes.browser.urls import shown
from deepseekeyes.core.names import safe_name
from deepseekeyes.core.redact import clip, redact
from deepseekeyes.core.secrets import known_values

if TYPE_CHECKING:
    from playwright.async_api import Download

ENDING = 12
LOOK_S = 0.1
ROWS = 500


@dataclass(slots=True)
class Downloads:
    """What pages downloaded.

    Attributes:
        folder: where the browser writes; what is kept stays there.
        keep: False discards the bytes after they were counted and hashed.
        most_bytes: bytes of all downloads of the session; what is running when they are more is cancelled.
        rows: as documents carry them, oldest first; at most `ROWS`, and `unlisted` more were cancelled.
    """

    folder: Path
    keep: bool
    most_bytes: int
    rows: list[dict[str, Any]] = field(default_factory=list)
    unlisted: int = 0
    discarded: int = 0

    @classmethod
    def of(cls, folder: Path | None, most_bytes: int) -> Downloads:
        """Downloads into a run's folder, or into one that ends with the session when the run is kept in memory."""
        return cls(folder or Path(mkdtemp(prefix="deepseekeyes-")), folder is not None, most_bytes)

    def end(self) -> None:
        """Remove what was not to be kept."""
        if not self.keep:
            rmtree(self.folder, ignore_errors=True)

    async def take(self, page: str, download: Download) -> None:
        """Follow a download to its end; never raises.

        Args:
            page: id of the page that started it.
        """
        from playwright.async_api import Error

        if len(self.rows) >= ROWS:
            self.unlisted += 1
            with suppress(Exception):
                await download.cancel()
            return
        row: dict[str, Any] = {
            "id": f"f{len(self.rows) + 1}",
            "page": page,
            "url": shown(download.url),
            "suggestedName": clip(redact(download.suggested_filename, known_values()), 200),
            "state": "started",
            "sha256": None,
            "bytes": None,
            "path": None,
            "error": None,
        }
        self.rows.append(row)
        try:
            found = await self._arrived(download)
            if found is not None:
                await self._kept(download, row, found)
                return
            code, most = BROWSER_DOWNLOADS_TOO_LARGE.name, self.most_bytes
            told = f"{code}: all downloads of a session may take {most} bytes (browser.max_download_bytes)."
            row.update(state="failed", error=told)
        except (Error, OSError) as trouble:
            row.update(state="failed", error=clip(str(trouble).strip().partition("\n")[0], 200))

    async def _arrived(self, download: Download) -> Path | None:
        """The file once it is there, or None after it was cancelled and deleted because the budget is spent.

        The folder is watched meanwhile, since a server need not say how much will come.
        """
        whole = asyncio.ensure_future(download.path())
        try:
            while not whole.done():
                await asyncio.wait({whole}, timeout=LOOK_S)
                if self._taken() > self.most_bytes:
                    with suppress(Exception):
                        await download.cancel()
                    with suppress(Exception):
                        await download.delete()
                    return None
            return Path(whole.result())
        finally:
            whole.cancel()
            await asyncio.gather(whole, return_exceptions=True)

    def _taken(self) -> int:
        """Bytes in the folder, running downloads included, and those that were discarded before."""
        total = self.discarded
        with suppress(OSError):
            for file in self.folder.iterdir():
                with suppress(OSError):
                    total += file.lstat().st_size
        return total

    async def _kept(self, download: Download, row: dict[str, Any], found: Path) -> None:
        digest, size = await asyncio.to_thread(_hashed, found)
        row.update(sha256=digest, bytes=size)
        if self.keep:
            target = self.folder / f"{row['id']}-{_named(download.suggested_filename)}"
            await asyncio.to_thread(found.replace, target)
            target.chmod(0o600)
            row["path"] = str(target)
        else:
            self.discarded += size
        with suppress(Exception):
            await download.delete()
        row["state"] = "done"


def _named(suggested: str) -> str:
    """A safe name that still ends as the suggested one does."""
    ending = Path(suggested).suffix
    if not 2 <= len(ending) <= ENDING or not ending[1:].isalnum() or not ending.isascii():
        return safe_name(suggested)
    return safe_name(suggested[: -len(ending)]) + ending


def _hashed(path: Path) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            size += len(block)
    return digest.hexdigest(), size
