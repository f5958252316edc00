"""Dialogs, pages, downloads, addresses and secrets in a real browser."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from site_under_test import RECEIPT

from deepseekeyes.core.errors import EyesError

pytestmark = [pytest.mark.service, pytest.mark.timeout(300)]

SECRET = "hush-9f31-never-shown"


def code(document: dict[str, Any]) -> str | None:
    return document["error"]["code"] if document["error"] else None


def test_a_dialog_is_part_of_the_state_and_nothing_else_goes_on_until_it_is_answered(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/dialogs.html")
    asked = hands("click", name="Delete")
    dialog = asked["state"]["dialog"]
    assert (asked["verdict"], dialog["type"], dialog["message"]) == ("verified", "confirm", "Delete all?")
    refused = hands("click", name="Plain")
    assert (refused["verdict"], code(refused)) == ("refused", "BROWSER_DIALOG_OPEN")
    assert hands("observe")["dialog"]["message"] == "Delete all?"
    dismissed = hands("dialog", accept=False)
    assert (dismissed["verdict"], "confirmed false" in dismissed["state"]["text"]) == ("verified", True)
    hands("click", name="Delete")
    assert "confirmed true" in hands("dialog", accept=True)["state"]["text"]
    hands("click", name="Ask")
    assert "named Ada" in hands("dialog", accept=True, answer="Ada")["state"]["text"]
    assert code(hands("dialog", accept=True)) == "BROWSER_NO_DIALOG"


def test_b21_an_alert_while_loading_is_reported_instead_of_hanging(hands: Any, pages: Any) -> None:
    opened = hands("open", url=f"{pages.url}/alert.html")
    assert opened["state"]["dialog"]["message"] == "hello from load"
    assert "body" in hands("dialog", accept=True)["state"]["text"]


def test_b25_b27_new_pages_are_reported_and_switched_to_on_purpose(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/popups.html")
    opened = hands("click", name="New tab")
    rows = opened["state"]["pages"]
    assert (opened["verdict"], [row["active"] for row in rows]) == ("verified", [True, False])
    new = rows[1]["id"]
    switched = hands("pages", switch=new)
    assert (switched["verdict"], switched["state"]["title"]) == ("verified", "Moving")
    old = switched["stateId"]
    target = next(one["ref"] for one in switched["state"]["elements"] if one["name"] == "Hash")
    from deepseekeyes.wiring.browser import _DESKS

    page = _DESKS[hands.app].get("default").live.page().page
    import asyncio

    asyncio.run_coroutine_threadsafe(page.close(), hands.loop).result(20)
    refused = hands("click", ref=target, state=old)
    assert (code(refused), refused["state"]["title"]) == ("BROWSER_PAGE_CLOSED", "Popups")
    assert any("was closed" in warning for warning in refused["state"]["warnings"])


def test_a_download_lies_in_the_run_folder_with_hash_size_and_source(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/popups.html")
    hands("click", name="Get file")
    row = hands("wait", until="download")["downloads"][-1]
    path = Path(row["path"])
    assert (row["state"], row["bytes"], row["sha256"]) == (
        "done",
        len(RECEIPT),
        hashlib.sha256(RECEIPT).hexdigest(),
    )
    assert path.read_bytes() == RECEIPT
    assert path.resolve().is_relative_to((hands.home / "browser-runs").resolve())


def test_denied_hosts_are_stopped_in_redirects_frames_and_popups_before_anything_is_sent(
    hands: Any, pages: Any
) -> None:
    pages.away = f"http://localhost:{pages.server_port}/moving.html"
    hands("open", session="narrow", url=f"{pages.url}/popups.html", deny=["localhost"])
    pages.asked.clear()
    gone = hands("open", session="narrow", url=f"{pages.url}/away")
    assert (code(gone), gone["verdict"]) == ("BROWSER_URL_DENIED", "unverified")
    hands("open", session="narrow", url=f"{pages.url}/popups.html")
    hands("click", session="narrow", name="Open away")
    framed = hands("click", session="narrow", name="Frame away")
    refused = framed["state"]["diagnostics"]["refused"]
    assert {row["redirected"] for row in refused} == {True}
    assert len(refused) >= 3
    assert [path for path in pages.asked if path.startswith("localhost")] == []
    hands("close", session="narrow")


@pytest.mark.parametrize(
    "url", ["http://10.0.0.1/", "http://169.254.169.254/latest", "http://[fd00::1]/", "file:///etc/passwd"]
)
def test_private_addresses_and_files_are_refused_before_a_browser_starts(hands: Any, url: str) -> None:
    with pytest.raises(EyesError) as refused:
        hands("open", session="never", url=url)
    assert refused.value.code.name == "BROWSER_URL_DENIED"
    with pytest.raises(EyesError) as absent:
        hands("observe", session="never")
    assert absent.value.code.name == "BROWSER_NOT_OPEN"


def test_b35_secrets_are_in_no_document_and_in_no_file(hands: Any, pages: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_PASSWORD", SECRET)
    seen = [hands("open", url=f"{pages.url}/controls.html")]
    assert ["value" in one for one in seen[0]["state"]["elements"] if one.get("protected")] == [False, False]
    assert len(seen[0]["state"]["masks"]) == 2
    seen.append(hands("type", name="Password", value_env="SITE_PASSWORD", secret=True))
    seen.append(hands("type", name="Controlled", value_env="SITE_PASSWORD", secret=True))
    seen.append(hands("assert", assertion="value_equals", name="Password", expected="plainly-secret-2"))
    seen.append(hands("open", url=f"{pages.url.replace('//', '//me:pass-word-77@')}/moving.html?token={SECRET}"))
    seen.append(hands("report"))
    assert [one["verdict"] for one in seen[1:3]] == ["verified", "verified"]
    for text in (SECRET, "plainly-secret-1", "plainly-secret-2", "pass-word-77"):
        found = [str(index) for index, document in enumerate(seen) if text in str(document)]
        assert (text, found) == (text, [])
        folder = hands.home / "browser-runs"
        files = [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]
        assert (text, files) == (text, [])


def test_a_window_without_a_display_is_refused_by_name(hands: Any) -> None:
    with pytest.raises(EyesError) as caught:
        hands("open", url="about:blank", headless=False, session="headed")
    assert (caught.value.code.name, "display" in caught.value.message) == ("BROWSER_LAUNCH_FAILED", True)


def test_a_secret_on_the_line_is_refused(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/controls.html")
    with pytest.raises(EyesError) as refused:
        hands("type", name="Password", value="x", secret=True)
    assert refused.value.code.name == "TEXT_REFUSED"


def test_b33_a_heavy_page_is_cut_to_its_budget_and_says_how_to_get_the_rest(hands: Any, pages: Any) -> None:
    state = hands("open", url=f"{pages.url}/heavy.html")["state"]
    assert (len(state["elements"]), state["omitted"]["elements"], state["truncated"]) == (500, 1000, True)
    assert sum(state["omitted"]["roles"].values()) == 1000
    assert len(state["text"]) <= 20_000
    rest = hands("observe", start=500, most=50)
    assert (len(rest["elements"]), rest["omitted"]["elements"]) == (50, 950)
    found = hands("observe", find="Edit 1234")
    assert [one["name"] for one in found["elements"]] == ["Edit 1234"]
    clicked = hands("click", name="Edit 1234")
    assert clicked["error"] is None


def test_assertions_hold_or_not_across_frames_and_are_tried_again(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/frames.html")
    claims = {
        "page": hands("assert", assertion="text_contains", expected="inner words")["passed"],
        "deep": hands("assert", assertion="visible", name="Deep field")["passed"],
        "wrong": hands("assert", assertion="text_contains", expected="nowhere", retry_ms=150)["passed"],
        "count": hands("assert", assertion="count_equals", role="button", expected="1")["passed"],
        "title": hands("assert", assertion="title_equals", expected="Frames")["passed"],
    }
    assert claims == {"page": True, "deep": True, "wrong": False, "count": True, "title": True}
    stale = hands("assert", assertion="visible", name="Deep field", state="browser-state:" + "0" * 64)
    assert (stale["passed"], code(stale)) == (False, "BROWSER_STATE_STALE")


def test_a_stored_run_is_verified_and_a_changed_line_is_found(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/frames.html")
    report = hands("report")
    assert hands("verify", run=report["path"])["passed"] is True
    steps = Path(report["path"]).parent / "steps.jsonl"
    original = steps.read_bytes()
    steps.write_bytes(original.replace(b"frames.html", b"framed.html", 1))
    assert hands("verify", run=report["runId"])["passed"] is False
    steps.write_bytes(original)
