"""MCP servers that other people wrote, installed once from npm and PyPI beside the test environment."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

NPM = {
    "@modelcontextprotocol/server-everything": "2026.8.31",
    "@modelcontextprotocol/server-filesystem": "2026.8.31",
    "@modelcontextprotocol/server-memory": "2026.8.31",
    "@playwright/mcp": "0.0.83",
}
PYPI = {
    "current": ("mcp-server-time==2026.10.19", "mcp-server-git==2026.10.19", "mcp-server-fetch==2026.10.24"),
    "older": ("mcp<2", "mcp-server-sqlite==2025.4.25"),
}
PLACE = Path(sys.prefix) / "mcp-servers"
PATIENCE_S = 800


class RealServers:
    """Command lines of installed servers."""

    def __init__(self) -> None:
        from filelock import FileLock

        PLACE.mkdir(parents=True, exist_ok=True)
        with FileLock(PLACE / ".lock", timeout=PATIENCE_S):
            _once(PLACE / "npm", repr(NPM), self._npm)
            for name, wanted in PYPI.items():
                _once(PLACE / name, repr(wanted), lambda place, wanted=wanted: _pip(place, wanted))

    @staticmethod
    def _npm(place: Path) -> None:
        npm = shutil.which("npm")
        assert npm is not None, "the tests need node and npm: see scripts/system.sh"
        place.mkdir()
        (place / "package.json").write_text('{"private": true}')
        wanted = [f"{name}@{version}" for name, version in NPM.items()]
        _run(npm, "install", "--prefix", str(place), "--no-audit", "--no-fund", "--silent", *wanted)

    @staticmethod
    def node(package: str, *words: str, file: str = "dist/index.js") -> list[str]:
        """A server of an npm package."""
        return ["node", str(PLACE / "npm" / "node_modules" / package / file), *words]

    @staticmethod
    def python(name: str, *words: str, place: str = "current") -> list[str]:
        """A server of a PyPI package."""
        return [str(PLACE / place / "bin" / name), *words]


def _once(place: Path, wanted: str, install: object) -> None:
    """Install into a folder unless a finished installation of the same versions is there."""
    stamp = place / ".wanted"
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    shutil.rmtree(place, ignore_errors=True)
    install(place)  # type: ignore[operator]
    stamp.write_text(wanted)


def _pip(place: Path, wanted: tuple[str, ...]) -> None:
    venv.create(place, with_pip=False)
    python = str(place / "bin" / "python")
    _run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-input", *wanted)


def _run(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
