"""Pages that are huge, that hide their own properties, that insist, that go elsewhere, and that repeat secrets."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from deepseekeyes.browser.adapters.playwright_driver.hiding import pieces_with
from deepseekeyes.core.errors import EyesError

pytestmark = [pytest.mark.service, pytest.mark.timeout(200)]


def warned(document: dict[str, Any], words: str) -> bool:
    return any(words in line for line in document["warnings"])


def test_a_page_of_twenty_thousand_controls_is_read_and_what_is_in_sight_can_be_used(hands: Any, pages: Any) -> None:
    opened = hands("open", url=f"{pages.url}/many.html")
    assert opened["verdict"] == "verified"
    assert opened["state"]["elementsTotal"] == 20_000
    far = hands("click", role="button", name="B19999")
    assert far["error"]["code"] == "BROWSER_NO_MATCH"
    assert "15000 further down were not" in far["error"]["message"]
    hands("press", key="End", state=hands.newest)
    assert hands("click", role="button", name="B19999")["verdict"] == "verified"


def test_fields_that_hide_properties_of_their_form_and_document_hide_nothing(hands: Any, pages: Any) -> None:
    seen = hands("open", url=f"{pages.url}/clobber.html")["state"]
    assert seen["title"] == "Clobber"
    assert [row["role"] for row in seen["elements"]] == ["generic", *["textbox"] * 14, "button"]
    assert hands("click", role="button", name="Save")["verdict"] == "verified"


def test_a_page_wholly_in_a_closed_shadow_root_is_said_to_be_painted_only(hands: Any, pages: Any) -> None:
    assert warned(hands("open", url=f"{pages.url}/closed.html")["state"], "read its screenshot")


def test_a_page_that_asks_without_end_says_how_to_leave_it(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/insists.html", session="insists")
    asked = hands("click", role="button", name="Ask", session="insists")
    assert not warned(asked["state"], "in a row")
    for _ in range(5):
        asked = hands("dialog", accept=False, session="insists")
    assert warned(asked["state"], "deepseekeyes browser close")
    assert hands("close", session="insists")["steps"] == 7


def test_a_page_that_goes_elsewhere_by_itself_can_be_left(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/restless.html")
    assert hands("open", url=f"{pages.url}/shop.html")["state"]["title"] == "Shop"


def test_an_address_that_answers_with_nothing_is_not_taken_for_a_page(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/shop.html")
    stayed = hands("open", url=f"{pages.url}/nothing")
    assert stayed["verdict"] == "unverified"
    assert stayed["state"]["url"] == f"{pages.url}/shop.html"


def test_an_address_that_does_not_answer_is_given_up_and_the_page_before_it_still_works(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/insists.html")
    late = hands("open", url=f"{pages.url}/late")
    assert (late["error"]["code"], late["state"]["title"]) == ("BROWSER_TIMEOUT", "Insists")
    assert hands("hover", role="button", name="Ask")["verdict"] == "verified"


def test_an_address_that_is_a_file_is_a_download(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/shop.html")
    came = hands("open", url=f"{pages.url}/download")
    assert (came["verdict"], came["error"]) == ("verified", None)
    assert came["state"]["downloads"][-1]["state"] == "done"


def test_a_page_that_leads_to_a_private_address_says_why_it_is_not_there(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/onward.html")
    hands("wait", until="url", expected="chrome-error")
    assert warned(hands("observe"), "which may not be opened: 10.0.0.1 is a private address.")


@pytest.mark.parametrize(
    "url", ["data:text/html,hi", "blob:x", "about:srcdoc", "chrome-error://x", "javascript:alert(1)"]
)
def test_addresses_that_only_pages_make_are_not_typed(hands: Any, url: str) -> None:
    with pytest.raises(EyesError) as caught:
        hands("open", url=url)
    assert caught.value.code.name == "BROWSER_URL_DENIED"


def test_windows_beyond_the_limit_are_closed_again_and_counted(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/storm.html", session="storm")
    stormy = hands("click", role="button", name="Open", session="storm")
    seen = [stormy["state"], hands("observe", session="storm")]
    assert len(seen[-1]["pages"]) == 20
    assert any(warned(one, "more pages were opened and closed again: 20 may be open") for one in seen)
    hands("close", session="storm")


def test_a_secret_that_a_page_repeats_in_any_spelling_is_in_no_document(
    hands: Any, pages: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "s3cret/pass word+ü"
    hands.app.environ["SPELLED"] = secret
    monkeypatch.setenv("SPELLED", secret)
    hands("open", url=f"{pages.url}/leaks.html")
    hands("type", role="textbox", name="Password", value_env="SPELLED", secret=True)
    told = json.dumps([hands("click", role="button", name="Leak"), hands("observe"), hands("report")])
    for form in (secret, quote(secret), quote(secret, safe=""), "s3cret"):
        assert form not in told


def test_a_secret_that_a_page_shows_as_text_or_in_another_field_is_painted_over(
    hands: Any, pages: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOWN", "visible-secret-9")
    hands("open", url=f"{pages.url}/leaks.html")
    assert len(hands.newest and hands("observe")["masks"]) == 1
    hands("type", role="textbox", name="Password", value_env="SHOWN", secret=True)
    hands("click", role="button", name="Leak")
    seen = hands("observe")
    assert "you typed [REDACTED]" in seen["text"]
    assert seen["elements"][2]["value"] == "[REDACTED]"
    assert len(seen["masks"]) == 3


@pytest.mark.parametrize(
    ("pieces", "found"),
    [(["a", "secret", "b"], [1]), (["a sec", "ret b"], [0, 1]), (["sec", "\n", "ret"], []), (["xsecretsecret"], [0])],
)
def test_pieces_that_make_up_a_secret_are_found(pieces: list[str], found: list[int]) -> None:
    assert pieces_with(pieces, ["secret"]) == found


def test_fields_that_take_their_page_away_or_ask_are_judged_by_what_came(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/departing.html")
    asked = hands("select", role="combobox", name="Asks", option=["two"])
    assert (asked["error"], asked["state"]["dialog"]["message"]) == (None, "chosen")
    hands("dialog", accept=True)
    left = hands("select", role="combobox", name="Leaves", option=["two"])
    assert (left["error"], left["verdict"], left["state"]["url"][-4:]) == (None, "verified", "left")
    typed = hands("type", role="textbox", name="Code", value="1234")
    assert (typed["error"], typed["verdict"], typed["state"]["url"][-5:]) == (None, "verified", "typed")


def test_nodes_that_are_gone_are_forgotten_by_the_page_and_names_stay_used_up(hands: Any, pages: Any) -> None:
    hands("open", url=f"{pages.url}/departing.html")
    first = hands("click", role="button", name="Render")["state"]["elements"]
    second = hands("click", role="button", name="Render")["state"]["elements"]
    kept = {row["ref"] for row in first} & {row["ref"] for row in second}
    assert len(kept) == 4
    assert len({row["ref"] for row in [*first, *second]}) == 4 + 600
