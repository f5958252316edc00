"""Nothing of one system's shape outside its adapter."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "deepseekeyes"
SOURCES = sorted((ROOT / "desktop").glob("*.py"))
NATIVE = ("xid", "xlib", "xtest", "atspi", "at_spi", "_net_", "wm_class", "jeepney", "dbus", "hwnd", "cgwindow", "mss")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_the_desktop_operations_know_no_system(path: Path) -> None:
    source = io.StringIO(path.read_text(encoding="utf-8")).readline
    names = {token.string.lower() for token in tokenize.generate_tokens(source) if token.type == tokenize.NAME}
    assert {name for name in names if any(word in name for word in NATIVE)} == set()
