"""`config schema`."""

from __future__ import annotations

from deepseekeyes.cli.parse import Call

EXAMPLE = "deepseekeyes config schema"


def command() -> Call:
    """Print the configuration's JSON Schema."""
    return "config.schema", {}
