"""Public tool names: one safe alphabet, at most 64 characters, never two tools under one name."""

from __future__ import annotations

import re
from hashlib import sha256

MAX_NAME = 64
KEPT_WITH_SUFFIX = 51
RESERVED_IDS = frozenset({"deepseekeyes"})
RESOURCE_TOOL = "mcp__deepseekeyes__resource"
PROMPT_TOOL = "mcp__deepseekeyes__prompt"

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")


def public_name(server_id: str, raw: str) -> str:
    """The name a model sees for a server's tool.

    `mcp__<server>__<raw>` when that is already safe and short; otherwise cleaned, cut at 51 characters and completed
    with the first 12 hex digits of SHA-256 over the server id, a NUL and the raw name, so that it stays the same
    across runs and differs for names that only cleaning makes equal.
    """
    joined = f"mcp__{server_id}__{raw}"
    cleaned = _UNSAFE.sub("_", joined)
    if cleaned == joined and len(cleaned) <= MAX_NAME:
        return cleaned
    suffix = sha256(f"{server_id}\0{raw}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{cleaned[:KEPT_WITH_SUFFIX]}_{suffix}"
