"""The page: one file, everything escaped, nothing loaded, and in a real browser it does what it shows."""

from __future__ import annotations

import base64
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from deepseekeyes.contracts.evidence import EvidenceRecord
from deepseekeyes.vision.marks import marks_of
from deepseekeyes.vision.page import PagePicture, made_by_us, page

H = "0123456789abcdef" * 4
EVIL = '</script><script>alert(1)</script><img src=x onerror=alert(1)>" onload="alert(1)'


def record(**changes: Any) -> EvidenceRecord:
    evidence = {
        "schemaVersion": "deepseekeyes.evidence.v1",
        "summary": "A dialog.",
        "ocr": [
            {"text": "Archive could not be finished", "bbox": [0.1, 0.1, 0.4, 0.04], "confidence": 0.987},
            {"text": "重试 Retry", "bbox": [0.6, 0.8, 0.1, 0.05], "confidence": 0.5},
        ],
        "regions": [{"id": "dialog", "bbox": [0.05, 0.05, 0.9, 0.9], "description": "The dialog"}],
        "objects": [{"name": "button", "bbox": [0.58, 0.78, 0.15, 0.1], "attributes": ["blue", "round"]}],
        "relations": ["The button is in the dialog."],
        "quantitativeFacts": [],
        "uncertainties": [],
    }
    return EvidenceRecord.model_validate(
        {
            "schema": "deepseekeyes.evidence-record.v1",
            "recordSha256": H,
            "cacheKey": H,
            "kind": "base",
            "source": {
                "sha256": H, "mediaType": "image/png", "bytes": 9, "width": 800, "height": 600, "mode": "RGB",
                "pixelSha256": H,
            },
            "rendition": {"sha256": H, "mediaType": "image/png", "bytes": 9, "width": 800, "height": 600},
            "route": {"id": "local", "provider": "local", "engine": "local", "model": "m"},
            "contract": {"evidence": "deepseekeyes.evidence.v1", "prompt": "1"},
            "coordinates": {"convention": "normalized", "declared": True, "ambiguous": False},
            "evidence": evidence,
            **changes,
        }
    )  # fmt: skip


def picture() -> PagePicture:
    out = BytesIO()
    Image.new("RGB", (800, 600), "#dddddd").save(out, "PNG")
    return PagePicture(out.getvalue(), "image/png", 800, 600)


def written(of: EvidenceRecord | None = None, **options: Any) -> str:
    shown = of or record()
    return page(shown, picture(), marks_of(shown), **{"title": "dialog.png", **options})


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def named(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.found if tag == name]


def test_the_same_record_gives_the_same_page():
    assert written() == written()


def test_the_page_holds_the_picture_and_loads_nothing():
    tags = Tags(written())

    (image,) = tags.named("img")
    assert base64.b64decode(str(image["src"]).split(",")[1]) == picture().data
    assert [link for link in tags.named("link") if link.get("href") != "data:,"] == []
    assert tags.named("script") == [{}]
    addresses = [value for _, attrs in tags.found for key, value in attrs.items() if key in ("src", "href", "action")]
    assert all(str(address).startswith("data:") for address in addresses)
    assert not re.search(r"https?://(?!www\.w3\.org)", written())


def test_its_own_policy_forbids_everything_but_what_is_inside():
    (policy,) = [meta for meta in Tags(written()).named("meta") if meta.get("http-equiv")]

    assert str(policy["content"]).startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in str(policy["content"])
    assert not re.search(r'\s(style|on\w+)="', written())


def test_every_box_is_drawn_in_source_pixels_with_its_text_on_hover():
    tags = Tags(written())
    boxes = {box["data-of"]: box for box in tags.named("rect")}

    assert [tag["viewbox"] for tag in tags.named("svg")] == ["0 0 800 600"]
    assert {key: boxes["e0"][key] for key in ("x", "y", "width", "height", "class")} == {
        "x": "80", "y": "60", "width": "320", "height": "24", "class": "ocr",
    }  # fmt: skip
    assert [box["data-of"] for box in tags.named("rect")] == ["e2", "e0", "e3", "e1"]
    assert "<title>1: Archive could not be finished</title>" in written()


def test_the_legend_counts_each_list():
    text = written()

    for kind, count in (("ocr", 2), ("regions", 1), ("objects", 1)):
        assert re.search(rf'data-kind="{kind}" aria-pressed="true"><i></i>\w+ <b>{count}</b>', text)
    assert 'data-kind="observations"' not in text


