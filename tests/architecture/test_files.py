"""Size and names of source files."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "deepseekeyes").rglob("*.py"))
SAYS_NOTHING = {"utils", "util", "helpers", "helper", "common", "base", "manager", "service", "handler", "misc"}


def test_no_source_file_is_longer_than_400_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in [*SOURCES, *(ROOT / "tests").rglob("*.py")]
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [path for path in SOURCES if path.stem in SAYS_NOTHING] == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == [], "these modules have no docstring"


def test_the_environment_is_read_in_three_places_and_handed_on_by_the_doors() -> None:
    """The doors pass the whole mapping to `App.open`; a session's client looks up the secret that its host asks for;
    `core/telemetry.py` only writes."""
    allowed = {"core/home.py", "core/secrets.py", "core/telemetry.py", "session/client.py"}
    allowed |= {"serve/host.py", "serve/python_door.py"}
    readers = {
        str(path.relative_to(ROOT / "deepseekeyes"))
        for path in SOURCES
        if "os.environ" in (text := path.read_text(encoding="utf-8")) or "getenv(" in text
    }
    assert {name for name in readers if not name.startswith(("config/", "cli/"))} <= allowed


def test_only_wiring_names_adapters() -> None:
    naming = {
        str(path.relative_to(ROOT / "deepseekeyes"))
        for path in SOURCES
        if ".adapters" in path.read_text(encoding="utf-8")
        and not str(path.relative_to(ROOT / "deepseekeyes")).startswith("wiring/")
        and "/adapters/" not in str(path)
    }
    assert naming == set()
