"""Failure codes of the usage operations."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

USAGE_RESET_UNCONFIRMED = Code(
    "USAGE_RESET_UNCONFIRMED",
    "usage",
    "Say it with `deepseekeyes usage reset --yes`; `usage export` keeps a copy first.",
)
USAGE_FILE_INVALID = Code(
    "USAGE_FILE_INVALID",
    "input",
    "Give a usage-stats.json of version 1 to 3, or the output of `deepseekeyes usage export`.",
)
