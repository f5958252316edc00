"""Does a value fit a server's schema? Only ever a remark: servers are lenient, and a call that ran has run."""

from __future__ import annotations

from typing import Any

MAX_NODES = 5_000
_COSTLY = frozenset({"pattern", "patternProperties", "$dynamicRef", "$recursiveRef"})


def remark(value: Any, schema: Any, what: str) -> str | None:
    """One sentence about the first place where a value breaks a schema, or None.

    Schemas with patterns are not tried, since a server could send one that takes for ever; references outside the
    document are never fetched.

    Args:
        value: arguments or structured content.
        schema: the server's own.
        what: begins the sentence, e.g. `The structured content`.
    """
    if not isinstance(schema, dict) or not schema or not _is_cheap(schema) or not _is_cheap(value, costly=frozenset()):
        return None
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    from referencing import Registry

    registry: Any = Registry()
    try:
        found = best_match(Draft202012Validator(schema, registry=registry).iter_errors(value))
    except Exception:  # noqa: BLE001 - a broken schema of a server is not our failure
        return None
    if found is None:
        return None
    path = "/" + "/".join(str(part)[:64] for part in list(found.absolute_path)[:16])
    return f"{what} does not match the server's schema at {path} ({found.validator})."


def _is_cheap(value: Any, costly: frozenset[str] = _COSTLY) -> bool:
    nodes, stack = 0, [(value, 0)]
    while stack:
        item, depth = stack.pop()
        nodes += 1
        if nodes > MAX_NODES or depth > 32:
            return False
        if isinstance(item, dict):
            if not costly.isdisjoint(item):
                return False
            stack.extend((member, depth + 1) for member in item.values())
        elif isinstance(item, list):
            stack.extend((member, depth + 1) for member in item)
    return True
