"""A desk to serve from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_model import ScriptedModel
from serve_desk import Desk


@pytest.fixture
def desk(home: Path, tmp_path: Path) -> Iterator[Desk]:
    with ScriptedModel() as eye:
        yield Desk(home, tmp_path, eye)
