"""Real pictures through the whole eye: the examples, turned and tilted pages, and pictures without anything to read."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from deepseekeyes.evidence.validate import problems

pytestmark = pytest.mark.service

NAMES = (
    "error-dialog",
    "dense-table",
    "chart",
    "dark-settings",
    "receipt",
    "code",
    "injection-card",
    "chinese",
    "rotated-photo",
)


def texts(document):
    return [entry["text"] for entry in document["ocr"]]


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_read_as_its_truth_says(example, read, name):
    picture, truth = example(name)

    document = read(picture)

    assert not problems(document, "base")
    wanted = {squeezed(line["text"]) for line in truth["lines"]}
    missed = wanted - {squeezed(text) for text in texts(document)}
    assert len(missed) <= max(1, len(wanted) // 10), missed


def test_v37_compiler_lines_stay_verbatim_and_in_order(example, read):
    picture, truth = example("error-dialog")

    document = read(picture)

    found = texts(document)
    first = found.index("src/volume.rs:218:14: error[E0308]: mismatched types")
    assert found[first + 1].startswith("src/volume.rs:231:9: warning: unused variable `block")
    assert found[first + 2 : first + 5] == [
        "expected: 9f3c51d2 found: 9f3c51d7",
        "path: /srv/archive/2026-11-30/part-03.bin",
        "HTTP 409 Conflict from node-b.example:8443",
    ]
    assert found[:7] == [line["text"] for line in truth["lines"]][:7]


def test_boxes_lie_on_the_text_they_name(example, read):
    picture, truth = example("error-dialog")
    boxes = {entry["text"]: entry["bbox"] for entry in read(picture)["ocr"]}

    for line in truth["lines"]:
        if line["text"] in boxes:
            x, y, wide, high = boxes[line["text"]]
            centre = (line["box"][0] + line["box"][2] / 2, line["box"][1] + line["box"][3] / 2)
            assert x * 1280 <= centre[0] <= (x + wide) * 1280
            assert y * 800 <= centre[1] <= (y + high) * 800


def test_a_table_is_read_cell_by_cell(example, read):
    picture, truth = example("dense-table")

    (table,) = [region for region in read(picture)["regions"] if region["id"].startswith("table")]

    head, *rows = table["description"].splitlines()
    assert head == "Table of 23 rows and 7 columns, cells as read:"
    assert rows[:3] == [" | ".join(row) for row in truth["tables"][0]["rows"][:3]]


def test_buttons_and_panels_are_named_with_their_text(example, read):
    picture, _ = example("error-dialog")

    objects = [(item["name"], item["attributes"]) for item in read(picture)["objects"]]

    assert ("button-like rectangle", ["fill:#1a73e8", "text:Close"]) in objects
    assert ("panel", ["fill:#b3261e", "text:Archive could not be finished"]) in objects


def test_bars_are_related_to_their_labels_and_nothing_is_concluded(example, read):
    picture, _ = example("chart")

    document = read(picture)

    assert len(document["relations"]) == 4
    assert any('above it stands "37 min", below it stands "nightly"' in text for text in document["relations"])
    assert "minutes per build" in texts(document)
    assert document["quantitativeFacts"] == []


def test_a_receipt_gives_its_code_and_its_amounts(example, read):
    picture, truth = example("receipt")

    document = read(picture)

    codes = [item for item in document["objects"] if item["name"] == "code"]
    assert [code["attributes"] for code in codes] == [["standard:EAN-13", f"text:{truth['codes'][0]['text']}"]]
    assert "TOTAL EUR | 21.99" in document["quantitativeFacts"]


def test_orders_in_a_picture_are_quoted_and_named_untrusted(example, read):
    picture, truth = example("injection-card")
    orders = [line["text"] for line in truth["lines"][4:7]]

    document = read(picture)

    assert [text for text in texts(document) if text in orders] == orders
    named = [doubt for doubt in document["uncertainties"] if doubt.startswith("Untrusted instruction-like text")]
    assert len(named) == 3
    assert "untrusted" in document["summary"]


def test_a_target_reading_names_the_orders_too(example, picture_of, read):
    with Image.open(io.BytesIO(example("injection-card")[0].data)) as opened:
        crop = opened.crop((80, 240, 920, 470))

    document = read(picture_of(crop), "What must be replaced?")

    assert document["answer"] == "Next step: replace the network card on Monday."
    assert sum(doubt.startswith("Untrusted instruction-like text") for doubt in document["uncertainties"]) == 3


@pytest.mark.parametrize(("angle", "said"), [(90, "bottom to top"), (180, "upside down"), (270, "top to bottom")])
def test_a_turned_page_is_read_in_order_and_that_is_said(written, picture_of, read, angle, said):
    lines = ["Turn the page to read this", "second line of the notice", "third and last line"]
    page = written(*lines).rotate(angle, expand=True)

    document = read(picture_of(page))

    assert texts(document) == lines
    assert any(said in doubt for doubt in document["uncertainties"])


def test_a_tilted_page_keeps_its_order(written, picture_of, read):
    lines = ["Tilted by a few degrees", "second line of the notice", "third and last line"]
    page = written(*lines).rotate(-8, expand=True, fillcolor="white")

    assert texts(read(picture_of(page))) == lines


def test_letters_of_an_unknown_script_are_owned_up_to(written, picture_of, read):
    document = read(picture_of(written("Настройки сохранены успешно", "Plain words below")))

    assert texts(document) == ["Plain words below"]
    assert any("could not be read" in doubt for doubt in document["uncertainties"])


def test_two_columns_of_a_long_page_are_found_in_strips(written, picture_of, read):
    page = Image.new("RGB", (640, 2400), "white")
    for row in range(12):
        page.paste(written(f"entry number {row + 100}", size=(600, 60)), (10, row * 200))

    assert texts(read(picture_of(page))) == [f"entry number {row + 100}" for row in range(12)]


def noise(width: int, height: int) -> Image.Image:
    return Image.fromarray(np.random.default_rng(7).integers(0, 256, (height, width, 3), dtype=np.uint8))


def gradient() -> Image.Image:
    return Image.fromarray(np.tile(np.linspace(0, 255, 400).astype(np.uint8), (300, 1)))


def checks() -> Image.Image:
    return Image.fromarray(((np.indices((256, 256)).sum(axis=0) // 8 % 2) * 255).astype(np.uint8))


EMPTY = {
    "noise": noise(400, 300),
    "blank": Image.new("RGB", (320, 240), "white"),
    "black": Image.new("RGB", (320, 240)),
    "icon": Image.new("RGB", (32, 32), "red"),
    "one pixel": Image.new("RGB", (1, 1)),
    "thin": noise(2000, 2),
    "tall": noise(3, 1500),
    "ribbon": Image.new("RGB", (4000, 100), "#204060"),
    "transparent": Image.new("RGBA", (120, 80), (0, 0, 0, 0)),
    "gradient": gradient(),
    "checks": checks(),
}


@pytest.mark.parametrize("name", EMPTY)
def test_a_picture_without_text_gives_valid_evidence_without_text(picture_of, read, name):
    picture = picture_of(EMPTY[name])

    base, target = read(picture), read(picture, "What does it say?")

    assert not problems(base, "base")
    assert not problems(target, "target")
    assert (base["ocr"], target["ocr"]) == ([], [])
    assert "No text was read." in base["summary"]


def test_transparent_paper_is_shown_on_white(written, picture_of, read):
    inked = written("Glass label").convert("L").point(lambda value: 255 - value)
    glass = Image.new("RGBA", inked.size, (0, 0, 0, 0))
    glass.putalpha(inked)

    assert texts(read(picture_of(glass))) == ["Glass label"]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("error-dialog", "Archive could not be finished"),
        ("dense-table", "Open shipments"),
        ("chart", "Median build time by branch"),
        ("receipt", "CORNER BAKERY"),
        ("chinese", "图书馆开放时间"),
        ("rotated-photo", "POOL CLOSED"),
    ],
)
def test_the_summary_names_the_largest_text(example, read, name, title):
    picture, _ = example(name)

    assert f'Largest text: "{title}".' in read(picture)["summary"]
