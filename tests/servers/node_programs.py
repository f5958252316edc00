"""Programs from npm that tests drive, installed once into a folder of the virtual environment."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

INSTALL_S = 600
ENDING_S = 110
PLACE = Path(sys.prefix) / "mcp-hosts"
NODE = PLACE / "node"
TOOLS = PLACE / "tools"
DSH = PLACE / "dsh"
PACKAGES = ("@modelcontextprotocol/inspector@2", "@modelcontextprotocol/conformance@0.2.0-alpha.12")
# The newest releases of its own family that this release of DeepSeek Harness starts with.
HARNESS: dict[str, Any] = {
    "private": True,
    "dependencies": {"@deepseek-ai/dsh": "0.1.0-rc.8"},
    "pnpm": {
        "overrides": {
            "@deepseek-ai/cordis": "4.0.1",
            "@deepseek-ai/cordis-plugin-hmr": "1.0.16",
            "@deepseek-ai/cordis-plugin-loader": "1.0.2",
            "@deepseek-ai/cordis-plugin-include": "1.0.6",
            "@deepseek-ai/cordis-plugin-timer": "1.1.3",
        },
        "onlyBuiltDependencies": ["koffi", "node-pty", "@deepseek-ai/dsh-subprocess-local"],
    },
}
PNPM_SETTINGS = "node-linker=hoisted\nauto-install-peers=true\nstrict-peer-dependencies=false\n"


def run(command: list[str], place: Path, path: str) -> None:
    """One step of an installation.

    Raises:
        AssertionError: with the end of what it printed.
    """
    done = subprocess.run(
        command, cwd=place, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=INSTALL_S,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]


def _npm(place: Path, packages: tuple[str, ...], path: str) -> None:
    place.mkdir(parents=True, exist_ok=True)
    (place / "package.json").write_text('{"private": true}', encoding="utf-8")
    npm = shutil.which("npm")
    assert npm is not None, "npm is needed for these tests"
    run([npm, "install", "--no-audit", "--no-fund", "--loglevel=error", *packages], place, path)


@pytest.fixture(scope="session")
def node() -> str:
    """A PATH that begins with Node 22 and the programs under test; made before a test's own environment is."""
    PLACE.mkdir(parents=True, exist_ok=True)
    binaries = f"{TOOLS / 'node_modules' / '.bin'}:{NODE / 'node_modules' / 'node' / 'bin'}:{os.environ['PATH']}"
    with FileLock(PLACE / "install.lock"):
        done = PLACE / "installed"
        if not done.exists():
            _npm(NODE, ("node@22",), os.environ["PATH"])
            _npm(TOOLS, PACKAGES, binaries)
            done.touch()
    return binaries


@pytest.fixture(scope="session")
def harness(node: str) -> list[str]:
    """The command of DeepSeek Harness without its profile."""
    with FileLock(PLACE / "install.lock"):
        done = PLACE / "dsh-installed"
        if not done.exists():
            _npm(PLACE / "pnpm", ("pnpm@10",), node)
            DSH.mkdir(exist_ok=True)
            (DSH / "package.json").write_text(json.dumps(HARNESS), encoding="utf-8")
            (DSH / ".npmrc").write_text(PNPM_SETTINGS, encoding="utf-8")
            pnpm = PLACE / "pnpm" / "node_modules" / "pnpm" / "bin" / "pnpm.cjs"
            run([str(NODE / "node_modules/node/bin/node"), str(pnpm), "install"], DSH, node)
            done.touch()
    return [
        str(NODE / "node_modules/node/bin/node"),
        str(DSH / "node_modules/@deepseek-ai/dsh/lib/bin.js"),
    ]


@contextmanager
def over_http(command: list[str]) -> Iterator[str]:
    """A server over HTTP that prints its address and ends well on SIGTERM."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=dict(os.environ))
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["url"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(ENDING_S) == 0
    finally:
        process.kill()
        process.communicate(timeout=ENDING_S)
