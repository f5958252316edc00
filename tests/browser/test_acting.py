"""Actions on hostile pages in a real browser: each ends in the right verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.service, pytest.mark.timeout(300)]


def ref(document: dict[str, Any], name: str) -> str:
    state = document.get("state") or document
    found = [one["ref"] for one in state["elements"] if one["name"] == name]
    assert len(found) == 1, (name, found)
    return str(found[0])


def code(document: dict[str, Any]) -> str | None:
    return document["error"]["code"] if document["error"] else None


def test_b03_a_ref_stays_with_its_node_through_insertions_and_sorting(hands: Any, pages: Any) -> None:
    before = hands("open", url=f"{pages.url}/moving.html")
    anna, gone, renamed = (ref(before, name) for name in ("Write to Anna", "Vanishes", "Save draft"))
    changed = hands("click", name="Later")
    assert ref(changed, "Write to Anna") == anna
    clicked = hands("click", ref=anna, state=changed["stateId"])
    assert (clicked["verdict"], "wrote to Anna" in clicked["state"]["text"]) == ("verified", True)
    vanished = hands("click", ref=gone, state=clicked["stateId"])
    assert (vanished["verdict"], code(vanished)) == ("refused", "BROWSER_REF_UNKNOWN")
    other = hands("click", ref=ref(vanished, "Delete all"), state=vanished["stateId"])
    assert (ref(vanished, "Delete all"), other["verdict"]) == (renamed, "verified")


def test_b01_a_state_or_a_document_that_is_not_the_newest_is_refused_with_a_fresh_one(hands: Any, pages: Any) -> None:
    first = hands("open", url=f"{pages.url}/moving.html")
    anna = ref(first, "Write to Anna")
    hands("observe")
    stale = hands("click", ref=anna, state=first["stateId"])
    assert (stale["verdict"], code(stale), "wrote" in stale["state"]["text"]) == (
        "refused",
        "BROWSER_STATE_STALE",
        False,
    )
    again = hands("click", ref=anna, state=stale["stateId"])
    assert again["verdict"] == "verified"
    reloaded = hands("reload", state=again["stateId"])
    late = hands("click", ref=anna, state=reloaded["stateId"])
    assert (reloaded["verdict"], late["verdict"], code(late)) == ("verified", "refused", "BROWSER_REF_UNKNOWN")


def test_b03_a_control_that_is_renamed_behind_our_back_is_refused_with_was_and_is(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/moving.html")
    seen = hands("observe")
    live = hands.app
    from deepseekeyes.wiring.browser import _DESKS

    page = _DESKS[live].get("default").live.page().page
    import asyncio

    asyncio.run_coroutine_threadsafe(page.evaluate("change()"), hands.loop).result(20)
    refused = hands("click", ref=ref(seen, "Save draft"), state=seen["stateId"])
    assert (code(refused), "Delete all" in refused["error"]["message"]) == ("BROWSER_TARGET_CHANGED", True)
    gone = hands("observe")
    assert ref(gone, "Write to Anna") == ref(seen, "Write to Anna")


def test_b37_what_covers_a_target_is_named_and_nothing_is_clicked(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/covered.html")
    covered = hands("click", name="Under")
    assert (covered["verdict"], code(covered)) == ("refused", "BROWSER_TARGET_COVERED")
    assert "Cookie banner" in covered["error"]["message"]
    assert code(hands("click", name="Off")) == "BROWSER_TARGET_DISABLED"
    assert code(hands("click", name="Runner")) == "BROWSER_TARGET_MOVING"
    far = hands("click", name="Far")
    assert (far["verdict"], "Far done" in far["state"]["text"]) == ("verified", True)


def test_a_click_without_an_effect_is_unverified(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/popups.html")
    dead = hands("click", name="Close me")
    assert dead["verdict"] == "unverified"


def test_b07_b09_b11_b13_controls_in_frames_and_shadow_roots_are_seen_and_used(hands: Any, pages: Any) -> None:
    opened = hands("open", url=f"{pages.url}/frames.html")
    state = opened["state"]
    assert [frame["path"] for frame in state["frames"]] == ["main", "main/1", "main/1/1"]
    assert "inner words" in state["text"]
    assert "shadow words" in state["text"]
    assert hands("click", name="Plain div")["verdict"] == "verified"
    typed = hands("type", name="Deep field", value="down here", require_verified=True)
    assert typed["verdict"] == "verified"
    shadow = hands("click", name="Shadow button")
    assert "Shadow done" in shadow["state"]["text"]


def test_b15_a_page_wholly_in_shadow_roots_is_seen_and_a_painted_one_without_words_is_said(
    hands: Any, pages: Any
) -> None:
    whole = hands("open", url=f"{pages.url}/shadow.html")["state"]
    assert [(one["role"], one["name"]) for one in whole["elements"]] == [("textbox", "City"), ("button", "Go")]
    canvas = hands("open", url=f"{pages.url}/canvas.html")["state"]
    assert any("painted" in warning for warning in canvas["warnings"])


def test_b17_b19_b37_typing_is_read_back_from_controlled_rich_and_stubborn_fields(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/controls.html")
    controlled = hands("type", name="Controlled", value="Zoë 東京 🎉")
    assert (controlled["verdict"], "model: Zoë 東京 🎉" in controlled["state"]["text"]) == ("verified", True)
    assert hands("type", name="Stubborn", value="other")["verdict"] == "unverified"
    assert hands("type", name="Editor", value="first letter kept")["verdict"] == "verified"
    assert hands("type", name="Notes", value="two\nlines\tand a tab")["verdict"] == "verified"
    assert hands("type", name="Notes", value="", require_verified=True)["verdict"] == "verified"
    assert hands("type", name="Day", value="2026-11-30")["verdict"] == "verified"
    fruit = hands("type", name="Fruit", value="--clear text")
    assert (fruit["verdict"], next(e["value"] for e in fruit["state"]["elements"] if e["name"] == "Fruit")) == (
        "verified",
        "--clear text",
    )


def test_b31_selects_checks_uploads_hovers_and_double_clicks_are_read_back(
    hands: Any, pages: Any, tmp_path: Path
) -> None:
    hands("open", url=f"{pages.url}/controls.html")
    assert hands("select", name="City", option=["Berlin"])["verdict"] == "verified"
    unknown = hands("select", name="City", option=["Rome"])
    assert (unknown["verdict"], code(unknown)) == ("refused", "BROWSER_OPTION_UNKNOWN")
    assert code(hands("select", name="Fruit", option=["Apple"])) == "BROWSER_WRONG_KIND"
    assert hands("check", name="Fancy terms")["verdict"] == "verified"
    again = hands("check", name="Fancy terms")
    assert (again["verdict"], again["facts"]["already"]) == ("verified", True)
    assert hands("uncheck", name="Fancy terms")["verdict"] == "verified"
    (tmp_path / "note.txt").write_text("x", encoding="utf-8")
    assert hands("upload", name="Attachment", file=[str(tmp_path / "note.txt")])["verdict"] == "verified"
    hovered = hands("hover", name="Menu")
    assert (hovered["verdict"], "Submenu" in hovered["state"]["text"]) == ("verified", True)
    double = hands("click", name="Twice", double=True)
    assert (double["action"], "Double done" in double["state"]["text"]) == ("double_click", True)


def test_drags_scrolls_keys_and_history_do_what_they_say(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/moves.html")
    dropped = hands("drag", name="Card", to_name="Bin")
    assert (dropped["verdict"], "dropped" in dropped["state"]["text"]) == ("verified", True)
    inside = hands("scroll", name="List", delta_y=200, state=dropped["stateId"])
    assert (inside["verdict"], inside["state"]["scroll"]["y"]) == ("verified", 0)
    scrolled = hands("scroll", delta_y=500, state=inside["stateId"])
    assert scrolled["state"]["scroll"]["y"] > 0
    keyed = hands("press", key="Home", state=scrolled["stateId"])
    assert (keyed["verdict"], keyed["state"]["scroll"]["y"]) == ("verified", 0)
    assert code(hands("press", key="Home")) == "BROWSER_STATE_MISSING"
    hands("open", url=f"{pages.url}/moving.html")
    hashed = hands("click", name="Hash")
    assert (hashed["verdict"], hashed["state"]["url"].endswith("#part")) == ("verified", True)
    back = hands("back", state=hashed["stateId"])
    assert (back["verdict"], back["state"]["url"].endswith("moving.html")) == ("verified", True)


def test_a_locator_must_fit_exactly_one_control(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/moving.html")
    many = hands("click", role="button", with_text="Write to")
    assert (code(many), len(many["error"]["details"]["candidates"])) == ("BROWSER_MANY_MATCHES", 2)
    none = hands("click", role="button", name="Write to Carl")
    assert (code(none), none["verdict"]) == ("BROWSER_NO_MATCH", "refused")
    assert hands("click", role="button", with_text="Write to", nth=2)["verdict"] == "verified"
