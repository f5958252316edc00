"""Python and the packages."""

from __future__ import annotations

from typing import Any

import pytest

from deepseekeyes.contracts.examination import Finding
from deepseekeyes.doctor.checks import checks, encoding, python, sqlite

LINES = ["typer>=0.29,<1", 'mss>=10,<11; extra == "desktop"', 'mcp>=2.3; extra == "mcp"', 'x; extra == "all"']


def findings(versions: dict[str, str]) -> dict[str, Finding]:
    made = checks(requires=lambda: LINES, version_of=versions.get)
    found: dict[str, Any] = {item.id: item.run() for item in made}
    return found


def test_this_machine_is_told_as_it_is() -> None:
    import sqlite3
    import sys

    assert (python().status, sqlite().status, encoding().status) == ("ok", "ok", "ok")
    assert sys.executable in python().seen
    assert sqlite().seen == f"SQLite {sqlite3.sqlite_version}"


def test_an_old_python_fails() -> None:
    assert python((3, 10, 12)).status == "failed"


@pytest.mark.parametrize(
    ("versions", "base", "desktop"),
    [
        ({"typer": "0.29", "mss": "10.1"}, "ok", "ok"),
        ({"typer": "0.29"}, "ok", "skipped"),
        ({"typer": "0.28", "mss": "9"}, "failed", "warning"),
        ({}, "failed", "skipped"),
    ],
)
def test_the_base_is_required_and_an_extra_is_not(versions: dict[str, str], base: str, desktop: str) -> None:
    found = findings(versions)
    assert (found["python.base"].status, found["python.desktop"].status) == (base, desktop)
    assert sorted(found) == [
        "python.base", "python.desktop", "python.encoding", "python.mcp", "python.sqlite", "python.version",
    ]  # fmt: skip


def test_a_missing_extra_names_the_line_that_installs_it() -> None:
    found = findings({"typer": "0.30"})["python.mcp"]
    assert (found.status, found.fix) == ("skipped", "pip install 'deepseekeyes[mcp]'")


def test_a_source_tree_that_is_not_installed_is_said_so() -> None:
    (last,) = [item.run() for item in checks(requires=lambda: None) if item.id == "python.packages"]
    assert isinstance(last, Finding)
    assert last.status == "warning"


def test_the_installed_package_lists_its_own_extras() -> None:
    ids = {item.id for item in checks()}
    assert {"python.base", "python.local", "python.browser", "python.desktop", "python.mcp", "python.serve"} <= ids
    assert "python.all" not in ids
