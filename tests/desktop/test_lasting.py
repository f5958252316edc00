"""A drag, a key or the wheel is verified by what it brought about, not by what pointer, focus and caret do anyway."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from desktop_session import DesktopSession
from paper_desktop import PaperDesktop
from paper_things import Thing

from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.opening import open_linux


def _thing(paper: PaperDesktop, name: str) -> Thing:
    return next(one for one in paper.find("win-form").things if one.name == name and one.role != "label")


def _ref(seen: dict[str, Any], name: str) -> str:
    return str(next(one["ref"] for one in seen["elements"] if one["name"] == name and one["role"] != "label"))


def _speaks(done: dict[str, Any]) -> list[str]:
    return [row["what"] for row in done["compared"] if row["holds"]]


def test_a_drag_that_only_lights_and_focuses_what_it_touches_is_unverified(hands: Any, paper: PaperDesktop) -> None:
    def focus() -> None:
        paper.find("win-form").focus = "form/agree"

    paper.hooks["drag"] = focus
    done = hands("drag", role="check_box", name="Agree", title="form", to_x=30, to_y=110)
    assert paper.sent() == ["move", "drag"]
    assert done["delta"]["screenshotChanged"] is True
    assert (done["verdict"], _speaks(done)) == ("unverified", [])


def test_a_drag_that_moves_something_is_verified(hands: Any, paper: PaperDesktop) -> None:
    pane = paper.find("win-form")

    def slide() -> None:
        _thing(paper, "Total").value = "40"

    def move() -> None:
        pane.box = Box(pane.box.x + 50, pane.box.y, pane.box.width, pane.box.height)

    paper.hooks["drag"] = slide
    seen = hands("observe", title="form")
    slid = hands("drag", ref=_ref(seen, "Total"), to_x=90, to_y=140, state=hands.state)
    assert (slid["verdict"], "target" in _speaks(slid)) == ("verified", True)
    paper.hooks["drag"] = move
    moved = hands("drag", x=150, y=5, to_x=190, to_y=5, state=hands.state)
    assert (moved["verdict"], _speaks(moved)) == ("verified", ["windows"])


def test_without_a_tree_a_drag_is_verified_by_what_stays_drawn_on_its_way(hands: Any, paper: PaperDesktop) -> None:
    paper.semantic = False
    hands("observe", title="form")
    lit = hands("drag", x=150, y=80, to_x=30, to_y=110, state=hands.state)
    assert (lit["verdict"], lit["delta"]["screenshotChanged"]) == ("unverified", True)
    paper.hooks["drag"] = lambda: setattr(_thing(paper, "Later"), "value", "dropped")
    drawn = hands("drag", x=30, y=80, to_x=110, to_y=110, state=hands.state)
    assert (drawn["verdict"], _speaks(drawn)) == ("verified", ["pixels near the target"])


def test_a_key_is_not_verified_by_the_focus_that_its_element_got_for_it(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe", title="form")
    nothing = hands("key", key="SHIFT+S", ref=_ref(seen, "Name"), state=hands.state)
    assert nothing["delta"]["screenshotChanged"] is True
    assert (nothing["verdict"], _speaks(nothing)) == ("unverified", [])
    paper.hooks["press"] = lambda: setattr(paper.find("win-form"), "focus", "form/agree")
    tabbed = hands("key", key="ENTER", ref=_ref(seen, "Name"), state=hands.state)
    assert (tabbed["verdict"], "focused" in _speaks(tabbed)) == ("verified", True)
    paper.hooks["press"] = lambda: setattr(_thing(paper, "Total"), "value", "13")
    counted = hands("key", key="ENTER", ref=_ref(seen, "Name"), state=hands.state)
    assert (counted["verdict"], "elements" in _speaks(counted)) == ("verified", True)


def test_what_changes_before_the_key_or_goes_back_by_itself_is_no_effect_of_it(hands: Any, paper: PaperDesktop) -> None:
    paper.semantic = False
    hands("observe", title="form")
    _thing(paper, "Total").value = "ticked since"
    late = hands("key", key="ENTER", state=hands.state)
    assert (late["verdict"], late["delta"]["screenshotChanged"]) == ("unverified", True)

    captured, phase = paper.capture, [0]

    def blinking(target: str | Box | None = None) -> Any:
        phase[0] += 1
        _thing(paper, "Total").value = "|" if phase[0] % 2 else ""
        return captured(target)

    paper.capture = blinking  # type: ignore[method-assign]
    blinked = hands("key", key="ENTER", state=hands.state)
    assert (blinked["verdict"], _speaks(blinked)) == ("unverified", [])
    paper.hooks["press"] = lambda: setattr(_thing(paper, "Agree"), "checked", True)
    agreed = hands("key", key="ENTER", state=hands.state)
    assert (agreed["verdict"], _speaks(agreed)) == ("verified", ["pixels"])


def test_the_wheel_is_not_verified_by_a_control_that_is_lit_below_it(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe", title="form")
    nothing = hands("scroll", ref=_ref(seen, "Save"), delta_y=60, state=hands.state)
    assert nothing["delta"]["screenshotChanged"] is True
    assert (nothing["verdict"], _speaks(nothing)) == ("unverified", [])
    paper.hooks["scroll"] = lambda: setattr(_thing(paper, "Save"), "value", "row 2")
    assert hands("scroll", ref=_ref(seen, "Save"), delta_y=60, state=hands.state)["verdict"] == "verified"


@pytest.mark.service
def test_in_a_real_window_without_a_tree_carets_and_highlights_prove_nothing(
    hands: Any, desktop: DesktopSession, tmp_path: Path
) -> None:
    real = type(hands)(tmp_path / "real", open_linux, desktop.environ, settle_ms=300)
    program = desktop.run("idle_tk")
    real("observe", title="idle_tk form")
    nothing = real("drag", x=200, y=45, to_x=60, to_y=20, state=real.state)
    assert (nothing["verdict"], nothing["delta"]["screenshotChanged"]) == ("unverified", True), nothing["compared"]
    drawn = real("drag", x=60, y=90, to_x=200, to_y=120, state=real.state)
    assert drawn["verdict"] == "verified", drawn["compared"]
    real("click", x=200, y=20, state=real.state)
    program.tells("focus")
    for _ in range(3):
        idle = real("key", key="B", state=real.state)
        assert (idle["verdict"], idle["error"]) == ("unverified", None), idle["compared"]
    written = real("key", key="A", state=real.state)
    program.tells("key", name="a")
    assert (written["verdict"], _speaks(written)) == ("verified", ["pixels"])
