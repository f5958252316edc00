"""Reading catalog.json: entries that the operator or the hub keeps beside the configuration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from deepseekeyes.core.atomic import read_file
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing import codes

FILE: Final = "catalog.json"
MAX_BYTES: Final = 16_777_216


def read_catalog_file(home: Path) -> dict[str, Any] | None:
    """The document of `catalog.json` in a home, or None when there is none. Its entries are checked by `build_catalog`.

    Raises:
        EyesError: `CATALOG_INVALID` for text that is not one JSON object without repeated keys; `FILE_UNREADABLE`.
    """
    data = read_file(home / FILE)
    if data is None:
        return None
    if len(data) > MAX_BYTES:
        raise EyesError(
            codes.CATALOG_INVALID,
            f"{FILE} is larger than {MAX_BYTES:,} bytes.",
            details={"limit": {"name": "catalog bytes", "value": MAX_BYTES, "setting": None}},
        )
    try:
        found = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise EyesError(codes.CATALOG_INVALID, f"{FILE} is not valid JSON: {error}.") from error
    if not isinstance(found, dict):
        raise EyesError(codes.CATALOG_INVALID, f"{FILE} must hold one JSON object.")
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise ValueError(f"the key {key!r} appears twice")
        made[key] = value
    return made


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is not JSON")
