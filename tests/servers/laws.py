"""How many examples and how large an input a law is tried on: all of it, or a share of it for `make unit`."""

from __future__ import annotations

from typing import Any

from hypothesis import settings


def quick() -> bool:
    """Whether the short profile is in force."""
    return settings.get_current_profile_name() == "quick"


def examples(most: int, **more: Any) -> settings:
    """Settings of a law that deserves more examples than the default."""
    return settings(max_examples=10 if quick() else most, deadline=None, **more)


def sized(count: int) -> int:
    """How often a hostile input repeats its unit; a quarter of it still takes minutes where time is quadratic."""
    return count // 4 if quick() else count
