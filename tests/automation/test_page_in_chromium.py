"""The report page in a real browser."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from paper_story import HOSTILE, built, story

from deepseekeyes.automation import page
from deepseekeyes.automation.settings import AutomationSettings

pytestmark = [pytest.mark.service, pytest.mark.xdist_group("automation-page")]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def written(make: Any, tmp_path: Path) -> Path:
    """A page of a run in which hostile text is everywhere."""
    paper = make()
    with ThreadPoolExecutor(1) as aside:
        aside.submit(lambda: asyncio.run(story(paper, HOSTILE))).result()
    path = tmp_path / "report.html"
    path.write_text(page.page(built(paper), paper.run.log.picture, AutomationSettings()), encoding="utf-8")
    return path


Open = Callable[..., Any]


@pytest.fixture
def opened(chromium: Any, written: Path) -> Iterator[Open]:
    """Opens the page; afterwards: nothing was logged, nothing failed, nothing was fetched."""
    troubles: list[str] = []
    requested: list[str] = []

    def open_(**context: Any) -> Any:
        tab = chromium.new_context(viewport={"width": 1400, "height": 900}, **context).new_page()
        tab.on("console", lambda message: troubles.append(message.text))
        tab.on("pageerror", lambda error: troubles.append(str(error)))
        tab.on("request", lambda request: requested.append(request.url))
        tab.goto(written.as_uri())
        return tab

    yield open_
    assert troubles == []
    assert [url for url in requested if not url.startswith("data:")] == [written.as_uri()]


def test_hostile_text_runs_nothing_and_is_shown_as_it_is(opened: Open) -> None:
    tab = opened()
    assert tab.title() == "Browser report: default"
    assert HOSTILE in tab.locator("#s2 h2").inner_text()
    assert tab.locator("img, iframe, object").count() == 0


def test_the_marker_lies_where_the_click_was_on_the_captured_pixels(opened: Open) -> None:
    tab = opened()
    shot = tab.locator("#s4 figure svg.shot").first
    shot.scroll_into_view_if_needed()
    frame, dot = shot.bounding_box(), shot.locator(".dot").bounding_box()
    scale = frame["width"] / 640
    assert frame["height"] / scale == pytest.approx(400, abs=2)
    assert (dot["x"] + dot["width"] / 2 - frame["x"]) / scale == pytest.approx(360, abs=2)
    assert (dot["y"] + dot["height"] / 2 - frame["y"]) / scale == pytest.approx(237, abs=2)


def test_steps_can_be_filtered_walked_and_compared(opened: Open) -> None:
    tab = opened()
    tab.get_by_role("button", name="Trouble").click()
    assert [step.get_attribute("id") for step in tab.locator(".step:visible").all()] == ["s5", "s7"]
    tab.get_by_role("button", name="All").click()
    assert tab.locator(".step:visible").count() == 7
    tab.locator("#s4 figure svg.shot").last.click()
    lens = tab.locator("#lens")
    assert lens.locator("svg.shot").count() == 2
    assert lens.locator("input").input_value() == "0"
    tab.keyboard.press("Space")
    assert lens.locator("input").input_value() == "100"
    tab.keyboard.press("Escape")
    assert not lens.is_visible()


def test_without_scripts_everything_is_still_there(opened: Open) -> None:
    tab = opened(java_script_enabled=False)
    assert tab.locator(".step:visible").count() == 7
    assert tab.locator(".filters").is_hidden()
    box = tab.locator("#s1 svg.shot use").bounding_box()
    assert box["width"] > 300


def test_a_narrow_window_shows_no_sideways_scrolling(opened: Open) -> None:
    tab = opened()
    tab.set_viewport_size({"width": 390, "height": 800})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
