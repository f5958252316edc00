"""Text that cannot be written down: lone surrogates."""

from __future__ import annotations

import json
import re
from typing import Any

from deepseekeyes.contracts.evidence import Repair

_SURROGATE = re.compile("[\ud800-\udfff]")


def mended(document: dict[str, Any]) -> tuple[dict[str, Any], list[Repair]]:
    """A deep copy in which each lone surrogate is U+FFFD, and a note for each string that had one.

    Halves of a pair never arrive here: the decoder joins them. The note holds the original as JSON text, since the
    string itself has no UTF-8 form. Keys are mended without a note; no key of the contract is affected.
    """
    repairs: list[Repair] = []
    copied: dict[str, Any] = _copy(document, "", repairs)
    return copied, repairs


def _copy(value: Any, path: str, repairs: list[Repair]) -> Any:
    if isinstance(value, dict):
        return {_clean(key): _copy(item, f"{path}/{escaped(_clean(key))}", repairs) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_copy(item, f"{path}/{index}", repairs) for index, item in enumerate(value)]
    if isinstance(value, str) and not value.isascii() and _SURROGATE.search(value):
        clean = _clean(value)
        repairs.append(Repair(path=path, action="lone-surrogate", original=json.dumps(value), canonical=clean))
        return clean
    return value


def _clean(text: str) -> str:
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def escaped(name: str) -> str:
    """One step of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")
