"""Cases that tools like this one got wrong in the field, each in a real browser."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.browser.adapters.playwright_driver import surface as surfaces
from deepseekeyes.core.errors import EyesError
from deepseekeyes.wiring.browser import _DESKS

pytestmark = [pytest.mark.service, pytest.mark.timeout(300)]

Step = Callable[[Any], Coroutine[Any, Any, Any]]


def ref(document: dict[str, Any], name: str) -> str:
    state = document.get("state") or document
    found = [one["ref"] for one in state["elements"] if one["name"] == name]
    assert len(found) == 1, (name, found)
    return str(found[0])


def code(document: dict[str, Any]) -> str | None:
    return document["error"]["code"] if document["error"] else None


def behind(hands: Any, step: Step) -> Any:
    """Do something to the live page that nobody was told of."""
    page = _DESKS[hands.app].get("default").live.page().page
    return asyncio.run_coroutine_threadsafe(step(page), hands.loop).result(30)


def meanwhile(monkeypatch: pytest.MonkeyPatch, step: Step, *, times: int = 1) -> list[bool]:
    """Do something to the page while its pixels are captured, the first so many times."""
    taken: list[bool] = []
    whole = surfaces.whole

    async def interrupted(surface: Any, active: Any) -> bytes:
        taken.append(len(taken) < times)
        if taken[-1]:
            await step(active.page)
        return await whole(surface, active)

    monkeypatch.setattr(surfaces, "whole", interrupted)
    return taken


def test_b01_a_ref_from_before_a_reload_types_nothing(hands: Any, pages: Any) -> None:
    first = hands("open", url=f"{pages.url}/controls.html")
    behind(hands, lambda page: page.reload())
    refused = hands("type", ref=ref(first, "Notes"), value="x", state=first["stateId"])
    assert (refused["verdict"], code(refused)) == ("refused", "BROWSER_TARGET_CHANGED")
    assert behind(hands, lambda page: page.evaluate("document.querySelector('textarea').value")) == ""


def test_b03_a_list_that_sorts_its_names_over_the_same_nodes_sends_nothing_to_the_wrong_one(
    hands: Any, pages: Any
) -> None:
    seen = hands("open", url=f"{pages.url}/people.html")
    behind(hands, lambda page: page.evaluate("sort()"))
    refused = hands("click", ref=ref(seen, "Write to Anna"), state=seen["stateId"])
    assert code(refused) == "BROWSER_TARGET_CHANGED"
    assert all(name in refused["error"]["message"] for name in ("Write to Anna", "Write to Carl"))
    named = hands("click", name="Write to Anna")
    assert (named["verdict"], "wrote to Write to Anna" in named["state"]["text"]) == ("verified", True)


def test_b05_a_page_that_navigates_while_it_is_looked_at_is_looked_at_again(
    hands: Any, pages: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands("open", url=f"{pages.url}/moving.html")
    taken = meanwhile(monkeypatch, lambda page: page.goto(f"{pages.url}/people.html"))
    seen = hands("observe")
    assert (taken[:2], seen["title"], seen["url"]) == ([True, False], "People", f"{pages.url}/people.html")
    assert [one["name"] for one in seen["elements"]] == [f"Write to {name}" for name in ("Anna", "Bert", "Carl")]
    assert hands("click", ref=ref(seen, "Write to Bert"), state=seen["stateId"])["verdict"] == "verified"


def test_b05_a_look_during_which_the_document_changed_is_thrown_away(
    hands: Any, pages: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands("open", url=f"{pages.url}/people.html")
    taken = meanwhile(monkeypatch, lambda page: page.evaluate("sort()"))
    seen = hands("observe")
    assert (len(taken), seen["elements"][0]["name"], seen["warnings"]) == (2, "Write to Carl", [])


def test_b05_a_page_that_never_stands_still_is_shown_with_a_warning(
    hands: Any, pages: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands("open", url=f"{pages.url}/people.html")
    taken = meanwhile(monkeypatch, lambda page: page.evaluate("sort()"), times=9)
    assert (hands("observe")["warnings"], len(taken)) == (["The page kept changing while it was looked at."], 3)


def test_b07_b11_frames_of_other_origins_and_sandboxes_are_seen_or_said_to_be_opaque(hands: Any, pages: Any) -> None:
    state = hands("open", url=f"{pages.url}/across.html")["state"]
    seen = {frame["path"]: (frame["opaque"], frame["url"].partition("/inner")[0]) for frame in state["frames"]}
    assert seen["main/1"] == (False, f"http://localhost:{pages.server_port}")
    assert {one["frame"] for one in state["elements"]} >= {"main", "main/1", "main/1/1", "main/2"}
    assert all(words in state["text"] for words in ("outer words", "inner words", "boxed words"))
    deep = hands("type", name="Deep field", value="over there")
    assert (deep["verdict"], hands("click", name="Boxed link")["error"]) == ("verified", None)


def test_b09_a_frame_that_does_not_answer_is_an_opaque_node(
    hands: Any, pages: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deepseekeyes.browser.adapters.playwright_driver.registry.DEEPEST", 1)
    state = hands("open", url=f"{pages.url}/frames.html")["state"]
    assert [(frame["path"], frame["opaque"]) for frame in state["frames"]] == [
        ("main", False),
        ("main/1", False),
        ("main/1/1", True),
    ]
    assert any("main/1/1" in warning for warning in state["warnings"])


def test_b23_a_dialog_that_opens_during_an_action_ends_the_wait_at_once(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/dialogs.html")
    started = time.monotonic()
    asked = hands("click", name="Delete")
    assert (asked["verdict"], asked["facts"], asked["state"]["dialog"]["type"]) == (
        "verified",
        {"dialogOpened": True},
        "confirm",
    )
    assert time.monotonic() - started < hands.app.settings.browser.timeout_ms / 1000
    answered = hands("dialog", accept=False)
    assert (answered["verdict"], answered["state"]["dialog"]) == ("verified", None)


def test_b23_a_page_that_asks_before_it_is_left_is_left_when_told_to(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/asking.html")
    hands("click", name="Change")
    asked = hands("open", url=f"{pages.url}/moving.html")
    assert (asked["verdict"], asked["state"]["dialog"]["type"]) == ("unverified", "beforeunload")
    stayed = hands("dialog", accept=False)
    assert stayed["state"]["title"] == "Asking"
    hands("click", name="Leave")
    left = hands("dialog", accept=True)
    assert (left["verdict"], left["state"]["title"]) == ("verified", "Moving")


def test_b29_downloads_are_reported_when_they_fail_and_when_another_page_starts_them(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/asking.html")
    hands("click", name="Broken file")
    broken = hands("wait", until="download")["downloads"][-1]
    assert (broken["state"], broken["suggestedName"], broken["sha256"], bool(broken["error"])) == (
        "failed",
        "broken.bin",
        None,
        True,
    )
    hands("click", name="File in a new tab")
    other = hands("wait", until="download")["downloads"][-1]
    assert (other["state"], Path(other["path"]).is_file()) == ("done", True)


def test_b31_an_option_of_a_combobox_is_clicked_like_anything_else(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/asking.html")
    offered = hands("type", name="Colour", value="gr")
    assert [one["name"] for one in offered["state"]["elements"] if one["role"] == "option"] == ["green", "grey"]
    assert code(hands("select", name="Colour", option=["green"])) == "BROWSER_WRONG_KIND"
    chosen = hands("click", role="option", name="grey")
    assert (chosen["verdict"], "chose grey" in chosen["state"]["text"]) == ("verified", True)


def test_v31_a_page_higher_than_a_picture_can_be_is_seen_screen_by_screen(hands: Any, pages: Any) -> None:
    opened = hands("open", url=f"{pages.url}/tall.html")["state"]
    assert opened["scroll"]["documentHeight"] > 32_767
    assert (opened["screenshot"]["width"], opened["screenshot"]["height"]) == (1440, 900)
    reached = hands("click", name="Bottom")
    assert (reached["verdict"], reached["state"]["scroll"]["y"] > 32_767) == ("verified", True)
    assert hands("screenshot")["screenshot"]["height"] == 900


def test_a_file_chooser_that_a_click_opens_is_said_and_takes_files_by_upload(
    hands: Any, pages: Any, tmp_path: Path
) -> None:
    hands("open", url=f"{pages.url}/asking.html")
    asked = hands("click", name="Choose a file")
    assert (asked["verdict"], any("upload" in warning for warning in asked["state"]["warnings"])) == ("verified", True)
    (tmp_path / "note.txt").write_text("x", encoding="utf-8")
    given = hands("upload", name="Choose a file", file=[str(tmp_path / "note.txt")])
    assert (given["verdict"], "got note.txt" in given["state"]["text"]) == ("verified", True)


def test_a_subtree_holds_the_controls_and_words_of_one_element_and_of_frames_in_it(hands: Any, pages: Any) -> None:
    opened = hands("open", url=f"{pages.url}/frames.html")["state"]
    frame = next(one["ref"] for one in opened["elements"] if one["role"] == "iframe" and one["frame"] == "main")
    part = hands("observe", subtree=frame)
    assert {one["name"] for one in part["elements"]} >= {"Plain div", "Deep field"}
    assert "Shadow button" not in {one["name"] for one in part["elements"]}
    assert ("inner words" in part["text"], "shadow words" in part["text"]) == (True, False)
    with pytest.raises(Exception, match="is not there any more"):
        hands("observe", subtree="e99999")


def test_a_locator_finds_what_came_without_a_sign_after_the_newest_look(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/people.html")
    late = "document.querySelector('#out').attachShadow({mode: 'open'}).innerHTML = '<button>Late</button>'"
    behind(hands, lambda page: page.evaluate(late))
    assert code(hands("click", name="Late")) is None


def test_a_field_that_a_script_filled_without_a_sign_is_looked_at_again(hands: Any, pages: Any) -> None:
    opened = hands("open", url=f"{pages.url}/asking.html")
    behind(hands, lambda page: page.evaluate("document.querySelector('[role=combobox]').value = 'quiet'"))
    clicked = hands("click", name="Choose a file")
    changed = [field for one in clicked["delta"]["elements"]["changed"] for field in one["fields"]]
    assert (clicked["delta"]["fromStateId"] != opened["stateId"], "value" in changed) == (True, False)


def test_the_last_page_is_not_closed_and_a_drag_has_an_end(hands: Any, pages: Any) -> None:
    opened = hands("open", url=f"{pages.url}/people.html")
    for one in hands("pages")["items"][1:]:
        hands("pages", close=one["id"])
    only = hands("pages")["items"][0]["id"]
    assert code(hands("pages", close=only)) == "BROWSER_LAST_PAGE"
    with pytest.raises(EyesError) as refused:
        hands("drag", name="Write to Anna")
    assert (refused.value.code.name, opened["error"]) == ("BROWSER_DRAG_END_REQUIRED", None)


def test_a_page_that_the_server_refuses_is_shown_and_said(hands: Any, pages: Any) -> None:
    opened = hands("open", url=f"{pages.url}/nothing.html")
    assert (opened["facts"]["status"], opened["state"]["warnings"]) == (404, ["The server answered 404."])


def test_a_wait_that_timed_out_is_a_step_and_fails_the_report(hands: Any, pages: Any) -> None:
    hands("open", session="waiting", url=f"{pages.url}/people.html")
    with pytest.raises(EyesError) as waited:
        hands("wait", session="waiting", until="text", expected="never to be seen", timeout_ms=1)
    report = hands("report", session="waiting")
    hands("close", session="waiting")
    step = report["steps"][-1]
    assert (waited.value.code.name, step["action"], step["error"]["code"]) == (
        "BROWSER_WAIT_TIMEOUT",
        "wait",
        "BROWSER_WAIT_TIMEOUT",
    )
    assert (report["summary"]["passed"], report["summary"]["actionFailureCount"]) == (False, 1)
