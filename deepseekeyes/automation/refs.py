"""Names for live nodes: one name, one node, for as long as the run lasts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

KEPT = 20_000


class RefBook:
    """Gives each live node a ref, keeps it while the node lives, and never gives it to another.

    Args:
        prefix: of the refs it makes (`e` for elements, `w` for windows).
        kept: how many identities are remembered; the longest unseen are forgotten first, their refs stay used up.
    """

    def __init__(self, prefix: str = "e", *, kept: int = KEPT) -> None:
        self.prefix = prefix
        self._kept = kept
        self._next = 1
        self._refs: dict[str, str] = {}
        self._identities: dict[str, str] = {}

    def ref(self, identity: str) -> str:
        """The ref of a node.

        Args:
            identity: what tells this live node from every other one that ever lived in the run (a document id and a
                node number, a bus name and a path with a birth mark).
        """
        found = self._refs.pop(identity, None)
        if found is None:
            found = f"{self.prefix}{self._next}"
            self._next += 1
            self._identities[found] = identity
        self._refs[identity] = found
        self._forget()
        return found

    def identity(self, ref: str) -> str | None:
        """The node behind a ref, or None when this book never gave it or has forgotten it."""
        return self._identities.get(ref)

    def retire(self, identities: Iterable[str]) -> None:
        """Forget nodes that can never come back (a document that was left); their refs stay used up."""
        for identity in identities:
            ref = self._refs.pop(identity, None)
            if ref is not None:
                del self._identities[ref]

    def to_json(self) -> dict[str, Any]:
        """For a session document; `from_json` reads it."""
        return {"prefix": self.prefix, "next": self._next, "refs": dict(self._refs)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any], *, kept: int = KEPT) -> RefBook:
        book = cls(str(stored["prefix"]), kept=kept)
        book._next = int(stored["next"])
        book._refs = {str(identity): str(ref) for identity, ref in stored["refs"].items()}
        book._identities = {ref: identity for identity, ref in book._refs.items()}
        return book

    def _forget(self) -> None:
        while len(self._refs) > self._kept:
            oldest = next(iter(self._refs))
            del self._identities[self._refs.pop(oldest)]


def ref_key(prefix: str, role: str, name: str, path: str, *distinctive: str, ordinal: int = 0) -> str:
    """A key that finds the same control in another observation or run: `prefix_` and 12 hex digits.

    Args:
        prefix: of the surface (`br`, `dt`).
        role, name: as observed.
        path: the frame's URL without query, or the application and window.
        distinctive: what else tells it apart (input type, id or name attribute).
        ordinal: position among controls that are equal in all of the above.
    """
    covered = "\0".join((path, role, name, *distinctive, str(ordinal)))
    return f"{prefix}_{hashlib.sha256(covered.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