@pytest.mark.parametrize("place", ["text", "title", "summary", "attribute", "question", "relation", "route", "repair"])
def test_nothing_out_of_pixels_or_models_becomes_markup(place):
    shown = record()
    evidence = {**shown.evidence}
    changes: dict[str, Any] = {}
    if place == "text":
        evidence["ocr"] = [{"text": EVIL, "bbox": [0.1, 0.1, 0.1, 0.1], "confidence": 1}]
    elif place == "summary":
        evidence["summary"] = EVIL
    elif place == "attribute":
        evidence["objects"] = [{"name": EVIL, "bbox": [0.1, 0.1, 0.1, 0.1], "attributes": [EVIL]}]
    elif place == "relation":
        evidence["relations"] = [EVIL]
    elif place == "question":
        changes["question"] = EVIL
    elif place == "route":
        changes["route"] = shown.route.model_copy(update={"model": EVIL, "id": EVIL})
    elif place == "repair":
        changes["repairs"] = [{"path": EVIL, "action": EVIL}]

    text = written(shown.model_copy(update={**record(**changes).__dict__, "evidence": evidence}), title=EVIL)

    tags = Tags(text)
    assert len(tags.named("script")) == 1
    assert len(tags.named("img")) == 1
    assert not any(key.startswith("on") for _, attrs in tags.found for key in attrs)
    assert "&lt;script&gt;" in text


def test_characters_that_no_page_can_hold_are_replaced():
    shown = record()
    shown.evidence["ocr"][0]["text"] = "a\x00b\ud800c\x1bd"

    assert "a\ufffdb\ufffdc\ufffdd" in written(shown)
    written(shown).encode()


def test_a_target_reading_shows_question_answer_and_the_region_asked_about():
    shown = record(
        kind="target",
        question="What does it say?",
        region={"x": 0.1, "y": 0.2, "width": 0.3, "height": 0.4},
        evidence={
            "schemaVersion": "deepseekeyes.target.v1",
            "answer": "Retry.",
            "observations": [{"fact": "The button says Retry.", "bbox": [0.1, 0.2, 0.1, 0.1], "confidence": 0.9}],
            "ocr": [],
            "uncertainties": ["The rest is cut."],
        },
    )

    text = written(shown)

    assert "Question: What does it say?" in text
    assert "<summary>Answer</summary>" in text
    assert '<rect class="asked" x="80" y="120" width="240" height="240"/>' in text
    assert 'data-kind="observations"' in text


@pytest.mark.parametrize("bbox", [[0.9, 0.9, 0.5, 0.5], [0, 0, 0, 0], ["0", 0, 1, 1], [0, 0, 1], None, [True, 0, 1, 1]])
def test_an_entry_without_a_legal_box_is_listed_and_drawn_nowhere(bbox):
    shown = record()
    shown.evidence["ocr"][0]["bbox"] = bbox

    tags = Tags(written(shown))

    assert "e0" not in {box["data-of"] for box in tags.named("rect")}
    (entry,) = [item for item in tags.named("li") if item.get("id") == "e0"]
    assert entry["class"] == "ocr boxless"


def test_a_record_that_was_changed_says_so():
    assert "was changed after it was written" in written(sound=False)
    assert "was changed after it was written" not in written()


def test_entries_beyond_the_bound_are_counted():
    shown = record()
    entry = shown.evidence["ocr"][0]
    shown.evidence["ocr"] = [entry] * 10_005

    text = written(shown)

    assert text.count("<rect ") == 10_000
    assert "7 more are in the record" in text


def test_a_page_of_ours_is_known_by_its_start():
    assert made_by_us(written().encode()[:4096])
    assert not made_by_us(b"<!doctype html><title>mine</title>")


# --- in a real browser ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Any]:
    """The page in Chromium; afterwards: nothing was logged, nothing failed, nothing was fetched."""
    (tmp_path / "page.html").write_text(written(), encoding="utf-8")
    tab = chromium.new_page(viewport={"width": 1000, "height": 800})
    troubles: list[str] = []
    tab.on("console", lambda message: troubles.append(message.text))
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    requested: list[str] = []
    tab.on("request", lambda request: requested.append(request.url))
    tab.goto((tmp_path / "page.html").as_uri())
    yield tab
    assert troubles == []
    assert [url for url in requested if not url.startswith(("data:", "file:"))] == []
    assert len([url for url in requested if url.startswith("file:")]) == 1
    tab.close()


