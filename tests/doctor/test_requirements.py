"""Package requirements read from metadata."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.doctor.requirements import Presence, Requirement, parsed, presence

LINES = [
    "typer<1,>=0.29",
    "pydantic (<3,>=2.10)",
    'rapidocr<4,>=3.10; extra == "local"',
    "python-xlib<1,>=0.33; sys_platform == 'linux' and extra == 'desktop'",
    'pyautogui<1,>=0.9.54; (sys_platform != "linux") and extra == "desktop"',
    'dask[distributed]>=2025.1; extra == "cluster"',
    'deepseekeyes[browser,local]; extra == "all"',
    "not a requirement at all !!",
]


def test_lines_become_requirements_of_this_platform_by_extra() -> None:
    assert parsed(LINES, "linux") == (
        Requirement("typer", "<1,>=0.29", "base"),
        Requirement("pydantic", "<3,>=2.10", "base"),
        Requirement("rapidocr", "<4,>=3.10", "local"),
        Requirement("python-xlib", "<1,>=0.33", "desktop"),
        Requirement("dask", ">=2025.1", "cluster"),
    )
    assert [need.name for need in parsed(LINES, "darwin") if need.extra == "desktop"] == ["pyautogui"]


@pytest.mark.parametrize(
    ("bounds", "version", "fits"),
    [
        (">=0.29,<1", "0.29", True),
        (">=0.29,<1", "0.29.0", True),
        (">=0.29,<1", "0.28.9", False),
        (">=0.29,<1", "1.0", False),
        (">=0.29,<1", "0.100.2", True),
        (">=2025.1", "2026.8.0", True),
        (">1.2", "1.2.0", False),
        ("<=1.2", "1.2.0", True),
        ("==1.2", "1.2.0", True),
        ("==1.*", "1.9", True),
        ("!=1.5", "1.5", False),
        ("~=1.4", "1.9", True),
        ("~=1.4", "2.0", False),
        ("", "0", True),
        (">=1.0", "2.0rc1", True),
        (">=1.0", "nonsense", False),
    ],
)
def test_ranges(bounds: str, version: str, fits: bool) -> None:
    assert Requirement("x", bounds, "base").accepts(version) is fits


@given(st.lists(st.integers(0, 99), min_size=1, max_size=4), st.lists(st.integers(0, 99), min_size=1, max_size=4))
def test_a_version_is_above_or_below_a_bound_and_never_both(left: list[int], right: list[int]) -> None:
    version, bound = (".".join(map(str, parts)) for parts in (left, right))
    assert Requirement("x", f">={bound}", "base").accepts(version) != Requirement("x", f"<{bound}", "base").accepts(
        version
    )


def test_presence_tells_what_fits_what_is_missing_and_what_is_too_old() -> None:
    needs = parsed(LINES, "linux")
    versions = {"typer": "0.30", "pydantic": "1.10"}
    found = presence([need for need in needs if need.extra in {"base", "local"}], versions.get)
    assert found == Presence(("typer 0.30",), ("rapidocr",), ("pydantic 1.10 (needs <3,>=2.10)",))
