"""Pages that are written from the code agree with it."""

from __future__ import annotations

import runpy
from pathlib import Path

from deepseekeyes.core.errors import EXIT_CODES

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_failure_codes_is_the_one_the_code_writes() -> None:
    written = runpy.run_path(str(ROOT / "scripts" / "codes.py"))["table"]()
    assert (ROOT / "docs" / "codes.md").read_text(encoding="utf-8") == written, "run: make docs"


def test_the_readme_lists_every_exit_code_with_its_kind() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [kind for kind, status in EXIT_CODES.items() if f"| {status} | {kind} |" not in readme] == []
