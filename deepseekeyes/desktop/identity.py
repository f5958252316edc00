"""Names of windows and elements: the same live thing has the same name in every observation and every process."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

SHORT = 12


def window_ref(identity: str) -> str:
    """`win_` and twelve hex digits of the identity's SHA-256."""
    return _ref("win_", identity, SHORT)


def element_ref(handle: str) -> str:
    """`el_` and twelve hex digits of the handle's SHA-256."""
    return _ref("el_", handle, SHORT)


def window_refs(identities: Iterable[str]) -> dict[str, str]:
    """Identity to ref; where two would be equal, both are longer."""
    return _refs("win_", identities)


def element_refs(handles: Iterable[str]) -> dict[str, str]:
    """Handle to ref; where two would be equal, both are longer."""
    return _refs("el_", handles)


def _refs(prefix: str, identities: Iterable[str]) -> dict[str, str]:
    wanted = list(dict.fromkeys(identities))
    length = SHORT
    found = {one: _ref(prefix, one, length) for one in wanted}
    while length < 64:
        seen: dict[str, list[str]] = {}
        for one, ref in found.items():
            seen.setdefault(ref, []).append(one)
        twice = [one for group in seen.values() if len(group) > 1 for one in group]
        if not twice:
            break
        length += 4
        found.update({one: _ref(prefix, one, length) for one in twice})
    return found


def _ref(prefix: str, identity: str, length: int) -> str:
    return prefix + hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:length]
