"""The version of the evidence contract, by itself: a cached reading needs nothing more of it."""

from __future__ import annotations

from typing import Final

CONTRACT: Final = "deepseekeyes.evidence.v1"
