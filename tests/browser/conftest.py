"""One Chromium a module, driven through `dispatch` in a loop of its own."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from site_under_test import Site, site

from deepseekeyes.dispatch import dispatch
from deepseekeyes.wiring.app import App
from deepseekeyes.wiring.door import Silent

SETTINGS = """
[browser]
enabled = true
headless = true
settle_ms = 60
locale = "en-US"
timeout_ms = 8000
"""


class Hands:
    """Runs operations in one app and gives their documents as plain values."""

    def __init__(self, home: Path, environ: dict[str, str], more: str = "") -> None:
        home.mkdir(parents=True, exist_ok=True)
        (home / "config.toml").write_text(SETTINGS + more, encoding="utf-8")
        self.home = home
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        self.app = App(door=Silent(), home=home, cwd=home, environ=environ)
        self.newest: str | None = None

    def __call__(self, verb: str, **payload: Any) -> dict[str, Any]:
        work = dispatch(f"browser.{verb}", payload, self.app)
        document = asyncio.run_coroutine_threadsafe(work, self.loop).result(100)
        found: dict[str, Any] = document.to_json()
        self.newest = found.get("stateId") or self.newest
        return found

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self.app.aclose(), self.loop).result(30)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(5)
        self.loop.close()


@pytest.fixture(scope="module")
def pages() -> Iterator[Site]:
    with site() as running:
        yield running


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hands]:
    home = tmp_path_factory.mktemp("browser") / "eyes"
    made = Hands(home, {"PATH": os.environ["PATH"], "HOME": str(home.parent), "DEEPSEEKEYES_HOME": str(home)})
    yield made
    made.close()


@pytest.fixture(scope="module")
def hands_with(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Hands]]:
    """Makes hands with further lines of settings."""
    every: list[Hands] = []

    def make(more: str) -> Hands:
        home = tmp_path_factory.mktemp("browser") / "eyes"
        environ = {"PATH": os.environ["PATH"], "HOME": str(home.parent), "DEEPSEEKEYES_HOME": str(home)}
        every.append(Hands(home, environ, more))
        return every[-1]

    yield make
    for made in every:
        made.close()
