"""Allow and deny lists: small globs, deny wins, an empty allow list admits nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal


def matches(selector: str, text: str) -> bool:
    """Whether the whole `text` fits a selector in which `*` is any run and `?` is exactly one character.

    Everything else is literal and case-sensitive. Runs in at most `len(selector) * len(text)` steps.
    """
    star = -1
    resume = at = position = 0
    while position < len(text):
        if at < len(selector) and selector[at] == "*":
            star, resume = at, position
            at += 1
        elif at < len(selector) and selector[at] in ("?", text[position]):
            at += 1
            position += 1
        elif star >= 0:
            resume += 1
            at, position = star + 1, resume
        else:
            return False
    return selector[at:].strip("*") == ""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a name is admitted, by which list, and which selector decided (None when none did)."""

    allowed: bool
    reason: Literal["allowlist", "denylist", "not-allowlisted"]
    selector: str | None = None


def decide(names: Iterable[str], allow: Sequence[str], deny: Sequence[str]) -> Decision:
    """Judge one thing by every name it goes by; a match on any of them counts."""
    candidates = tuple(names)
    denied = _first(deny, candidates)
    if denied is not None:
        return Decision(False, "denylist", denied)
    allowed = _first(allow, candidates)
    if allowed is not None:
        return Decision(True, "allowlist", allowed)
    return Decision(False, "not-allowlisted")


def _first(selectors: Sequence[str], candidates: tuple[str, ...]) -> str | None:
    return next((each for each in selectors if any(matches(each, name) for name in candidates)), None)


def tool_names(server_id: str, server_name: str, raw: str, public: str) -> tuple[str, ...]:
    """The names a tool selector may use."""
    prefixed = (f"{owner}/{name}" for name in (raw, public) for owner in (server_id, server_name))
    return (raw, public, *prefixed)


def content_names(server_id: str, server_name: str, identity: str) -> tuple[str, ...]:
    """The names a resource or prompt selector may use; `identity` is the URI, the template text or the prompt name."""
    return (identity, f"{server_id}/{identity}", f"{server_name}/{identity}")
