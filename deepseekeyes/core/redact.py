"""The one redactor, used wherever text leaves the process: errors, logs, journals, reports.

It knows secrets by value and by shape. Every pattern runs in linear time: a scan that fails has only looked at
characters that no other start looks at again, or at a bounded number of them.

When in doubt it removes too much rather than too little, but words about credentials stay readable:
`token budget=8192`, `password authentication failed`, `secret-name=x`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from urllib.parse import quote

from deepseekeyes.core.secrets import SHORTEST_SECRET, known_values

REDACTED = "[REDACTED]"
REDACTED_TOKEN = "[REDACTED_TOKEN]"  # noqa: S105
PLACEHOLDER = "..."
"""What stands for a value in a line to be typed, such as `export API_KEY=...`; it is no value and stays."""
SURFACE_LIMIT = 500
INPUT_LIMIT = 2000
CODE_LIMIT = 100

_Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]

_QUOTE = r"""(?:\\{0,3}["'])?"""
_SET = rf"{_QUOTE}[ \t]*[:=]>?[ \t]*"

# A value after a key: escaped-quoted, quoted (a missing closing quote means it was cut), or bare.
_VALUE = (
    r"""(?:(?P<oe>\\+["'])[^"'\\\r\n]*(?:\\+["'])?"""
    r"""|(?P<oq>")(?:[^"\\\r\n]|\\.)*(?P<cq>"?)"""
    r"""|(?P<os>')(?:[^'\\\r\n]|\\.)*(?P<cs>'?)"""
    r"""|[^\s&"']+)"""
)

_OWNER = r"(?:access|auth|refresh|id|session|csrf|xsrf|bearer|oauth2?|api|client|private|secret|app)"
_COMPOUND = rf"{_OWNER}[-_.]?(?:token|key|secret)"
_KEYS = rf"(?:{_COMPOUND}|apikey|passphrase|password|passwd|pwd|secret|token|credentials?)"
_CAMEL = r"(?<=[a-z])(?:Password|Passphrase|Secret|Token|ApiKey|SecretKey|PrivateKey|AccessKey)"
_QUERY_KEYS = (
    rf"(?:{_COMPOUND}|token|key|secret|passphrase|password|passwd|pwd|pass|auth|authorization|signature|sig|"
    r"credentials?|session(?:_?id)?|sid|jwt|assertion)"
)
_HEADERS = r"(?:x-[a-z0-9-]{0,40}(?:api-key|auth|token|secret|security-token)|api-key)"
_PREFIXED = (
    r"(?:sk[-_]|rk_live_|whsec_|npm_|pypi-|github_pat_|gh[pousr]_|glpat-|xox[baprs]-|hf_|hvs\.)[A-Za-z0-9_-]{8,}"
)
_PROSE = r"(?:(?:tokens?|auth|authentication|authorization|challenge|scheme)(?![\w.~+/=-])|realm=)"


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """Text without credentials.

    Removed in this order: the given secret values (also URL-quoted and JSON-escaped; under 4 characters they are left),
    private key blocks, URL user information, credentials in query strings, Cookie and Authorization headers, key
    headers, bare Bearer and Basic values, assignments to names like `api_key` or `password`, and the token shapes of
    well-known issuers.

    Args:
        text: any text, of any length.
        secrets: values to remove wherever they stand, usually `core.secrets.known_values()`.
    """
    text = _without_values(text, secrets)
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text


def clip(text: str, limit: int) -> str:
    """At most `limit` characters; a cut text ends in an ellipsis that counts."""
    if len(text) <= limit:
        return text
    return text[: max(0, limit - 1)].rstrip() + "…" if limit > 0 else ""


def surface(text: object, limit: int = SURFACE_LIMIT) -> str:
    """Foreign error text as a message may show it: redacted, on one line, at most 500 characters.

    It is cut to 2,000 characters before any pattern runs; the secrets this process knows are removed before that cut,
    so that none is halved by it.

    Args:
        text: a string, or anything (an exception) whose `str()` may fail.
        limit: the longest result, characters.
    """
    known = known_values()
    cut = clip(_without_values(_told(text), known), max(INPUT_LIMIT, limit))
    return clip(" ".join(redact(cut, known).split()), limit)


def _told(text: object) -> str:
    try:
        return text if isinstance(text, str) else str(text)
    except Exception:  # noqa: BLE001 - a foreign exception may fail to describe itself
        return "unknown error"


def _without_values(text: str, secrets: Iterable[str]) -> str:
    forms: set[str] = set()
    for secret in secrets:
        if len(secret) >= SHORTEST_SECRET:
            forms |= {secret, quote(secret, safe="", errors="replace"), json.dumps(secret)[1:-1]}
            forms.add(json.dumps(secret, ensure_ascii=False)[1:-1])
    for form in sorted(forms, key=lambda form: (-len(form), form)):
        text = text.replace(form, REDACTED)
    return text


def _assignment(found: re.Match[str]) -> str:
    if found[0] == found["key"] + PLACEHOLDER:
        return found[0]
    escaped, double, single = found["oe"], found["oq"], found["os"]
    if escaped:
        return f"{found['key']}{escaped}{REDACTED}{escaped}"
    if double:
        return f'{found["key"]}"{REDACTED}{found["cq"]}'
    if single:
        return f"{found['key']}'{REDACTED}{found['cs']}"
    return f"{found['key']}{REDACTED}"


def _jwt(found: re.Match[str]) -> str:
    return REDACTED_TOKEN if "." in found[0] and len(found[0]) >= 16 else found[0]


_RULES: tuple[_Rule, ...] = (
    (
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----))*"
            r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----)?"
        ),
        REDACTED,
    ),
    (re.compile(r"""(?<=://)[^\s/?#"<>]*@"""), f"{REDACTED}@"),
    (
        re.compile(
            rf"""([?&;#](?:[\w.\-\[\]%]{{0,40}}[-_.\[])?{_QUERY_KEYS}(?:\]|%5D)?=)[^\s&#"'<>]+""", re.IGNORECASE
        ),
        rf"\g<1>{REDACTED}",
    ),
    (re.compile(rf"\b((?:set-)?cookie{_SET})[^\r\n]+", re.IGNORECASE), rf"\g<1>{REDACTED}"),
    (
        re.compile(
            rf"""\b((?:proxy-)?authorization{_SET}{_QUOTE}(?:(?:bearer|basic)[ \t]+(?=\S))?)[^\r\n]+""", re.IGNORECASE
        ),
        rf"\g<1>{REDACTED}",
    ),
    (re.compile(rf"""(?<![A-Za-z0-9?&-])(?P<key>{_HEADERS}{_SET}){_VALUE}""", re.IGNORECASE), _assignment),
    (re.compile(rf"""\b(bearer[ \t]+["']?)(?!{_PROSE})[^\s"'<>,;]{{4,}}""", re.IGNORECASE), rf"\g<1>{REDACTED}"),
    (re.compile(rf"\b(basic[ \t]+)(?!{_PROSE})[A-Za-z0-9+/=_-]{{8,}}", re.IGNORECASE), rf"\g<1>{REDACTED}"),
    (re.compile(rf"""(?P<key>(?<![A-Za-z0-9]){_KEYS}{_SET}){_VALUE}""", re.IGNORECASE), _assignment),
    (re.compile(rf"""(?P<key>{_CAMEL}{_SET}){_VALUE}"""), _assignment),
    (re.compile(rf"(?<![A-Za-z0-9]){_PREFIXED}"), REDACTED_TOKEN),
    (re.compile(r"(?<![A-Za-z0-9])(?:AIza[\w-]{20,}|(?:AKIA|ASIA)[A-Z0-9]{16,}|ya29\.[\w.-]{8,})"), REDACTED_TOKEN),
    (re.compile(r"(?<![A-Za-z0-9])SG\.[\w-]{8,}\.[\w-]{8,}"), REDACTED_TOKEN),
    (re.compile(r"(?<![A-Za-z0-9])eyJ[\w-]*(?:\.[\w-]+)*", re.ASCII), _jwt),
)
