"""A control that only looks different under the pointer is not taken for one that did something."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from desktop_session import DesktopSession
from paper_desktop import PaperDesktop

from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.opening import open_linux
from deepseekeyes.desktop.rows import element_rows
from deepseekeyes.desktop.values import Element, Window

REASON = "pixels near the target that a pointer alone does not explain"


@pytest.fixture
def real(hands: Any, desktop: DesktopSession, tmp_path: Path) -> Any:
    desktop.display.move_pointer(900, 700)
    return type(hands)(tmp_path / "real", open_linux, desktop.environ, settle_ms=300)


def held(done: dict[str, Any]) -> list[tuple[str, bool | None]]:
    return [(row["what"], row["holds"]) for row in done["compared"] if row["what"].startswith("pixels")]


@pytest.mark.service
@pytest.mark.parametrize("toolkit", ["idle_gtk3", "idle_qt6"])
def test_a_button_that_only_highlights_is_unverified_and_one_that_draws_is_verified(
    real: Any, desktop: DesktopSession, toolkit: str
) -> None:
    program = desktop.run(toolkit)
    title = {"title": f"{toolkit} form"}
    done = real("click", **title, role="push_button", name="Nothing")
    program.tells("nothing")
    assert (done["verdict"], done["error"]) == ("unverified", None), done["compared"]
    assert done["delta"]["screenshotChanged"] is True
    assert held(done) == [(REASON, False)]
    drawn = real("click", **title, role="push_button", name="Draw")
    program.tells("drawn")
    assert drawn["verdict"] == "verified", (drawn["compared"], drawn["delta"])


@pytest.mark.service
def test_in_a_window_without_a_tree_what_the_pointer_shows_is_seen_before_the_click(
    real: Any, desktop: DesktopSession
) -> None:
    program = desktop.run("idle_tk")
    seen = real("observe", title="idle_tk form")
    nothing = real("click", x=60, y=20, state=seen["stateId"])
    program.tells("nothing")
    assert (nothing["verdict"], nothing["delta"]["screenshotChanged"]) == ("unverified", True), nothing["compared"]
    drawn = real("click", x=60, y=90, state=nothing["stateId"])
    program.tells("drawn")
    assert drawn["verdict"] == "verified", (drawn["compared"], drawn["delta"])


def test_a_highlight_of_the_very_control_proves_nothing(hands: Any, paper: PaperDesktop) -> None:
    paper.find("win-form").focus = "form/save"
    done = hands("click", name="Save", title="form")
    assert (done["verdict"], done["delta"]["screenshotChanged"]) == ("unverified", True)
    assert held(done) == [(REASON, False)]
    again = hands("click", name="Save", title="form")
    assert (again["verdict"], held(again)) == ("unverified", [("pixels near the target", False)])


def test_what_a_control_holds_follows_it_and_is_indented_below_it() -> None:
    def one(handle: str, parent: str | None, depth: int) -> Element:
        return Element(handle, "label", handle, "w", parent=parent, depth=depth)

    walked = [
        one("a", None, 0),
        one("b", "a", 1),
        one("c", "a", 1),
        one("d", "b", 2),
        one("e", "c", 2),
        one("f", "x", 3),
    ]
    window = Window("w", "title", "app", 1, Box(0, 0, 9, 9), Box(0, 0, 9, 9), 0)
    rows = element_rows(walked, window, "win_1", {"x": 0, "y": 0, "scale": 1})
    assert [row["name"] for row in rows] == ["a", "b", "d", "c", "e", "f"]
