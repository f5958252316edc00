"""Every test runs in a home of its own and cannot reach beyond loopback."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from ipaddress import ip_address
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from desktop_session import desktop, whole_desktop  # noqa: F401
from hypothesis import HealthCheck, settings

# Wall time is never judged by a test: the machine may be busy.
settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("shared"), max_examples=10)
settings.load_profile("shared")

SERVED = re.compile(r"^pytestmark = .*mark\.service", re.MULTILINE)
KEPT = {
    "PATH",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "USER",
    "LOGNAME",
    "TERM",
    "PYTHONPATH",
    "PYTHONDONTWRITEBYTECODE",
    "VIRTUAL_ENV",
    "CI",
}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files that need a service as a whole are not even imported where such tests are left out."""
    if config.option.markexpr != "not service" or collection_path.suffix != ".py":
        return None
    return True if SERVED.search(collection_path.read_text(encoding="utf-8")) else None


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Fresh folders, counted here: `mktemp` lists all earlier ones to find the next number."""
    root = tmp_path_factory.mktemp("homes")
    return (root / str(number) for number in count())


@pytest.fixture(autouse=True)
def home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private, empty home; the caller's environment is cut to what a process needs.

    Not once for all tests: what installs programs for several of them needs the caller's certificates and proxies.
    """
    place = next(homes)
    place.mkdir()
    for name in list(os.environ):
        if name not in KEPT and not name.startswith(("PYTEST_", "COV_", "HYPOTHESIS_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("DEEPSEEKEYES_HOME", str(place / "eyes"))
    return place / "eyes"


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connecting anywhere but to loopback or a Unix socket is a test failure."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and not _loopback(str(address[0])):
            raise AssertionError(f"a test tried to reach {address[0]}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return False
