"""Cases that people reported of tools of this kind, by the id of their line."""

from __future__ import annotations

import io
from typing import Any

import pytest
from paper_desktop import PaperDesktop, Thing
from PIL import Image

from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.tiles import Limits, tiles
from deepseekeyes.desktop.values import Monitor


def _ref(seen: dict[str, Any], name: str, role: str) -> str:
    return str(next(one["ref"] for one in seen["elements"] if (one["name"], one["role"]) == (name, role)))


def test_d01_a_key_for_an_element_that_is_gone_goes_nowhere(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe", title="form")
    ref = _ref(seen, "Name", "text")
    next(one for one in paper.find("win-form").things if one.handle == "form/name").gone = True
    done = hands("key", key="ENTER", ref=ref, state=seen["stateId"])
    assert (done["verdict"], done["error"]["details"]["dispatched"]) == ("refused", "no")
    assert paper.sent() == []


def test_d03_every_ref_of_a_look_at_one_window_can_be_used_until_the_state_changes(
    hands: Any, paper: PaperDesktop
) -> None:
    other = paper.pane("other", "Other", (300, 30, 90, 90), app="former", pid=100)
    other.things = [Thing("other/save", "push_button", "Save", (4, 100, 60, 24), actions=("click",))]
    paper.keyboard = "win-form"
    seen = hands("observe", title="form")
    plans = [hands("click", ref=one["ref"], state=seen["stateId"], plan=True) for one in seen["elements"]]
    codes = {one["error"]["code"] for one in plans if one.get("error")}
    assert codes <= {"DESKTOP_TARGET_DISABLED"}, codes
    windows = [hands("focus", window=seen["windows"][0]["ref"], state=seen["stateId"], plan=True)]
    assert [one.get("error") for one in windows] == [None]


def test_d05_text_for_a_list_or_a_button_is_refused(hands: Any, paper: PaperDesktop) -> None:
    paper.find("win-form").things.append(Thing("form/list", "list", "Sidebar", (104, 130, 80, 20), actions=("click",)))
    seen = hands("observe", title="form")
    done = hands("type", ref=_ref(seen, "Sidebar", "list"), state=seen["stateId"], value="x")
    assert (done["error"]["code"], paper.sent()) == ("DESKTOP_TYPE_TARGET_NOT_EDITABLE", [])


@pytest.mark.parametrize("size", [(1920, 1080), (3840, 2160), (3440, 1440), (1080, 2400)])
def test_d07_a_point_seen_in_a_part_of_a_large_screen_is_the_point_that_is_clicked(
    hands: Any, paper: PaperDesktop, size: tuple[int, int]
) -> None:
    paper.area = Box(0, 0, *size)
    paper.monitors_ = [Monitor(1, "one", paper.area, primary=True)]
    paper.pane("wide", "Wide", (0, 0, *size), app="wide")
    seen = hands("observe", title="Wide", screenshot=True)
    assert (seen["screen"]["width"], seen["screen"]["height"]) == size
    picture = io.BytesIO()
    Image.new("L", size).save(picture, "PNG", compress_level=1)
    last = tiles(picture.getvalue(), Limits())[-1]
    point = (last.x + last.width - 1, last.y + last.height - 1)
    assert point == (size[0] - 1, size[1] - 1)
    hands("click", x=point[0], y=point[1], state=seen["stateId"])
    assert [call[:3] for call in paper.calls if call[0] == "click"] == [("click", *point)]


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_d11_the_marker_lies_on_the_captured_pixels_by_the_transform_of_the_click(
    hands: Any, paper: PaperDesktop, scale: float
) -> None:
    paper.scale = scale
    done = hands("click", name="Save", title="form")
    marker, (_, x, y, *_) = done["marker"], next(call for call in paper.calls if call[0] == "click")
    assert ((x - 40) * scale, (y - 30) * scale) == (marker["x"], marker["y"]) == (34 * scale, 112 * scale)
    assert marker["box"] == {"x": 4 * scale, "y": 100 * scale, "width": 60 * scale, "height": 24 * scale}


def test_d13_and_d15_points_of_every_monitor_are_those_of_the_whole_desktop(hands: Any, paper: PaperDesktop) -> None:
    paper.area = Box(-2560, -40, 5120, 1480)
    paper.monitors_ = [
        Monitor(1, "right", Box(0, 0, 2560, 1440), primary=True),
        Monitor(2, "left", Box(-2560, -40, 2560, 1440)),
    ]
    paper.pane("far", "Far", (-600, -20, 300, 200), app="far")
    seen = hands("observe")
    assert [one["bounds"]["x"] for one in seen["monitors"]] == [0, -2560]
    assert (seen["screen"]["x"], seen["screen"]["y"]) == (-2560, -40)
    hands("click", x=2060, y=60, state=seen["stateId"])
    assert paper.calls[-1] == ("click", -500, 20, "left", 1)


def test_d17_characters_that_were_lost_are_noticed_and_not_typed_again(hands: Any, paper: PaperDesktop) -> None:
    paper.lossy = 6
    done = hands("type", role="text", name="Name", title="form", value="hello to the very slow one")
    assert (done["verdict"], done["error"]) == ("unverified", None)
    assert paper.sent().count("type_text") == 1


def test_d19_a_walk_that_ran_out_of_time_says_so_and_pixels_come_along(hands: Any, paper: PaperDesktop) -> None:
    paper.walk_status = "timeout"
    seen = hands("observe", title="form")
    told = seen["semanticStatus"]
    assert (told["quality"], told["limitReason"], seen["visualDelivery"]["delivered"]) == ("empty", "app-timeout", True)
    assert seen["screenshot"]["width"] == 200


def test_a_session_whose_folder_is_gone_is_closed_all_the_same(hands: Any, paper: PaperDesktop) -> None:
    import shutil

    hands("observe", session="broken")
    (steps,) = hands.place.rglob("steps.jsonl")
    hands("observe", session="whole")
    shutil.rmtree(steps.parent)
    assert hands("observe", session="broken")["error"]["code"] == "RUN_LOG_BROKEN"
    closed = hands("close", all=True)
    assert sorted(one["name"] for one in closed["sessions"]) == ["broken", "whole"]
    assert hands("observe", session="broken")["sequence"] == 1


def test_a_wait_that_names_something_says_what_for(hands: Any, paper: PaperDesktop) -> None:
    hands("observe")
    found = hands("wait", title="Nowhere", timeout_ms=10)
    assert found["error"]["code"] == "DESKTOP_ARGUMENT_INVALID"
