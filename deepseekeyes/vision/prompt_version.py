"""The version of the prompts, by itself: a cached reading needs nothing more of them."""

from __future__ import annotations

from typing import Final

PROMPT_VERSION: Final = "2026-12-01.1"
