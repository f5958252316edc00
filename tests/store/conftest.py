"""Ledgers on disk and in memory, closed afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.store.ledger import Ledger

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)


@pytest.fixture
def open_ledger(tmp_path: Path) -> Iterator[Callable[..., Ledger]]:
    """Opens ledgers: on `ledger.sqlite3` of the test's folder unless a path is given."""
    opened: list[Ledger] = []

    def make(path: Path | None = tmp_path / "home" / "ledger.sqlite3", **more: Any) -> Ledger:
        opened.append(Ledger(path, **{"now": lambda: NOW, **more}))
        return opened[-1]

    yield make
    for ledger in opened:
        ledger.close()


@pytest.fixture(params=["disk", "memory"])
def ledger(request: pytest.FixtureRequest, open_ledger: Callable[..., Ledger]) -> Ledger:
    return open_ledger() if request.param == "disk" else open_ledger(None)
