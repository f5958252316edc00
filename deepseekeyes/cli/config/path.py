"""`config path`."""

from __future__ import annotations

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes config path"


def command() -> Call:
    """Print the home and the configuration files that are consulted."""
    return "config.path", {}
