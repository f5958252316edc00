"""A session that was never begun."""

from __future__ import annotations

from typing import Any

import pytest
from paper_desktop import PaperDesktop

ABSENT: list[tuple[str, dict[str, Any]]] = [
    ("report", {}),
    ("key", {"key": "ENTER", "state": "desktop-state:0"}),
    ("click", {"ref": "el_1", "state": "desktop-state:0"}),
]


@pytest.mark.parametrize(("verb", "payload"), ABSENT, ids=[verb for verb, _ in ABSENT])
def test_a_session_that_was_never_begun_is_said_and_how_to_begin_it(
    hands: Any, paper: PaperDesktop, verb: str, payload: dict[str, Any]
) -> None:
    error = hands(verb, session="nosuch", **payload)["error"]
    assert (error["code"], error["kind"]) == ("SESSION_NOT_FOUND", "input")
    assert error["hint"] == "Start one: deepseekeyes desktop observe --session nosuch"
    assert error["details"] == {"dispatched": "no"}
    assert (paper.opened, paper.calls) == (0, [])
