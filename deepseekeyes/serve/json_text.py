"""JSON on one line."""

from __future__ import annotations

import json
from typing import Any


def compact(value: Any) -> str:
    """JSON on one line; lone surrogates stay escaped, so that the text can always be sent."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text
