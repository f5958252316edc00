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
    """Follow every way through the parts at once; bit i says that the first i characters can be explained so far."""
    places = _Places(uri)
    reached = 1
    for part in parts:
        reached = places.through(part, reached) if part.variable else places.after(part.literal, reached)
        if not reached:
            return False
    return bool(reached >> len(uri) & 1)


class _Places:
    """Where each character of a URI stands, as the bits of an integer."""

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self._known: dict[str, int] = {}

    def after(self, literal: str, reached: int) -> int:
        """The places behind a literal that starts at one of the reached ones."""
        for offset, letter in enumerate(literal):
            reached &= self._of(letter) >> offset
            if not reached:
                return 0
        return reached << len(literal)

    def through(self, part: _Part, reached: int) -> int:
        """The places in or behind a variable that starts at one of the reached ones."""
        start = self.after(part.lead, reached) if part.lead else reached
        allowed = self._not_of(part.stops)
        inside = start & allowed
        # Adding carries through each run of allowed characters from its first start to one behind its end.
        run = ((allowed + inside) ^ allowed) | inside
        return reached | start | run

    def _of(self, letters: str) -> int:
        if letters not in self._known:
            bits = "".join("1" if letter in letters else "0" for letter in reversed(self._uri))
            self._known[letters] = int(bits or "0", 2)
        return self._known[letters]

    def _not_of(self, letters: str) -> int:
        return ~self._of(letters) & ((1 << len(self._uri)) - 1) if letters else (1 << len(self._uri)) - 1
