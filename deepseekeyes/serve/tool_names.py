"""Tool names: `mcp__<a host's name for us>__<name>` has to fit 64 characters of a safe alphabet."""

from __future__ import annotations

import re
from hashlib import sha256

MAX_NAME = 40
KEPT_WITH_SUFFIX = 27
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")


def served_name(operation: str) -> str:
    """The tool of an operation: `vision.cache.get` becomes `vision_cache_get`."""
    return fitted(operation.replace(".", "_").replace("-", "_"), operation)


def upstream_name(public: str) -> str:
    """The tool of a managed server: its public name without our own `mcp__`."""
    return fitted(public.removeprefix("mcp__"), public)


def fitted(name: str, identity: str) -> str:
    """A name of at most 40 safe characters.

    A name that has to be cleaned or cut ends in 12 hex digits of SHA-256 over `identity`, so that it stays the same
    across runs and differs for names that only cutting makes equal.
    """
    cleaned = _UNSAFE.sub("_", name)
    if cleaned == name and 0 < len(name) <= MAX_NAME:
        return name
    return f"{cleaned[:KEPT_WITH_SUFFIX]}_{sha256(identity.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
