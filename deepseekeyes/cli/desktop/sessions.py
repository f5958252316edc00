"""`desktop sessions`."""

from __future__ import annotations

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes desktop sessions"


def command() -> Call:
    """List the desktop sessions of this home."""
    return "desktop.sessions", {}
