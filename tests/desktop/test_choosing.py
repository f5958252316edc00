"""Which window a name means."""

from __future__ import annotations

from typing import Any

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.choosing import best_window, only_window, windows_called


def row(ref: str, app: str, title: str = "", *, kind: str = "normal", side: int = 500, z: int = 0) -> dict[str, Any]:
    bounds = {"x": 0, "y": 0, "width": side, "height": side}
    return {"ref": ref, "app": app, "title": title, "kind": kind, "bounds": bounds, "z": z, "viewable": True}


def refs(rows: list[Any], app: str | None = None, title: str | None = None) -> list[str]:
    return [found["ref"] for found in windows_called(rows, app, title)]


def test_a_whole_name_wins_over_a_part_of_another() -> None:
    rows = [row("w1", "ChatGPTHelper", z=0), row("w2", "ChatGPT", z=1)]
    assert refs(rows, app="chatgpt") == ["w2"]
    assert refs(rows, app="chatgpth") == ["w1"]
    titles = [row("w1", "a", "Notes - old"), row("w2", "a", "Notes")]
    assert refs(titles, title="notes") == ["w2"]
    assert refs(titles, title="note") == ["w1", "w2"]


def test_large_windows_come_before_tiny_ordinary_before_dialogs_front_before_back() -> None:
    rows = [
        row("tip", "a", kind="popup", z=0),
        row("ask", "a", kind="dialog", z=1),
        row("dot", "a", side=20, z=2),
        row("back", "a", z=4),
        row("front", "a", z=3),
    ]
    assert refs(rows, app="a") == ["front", "back", "ask", "tip", "dot"]
    assert best_window(rows, "a", None)["ref"] == "front"


def test_for_an_action_none_of_several_is_guessed_and_menus_do_not_count() -> None:
    rows = [row("w1", "a", "One"), row("w2", "a", "Two"), row("m1", "b", kind="menu"), row("w3", "b")]
    with pytest.raises(EyesError) as many:
        only_window(rows, "a", None)
    assert (many.value.code.name, many.value.details) == (
        "DESKTOP_MANY_MATCHES",
        {"dispatched": "no", "candidates": ['w1 a "One"', 'w2 a "Two"']},
    )
    assert only_window(rows, "b", None)["ref"] == "w3"


@pytest.mark.parametrize("choose", [best_window, only_window])
def test_a_name_that_fits_nothing_is_refused_with_what_there_is(choose: Any) -> None:
    with pytest.raises(EyesError) as none:
        choose([row("w1", "mousepad", "Note")], "gedit", None)
    assert (none.value.code.name, none.value.details["candidates"]) == ("DESKTOP_NO_MATCH", ['w1 mousepad "Note"'])