@pytest.mark.service
def test_boxes_lie_where_they_belong_on_the_picture(opened):
    for zoomed in (False, True):
        if zoomed:
            opened.get_by_role("button", name="Actual size").click()
        frame, box = opened.locator("img").bounding_box(), opened.locator("rect[data-of=e0]").bounding_box()
        scale = frame["width"] / 800
        assert scale == 1 if zoomed else 0.5 < scale < 1
        assert (box["x"] - frame["x"]) / scale == pytest.approx(80, abs=3)
        assert (box["y"] - frame["y"]) / scale == pytest.approx(60, abs=3)
        assert box["width"] / scale == pytest.approx(320, abs=6)
        assert box["height"] / scale == pytest.approx(24, abs=6)


@pytest.mark.service
def test_the_filter_finds_text_in_any_script_and_hides_boxes_too(opened):
    for words, left in (
        ("retry", ["e1"]),
        ("重试", ["e1"]),
        ("ARCHIVE finished", ["e0"]),
        ("blue", ["e3"]),
        ("zzz", []),
    ):
        opened.get_by_role("searchbox").fill(words)
        assert [entry.get_attribute("id") for entry in opened.locator("#entries li:visible").all()] == left
        assert [box.get_attribute("data-of") for box in opened.locator("rect[data-of]:visible").all()] == left
        assert opened.locator("#count").inner_text() == f"{len(left)} of 4 shown"
    opened.keyboard.press("Escape")
    assert opened.locator("#entries li:visible").count() == 4


@pytest.mark.service
def test_hovering_a_box_shows_its_text(opened):
    opened.locator("rect[data-of=e1]").hover()

    hint = opened.get_by_role("tooltip")
    assert hint.inner_text().split("\n") == ["Text · 2 · 50%", "重试 Retry"]
    assert "hot" in opened.locator("#e1").get_attribute("class").split()
    opened.mouse.move(2, 2)
    assert not hint.is_visible()


@pytest.mark.service
def test_a_legend_button_hides_its_kind(opened):
    opened.get_by_role("button", name="Text 2").click()
    assert opened.locator("#entries li:visible").count() == 2
    opened.get_by_role("button", name="Text 2").click()
    assert opened.locator("#entries li:visible").count() == 4


@pytest.mark.service
def test_the_keyboard_walks_the_list(opened):
    def chosen() -> str | None:
        return opened.locator("#entries").get_attribute("aria-activedescendant")

    opened.keyboard.press("ArrowDown")
    opened.keyboard.press("j")
    assert chosen() == "e1"
    assert "hot" in opened.locator("rect[data-of=e1]").get_attribute("class").split()
    opened.keyboard.press("k")
    assert chosen() == "e0"
    opened.keyboard.press("End")
    assert chosen() == "e3"
    opened.keyboard.press("/")
    opened.keyboard.type("jk")
    assert opened.get_by_role("searchbox").input_value() == "jk"
    opened.keyboard.press("Escape")
    assert chosen() is None


@pytest.mark.service
def test_without_scripts_boxes_list_and_text_are_still_there(chromium, tmp_path):
    (tmp_path / "page.html").write_text(written(), encoding="utf-8")
    tab = chromium.new_context(java_script_enabled=False).new_page()
    tab.goto((tmp_path / "page.html").as_uri())

    assert tab.locator("rect:visible").count() == 4
    assert tab.locator("#entries li:visible").count() == 4
    assert tab.locator("#filter").is_visible() is False
    tab.context.close()


@pytest.mark.service
def test_hostile_text_runs_nothing_in_a_real_browser(chromium, tmp_path):
    shown = record(question=EVIL)
    shown.evidence["ocr"][0]["text"] = EVIL
    (tmp_path / "page.html").write_text(written(shown, title=EVIL), encoding="utf-8")
    tab = chromium.new_page()
    dialogs: list[str] = []
    tab.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    tab.goto((tmp_path / "page.html").as_uri())
    tab.locator("rect[data-of=e0]").hover()

    assert dialogs == []
    assert tab.locator("#hint").inner_text().endswith(EVIL)
    tab.close()
