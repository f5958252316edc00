"""JSON that cannot be taken for anything but data.

Text out of a picture may hold our own delimiters, the turn marks of chat templates or a line that begins like a role.
Each such place is written as a `\\uXXXX` escape: the JSON still says exactly the same, and nothing in its text closes a
wrapper, opens a turn or speaks for somebody.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from json import encoder
from typing import Any

_quote: Callable[[str], str] = getattr(encoder, "c_encode_basestring", None) or encoder.encode_basestring

_ROLES = "system|assistant|user|developer|human|tool|function|instructions?|ai|bot|model|系统|助手|用户"
_LIVE = re.compile(
    r"[<◁]"
    r"|[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
    r"|\[(?=\s*/?\s*(?:[A-Z_]{3,20}\s*\]|deepseekeyes|think\]))"
    rf"|(?:(?<=\W)|^)(?:{_ROLES})(?P<space>[ \t*_]{{0,8}})(?P<colon>[:：])",
    re.IGNORECASE,
)


def inert(value: Any) -> str:
    """A JSON value as one line of text, members in their own order.

    Args:
        value: None, bool, finite numbers, strings, lists, tuples and mappings with string keys.
    """
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_string(str(key))}:{inert(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(inert, value)) + "]"
    return json.dumps(value, allow_nan=False)


def _string(text: str) -> str:
    parts: list[str] = []
    position = 0
    for found in _LIVE.finditer(text):
        at = found.start("colon") if found["colon"] else found.start()
        parts += [_quote(text[position:at])[1:-1], f"\\u{ord(text[at]):04x}"]
        position = at + 1
    parts.append(_quote(text[position:])[1:-1])
    return '"' + "".join(parts) + '"'
