"""A display that tells of windows and elements but not where they lie, and has pixels of the whole screen only."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from paper_desktop import PaperDesktop, form

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.checks import DesktopChecks, checks
from deepseekeyes.desktop.codes import DESKTOP_POINT_UNKNOWN
from deepseekeyes.desktop.ports import Capabilities, Element, Environment, Hit, Walk, Window

NOWHERE = Box(math.nan, math.nan, math.nan, math.nan)


class PlacelessDesktop(PaperDesktop):
    """Paper that keeps its places to itself."""

    @property
    def environment(self) -> Environment:
        able = Capabilities(window_capture=False, window_pixels=False, places=False, human_input=False)
        return Environment("linux", "paper", ":paper", "paper", able)

    def windows(self) -> tuple[Window, ...]:
        return tuple(replace(one, bounds=NOWHERE, client=NOWHERE) for one in super().windows())

    def top_at(self, x: float, y: float) -> Hit:
        raise EyesError(
            DESKTOP_POINT_UNKNOWN, f"Nobody tells what lies at ({x:g}, {y:g}).", details={"dispatched": "no"}
        )

    def pointer(self) -> Any:
        return None

    def elements(self, window: str, **more: Any) -> Walk:
        walk = super().elements(window, **more)
        return replace(walk, elements=tuple(replace(one, bounds=None) for one in walk.elements))

    def element(self, handle: str) -> Element | None:
        found = super().element(handle)
        return None if found is None else replace(found, bounds=None)


@pytest.fixture
def paper() -> PlacelessDesktop:
    made = PlacelessDesktop()
    form(made)
    return made


def test_a_window_is_read_and_used_without_pixels(hands: Any, paper: PlacelessDesktop) -> None:
    seen = hands("observe", title=paper.panes[0].title)
    assert {one["bbox"] for one in seen["elements"]} == {None}
    assert (seen["windows"][0]["bounds"], seen["visualDelivery"]["reason"]) == (None, "screenshot-unavailable")
    assert any("no pixels of single windows" in one for one in seen["warnings"])
    assert hands.kept == {}

    done = hands("set_value", role="text", name="Name", value="Ada")
    assert (done["verdict"], paper.sent()) == ("verified", ["set_value"])
    done = hands("invoke", role="push_button", name="Save")
    assert paper.sent() == ["set_value", "do_action"], done


@pytest.mark.parametrize(
    ("verb", "given", "code"),
    [
        ("screenshot", {"title": True}, "DESKTOP_UNSUPPORTED_HERE"),
        ("click", {"role": "push_button", "name": "Save"}, "DESKTOP_TARGET_BOUNDS_MISSING"),
    ],
)
def test_what_needs_a_place_is_refused(
    hands: Any, paper: PlacelessDesktop, verb: str, given: dict[str, Any], code: str
) -> None:
    title = paper.panes[0].title
    hands("observe", title=title)
    found = hands(verb, **{**given, **({"title": title} if "title" in given else {})})
    assert found["error"]["code"] == code, found
    assert found["error"]["details"]["dispatched"] == "no"
    assert paper.sent() == []


def test_a_click_at_a_point_of_the_screen_is_refused_since_nobody_tells_what_lies_there(
    hands: Any, paper: PlacelessDesktop
) -> None:
    seen = hands("observe")
    assert seen["screenshot"] is not None
    found = hands("click", x=5, y=5, state=seen["stateId"])
    assert (found["error"]["code"], paper.sent()) == ("DESKTOP_POINT_UNKNOWN", [])


def test_the_screen_is_not_shown_while_a_program_is_open_that_cannot_be_painted_over(
    hands: Any, paper: PlacelessDesktop
) -> None:
    paper.pane("keeper", "Passwords", (0, 0, 90, 90), app="KeePassXC")
    seen = hands("observe")
    assert seen.get("screenshot") is None
    assert any("KeePassXC must not be shown" in one for one in seen["warnings"])
    assert hands("screenshot")["error"]["code"] == "DESKTOP_SCREENSHOT_MISSING"
    assert hands.kept == {}


def test_the_doctor_says_what_such_a_display_lacks(paper: PlacelessDesktop) -> None:
    found: dict[str, Any] = {
        one.id.partition(".")[2]: one.run() for one in checks(DesktopChecks(True, {}, lambda: paper))
    }
    assert [found[name].status for name in ("display", "capture", "input", "accessibility")] == [
        "ok",
        "warning",
        "warning",
        "ok",
    ]
