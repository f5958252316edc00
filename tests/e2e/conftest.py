"""Fixtures of the end-to-end tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from desktop_driving import hands  # noqa: F401
from node_programs import harness, node  # noqa: F401

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole commands, readers and servers are started here: none of these is a unit test."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.service)
