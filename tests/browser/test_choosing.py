"""Locators, selections and scripts, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.automation.choosing import Locator
from deepseekeyes.automation.script import steps
from deepseekeyes.automation.surface import Control
from deepseekeyes.browser.adapters.playwright_driver.launch import Candidate, candidates, has_display, headless
from deepseekeyes.browser.compact import line
from deepseekeyes.browser.locate import only
from deepseekeyes.browser.ports import PageView
from deepseekeyes.browser.run import VERBS
from deepseekeyes.browser.selection import Selection, select
from deepseekeyes.browser.settings import BrowserSettings
from deepseekeyes.contracts.browser import Element
from deepseekeyes.core.errors import EyesError

SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "browser-observation.v1.schema.json"


def control(ref: str, role: str, name: str) -> Control:
    return Control(ref=ref, key="k", role=role, name=name)


CONTROLS = (
    control("e1", "button", "Save"),
    control("e2", "button", "Save as"),
    control("e3", "link", "save"),
    control("e4", "textbox", "Name"),
)


@pytest.mark.parametrize(
    ("locator", "ref"),
    [
        (Locator(role="button", name="Save"), "e1"),
        (Locator(role="Button", name=" save "), "e1"),
        (Locator(role="button", name="as"), "e2"),
        (Locator(role="link", text="sav"), "e3"),
        (Locator(role="textbox"), "e4"),
        (Locator(name="Save", nth=2), "e3"),
    ],
)
def test_a_locator_finds_the_one_control_it_fits(locator: Locator, ref: str) -> None:
    assert only(CONTROLS, locator).ref == ref


@pytest.mark.parametrize(
    ("locator", "code"),
    [
        (Locator(name="Save"), "BROWSER_MANY_MATCHES"),
        (Locator(role="button"), "BROWSER_MANY_MATCHES"),
        (Locator(role="slider"), "BROWSER_NO_MATCH"),
        (Locator(name="Save", nth=3), "BROWSER_MANY_MATCHES"),
    ],
)
def test_none_and_several_are_refused_with_candidates(locator: Locator, code: str) -> None:
    with pytest.raises(EyesError) as refused:
        only(CONTROLS, locator)
    assert (refused.value.code.name, bool(refused.value.details["candidates"])) == (code, True)


def view(count: int, text: str = "") -> PageView:
    rows = tuple(
        {"ref": f"e{index}", "role": "button", "name": f"B{index}", "inViewport": index >= count // 2}
        for index in range(count)
    )
    empty: dict[str, Any] = {}
    return PageView("p1", "u", "t", empty, empty, text, 0, rows, count, (), (), None, (), empty)


def test_what_does_not_fit_is_counted_and_the_visible_part_comes_first() -> None:
    chosen = select(view(10, "abcdef"), Selection(), most=4, chars=4)
    assert [row["ref"] for row in chosen.elements] == ["e5", "e6", "e7", "e8"]
    assert (chosen.omitted_elements, chosen.text, chosen.omitted_chars, len(chosen.how)) == (6, "abcd", 2, 3)


def test_pages_of_a_selection_cover_everything_once() -> None:
    seen: list[str] = []
    for start in range(0, 10, 4):
        seen += [row["ref"] for row in select(view(10), Selection(start=start), most=4, chars=9).elements]
    assert sorted(seen) == sorted(f"e{index}" for index in range(10))


def test_the_text_form_is_one_short_line_and_holds_no_protected_value() -> None:
    row = {"ref": "e1", "role": "textbox", "name": 'The "name"', "protected": True, "value": "x", "enabled": False}
    assert line(row) == 'e1 textbox "The \\"name\\"" protected disabled'


def test_a_row_of_a_control_has_every_field_that_is_not_null_and_its_schema_says_so() -> None:
    box = {"x": 1, "y": 2, "width": 3, "height": 4}
    known = {"ref": "e1", "refKey": "br_1", "role": "button", "name": "", "tag": "a", "frame": "main", "document": "d1"}
    row = Element.model_validate({**known, "bbox": box, "checked": False, "files": []}).model_dump(by_alias=True)
    assert row == {
        **known,
        "bbox": box,
        "protected": False,
        "inViewport": True,
        "enabled": True,
        "checked": False,
        "files": (),
    }
    fields = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]["Element"]["properties"]
    assert [name for name, field in fields.items() if "null" in json.dumps(field)] == []


@pytest.mark.parametrize("script", ["", "[]", '{"action": "fly"}', '{"url": "x"}', "{broken", "[1]"])
def test_a_script_that_makes_no_sense_is_refused_before_anything_starts(script: str) -> None:
    with pytest.raises(EyesError) as refused:
        steps(script, VERBS, most=10)
    assert refused.value.code.name == "SCRIPT_INVALID"


def test_a_named_program_or_channel_is_the_only_candidate() -> None:
    named = candidates(BrowserSettings(executable=Path("/opt/browser")))
    channel = candidates(BrowserSettings(channel="chrome"))
    assert (named, channel) == ((Candidate(executable="/opt/browser"),), (Candidate(channel="chrome"),))


def test_otherwise_the_path_is_searched_then_known_places_then_the_drivers_own() -> None:
    found = candidates(
        BrowserSettings(),
        which=lambda name: f"/bin/{name}" if name == "google-chrome" else None,
        exists=lambda path: path == "/usr/bin/chromium",
    )
    assert found == (
        Candidate(executable="/bin/google-chrome"),
        Candidate(executable="/usr/bin/chromium"),
        Candidate(),
    )


def test_without_a_display_no_window_is_tried() -> None:
    settings = BrowserSettings()
    assert [
        headless(None, settings, {}),
        headless(False, settings, {}),
        headless(None, settings, {"DISPLAY": ":0"}),
    ] == [
        not has_display({}),
        False,
        False,
    ]
