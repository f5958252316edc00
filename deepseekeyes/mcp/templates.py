"""Whether a URI fits a resource template: linear in the URI, across path segments only where the template says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

MAX_URI = 8_192
MAX_PARTS = 256

_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_BODY = re.compile(
    r"^(?P<operator>[+#./;?&]?)(?P<names>[A-Za-z0-9_.%]+\*?(?::[0-9]{1,4})?(?:,[A-Za-z0-9_.%]+\*?(?::[0-9]{1,4})?)*)$"
)
_STOPS = {"": "/?#", "+": "", "#": "", ".": "/?#", "/": "?#", ";": "/?#", "?": "#", "&": "#"}


@dataclass(frozen=True, slots=True)
class _Part:
    """A literal, or a run of characters that are not in `stops`, introduced by `lead` (optional when `lead` is set)."""

    literal: str = ""
    stops: str = ""
    lead: str = ""
    variable: bool = False


def fits(template: str, uri: str) -> bool:
    """Whether a URI could come from a template (RFC 6570 levels 1 to 3).

    `{name}` stops at `/`, `?` and `#`; `{+name}` does not. Two variables without a literal between them, an expression
    that cannot be read, and a URI whose decoded path walks upwards with `..` fit nothing.
    """
    if len(uri) > MAX_URI or _climbs(uri):
        return False
    parts = _parse(template)
    return parts is not None and _match(parts, uri)


def _climbs(uri: str) -> bool:
    decoded = uri
    for _ in range(2):
        decoded = unquote(decoded)
    return ".." in re.split(r"[/\\?#]", decoded)


def _parse(template: str) -> list[_Part] | None:
    parts: list[_Part] = []
    at = 0
    for found in _EXPRESSION.finditer(template):
        if found.start() > at:
            parts.append(_Part(literal=template[at : found.start()]))
        part = _variable(found[1])
        if part is None or (parts and parts[-1].variable and not part.lead):
            return None
        parts.append(part)
        at = found.end()
    if at < len(template):
        parts.append(_Part(literal=template[at:]))
    if any("{" in part.literal or "}" in part.literal for part in parts) or len(parts) > MAX_PARTS:
        return None
    return parts


def _variable(body: str) -> _Part | None:
    found = _BODY.fullmatch(body)
    if found is None:
        return None
    operator = found["operator"]
    lead = operator if operator in ("#", ".", "/", ";", "?", "&") else ""
    return _Part(stops=_STOPS[operator], lead=lead, variable=True)


def _match(parts: list[_Part], uri: str) -> bool:
    """Follow every way through the parts at once, as the set of positions that are still possible."""
    positions = {0}
    for part in parts:
        following: set[int] = set()
        if part.variable:
            following = _through_variable(part, uri, positions)
        else:
            following = {at + len(part.literal) for at in positions if uri.startswith(part.literal, at)}
        if not following:
            return False
        positions = following
    return len(uri) in positions


def _through_variable(part: _Part, uri: str, positions: set[int]) -> set[int]:
    reached: set[int] = set()
    for start in sorted(positions):
        at = start
        if part.lead:
            reached.add(start)
            if not uri.startswith(part.lead, at):
                continue
            at += len(part.lead)
            reached.add(at)
        elif at in reached:
            continue
        while at < len(uri) and uri[at] not in part.stops:
            at += 1
            if at in reached:
                break
            reached.add(at)
    return reached
