"""Fixtures of the end-to-end tests."""

from __future__ import annotations

from desktop_driving import hands  # noqa: F401
from node_programs import harness, node  # noqa: F401
