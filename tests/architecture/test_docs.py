"""Pages that are written from the code agree with it."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

from deepseekeyes.core.errors import EXIT_CODES

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_failure_codes_is_the_one_the_code_writes() -> None:
    written = runpy.run_path(str(ROOT / "scripts" / "codes.py"))["table"]()
    assert (ROOT / "docs" / "codes.md").read_text(encoding="utf-8") == written, "run: make docs"


def test_the_readme_lists_every_exit_code_with_its_kind() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [kind for kind, status in EXIT_CODES.items() if f"| {status} | {kind} |" not in readme] == []


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))])
def test_what_a_page_links_to_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    near = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    assert [link for link in near if link and not ((ROOT / page).parent / link).exists()] == []


def test_every_schema_is_the_one_the_contracts_make_and_the_package_carries_a_copy() -> None:
    made = runpy.run_path(str(ROOT / "scripts" / "schemas.py"))["made"]()
    published = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "schemas").iterdir()}
    carried = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "deepseekeyes" / "schemas").iterdir()}
    stale = [
        name
        for name, schema in made.items()
        if published.get(name) != json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
    ]
    assert (stale, carried == published) == ([], True), "run: make docs"
    assert set(published) - set(made) == {"visual-evidence.schema.json"}
