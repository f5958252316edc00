"""What makes a record checkable: its digest, and the file form that carries it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from deepseekeyes.core.canonical import digest
from deepseekeyes.core.errors import EyesError

Record = dict[str, Any]


def sealed(content: Record, read_id: int | None = None, before: Record | None = None) -> Record:
    """Content as a record: with `readId`, `supersedes` (the digest of the record before) and `recordSha256`.

    Raises:
        EyesError: NOT_JSON, JSON_DEPTH_LIMIT.
    """
    record = {**content, "readId": read_id, "supersedes": None if before is None else before["recordSha256"]}
    record.pop("recordSha256", None)
    return {**record, "recordSha256": digest(record)}


def intact(record: Record) -> bool:
    """Whether a record's `recordSha256` is the digest of its other members, all of them encoded anew."""
    try:
        return bool(record["recordSha256"] == digest({k: v for k, v in record.items() if k != "recordSha256"}))
    except (EyesError, KeyError):
        return False


def opened(data: bytes, key: str | None = None) -> Record | None:
    """The record in a file's bytes, verified; None when they are not a sound record.

    Args:
        data: what the file holds.
        key: the key it lies under; a record that names another one in `cacheKey` is not sound there.
    """
    try:
        text = data.decode().removesuffix("\n")
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not isinstance(record.get("recordSha256"), str):
        return None
    if key is not None and record.get("cacheKey", key) != key:
        return None
    # The file is canonical JSON, so cutting the member out of the text gives the digested text without encoding again.
    member = f',"recordSha256":"{record["recordSha256"]}"'
    if text.count(member) == 1:
        digested = hashlib.sha256(text.replace(member, "").encode()).hexdigest()
        if digested == record["recordSha256"]:
            return record
    return record if intact(record) else None
