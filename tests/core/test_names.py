"""Nearest words and safe file names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.core.names import nearest, safe_name


@pytest.mark.parametrize(
    ("word", "choices", "found"),
    [
        ("evidance", ["evidence", "usage"], "evidence"),
        ("failoverAttempts", ["failover_attempts", "failure_cooldown_ms"], "failover_attempts"),
        ("MAX-BYTES", ["max_bytes", "path"], "max_bytes"),
        ("zzz", ["evidence"], None),
        ("x", [], None),
    ],
)
def test_a_mistyped_word_finds_its_neighbour(word: str, choices: list[str], found: str | None) -> None:
    assert nearest(word, choices) == found


@pytest.mark.parametrize("name", ["files", "a.b-c_d", "x" * 64, "9"])
def test_a_safe_name_stays_itself(name: str) -> None:
    assert safe_name(name) == name


@pytest.mark.parametrize(
    "text", ["", ".", "..", "a/b", "a\\b", "con", "LPT1.txt", "名前", " a", ".hidden", "x" * 65, "a\n"]
)
def test_any_other_text_becomes_a_marked_safe_name(text: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*-[0-9a-f]{8}", safe_name(text))


@given(st.text(), st.text())
def test_safe_names_are_safe_stable_and_keep_texts_apart(one: str, other: str) -> None:
    name = safe_name(one)
    assert re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}", name)
    assert safe_name(name) == name
    assert (name == safe_name(other)) == (one == other)
