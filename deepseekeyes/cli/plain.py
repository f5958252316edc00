"""Text from pictures, pages and models made safe for a terminal."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def plain(text: str) -> str:
    """Show control and direction-changing characters as `\\xNN` so that they cannot move the cursor or hide words."""
    return _CONTROL.sub(lambda found: repr(found.group())[1:-1], text.replace("\r\n", "\n"))
