"""Quoted evidence: what a question is about, in any script."""

from __future__ import annotations

from typing import Any

import pytest

from deepseekeyes.contracts.evidence import EvidenceRecord
from deepseekeyes.vision.extract import extracts, words

HASH = "ab" * 32


def record(*rows: tuple[str, float, float], sha256: str = HASH, **more: Any) -> EvidenceRecord:
    """Evidence of lines of text at places (x, y), each 0.3 wide and 0.05 high."""
    ocr = [{"text": text, "bbox": [x, y, 0.3, 0.05], "confidence": 0.9} for text, x, y in rows]
    return EvidenceRecord.model_validate(
        {
            "recordSha256": HASH,
            "cacheKey": HASH,
            "kind": "base",
            "source": {
                "sha256": sha256, "mediaType": "image/png", "bytes": 9, "width": 4, "height": 3, "mode": "RGB",
                "pixelSha256": HASH,
            },
            "rendition": {"sha256": HASH, "mediaType": "image/png", "bytes": 9, "width": 4, "height": 3},
            "route": {"id": "eye", "provider": "lab", "engine": "openai_chat", "model": "m"},
            "contract": {"evidence": "deepseekeyes.evidence.v1", "prompt": "1"},
            "coordinates": {"convention": "normalized", "declared": True, "ambiguous": False},
            "evidence": {"ocr": ocr, **more},
        }
    )  # fmt: skip


def quoted(found: EvidenceRecord, question: str) -> list[str]:
    return [one.text for one in extracts([found], question)]


FORM = record(
    ("Invoice 2026-114", 0.1, 0.1),
    ("Customer", 0.1, 0.3),
    ("Orchard Ltd", 0.5, 0.3),
    ("Total due", 0.1, 0.5),
    ("1,284.50 EUR", 0.5, 0.5),
    ("Thank you for your order", 0.1, 0.9),
)


def test_the_line_with_the_words_comes_first_and_what_stands_beside_it_follows() -> None:
    assert quoted(FORM, "What is the total due?") == ["Total due", "1,284.50 EUR"]
    assert quoted(FORM, "Who is the customer?") == ["Customer", "Orchard Ltd"]


def test_an_extract_keeps_its_place_and_its_certainty() -> None:
    one = extracts([FORM], "invoice?")[0]
    assert (one.image_sha256, one.kind, one.bbox, one.confidence) == (HASH, "ocr", (0.1, 0.1, 0.3, 0.05), 0.9)
    assert one.score > 0


@pytest.mark.parametrize(
    ("question", "first"),
    [("应付总额是多少？", "应付总额"), ("客户是谁", "客户名称"), ("発行日はいつですか", "発行日 2026年11月30日")],
)
def test_scripts_without_blanks_are_compared_by_pairs(question: str, first: str) -> None:
    rows = ("发票", "客户名称", "应付总额", "発行日 2026年11月30日", "谢谢")
    page = record(*((text, 0.1, 0.1 + at / 5) for at, text in enumerate(rows)))
    assert quoted(page, question)[0] == first


def test_a_value_below_its_label_is_quoted_after_it() -> None:
    card = record(("Temperature", 0.1, 0.1), ("21 °C", 0.1, 0.17), ("Humidity", 0.6, 0.1), ("40 %", 0.6, 0.17))
    assert quoted(card, "temperature?")[:2] == ["Temperature", "21 °C"]


def test_rare_words_count_more_than_common_ones() -> None:
    log = record(*((f"error in module m{n}", 0.1, n / 10) for n in range(6)), ("error in volume.rs", 0.1, 0.8))
    assert quoted(log, "What is the error in volume.rs?")[0] == "error in volume.rs"


def test_without_a_shared_word_the_first_lines_are_quoted_with_no_score() -> None:
    found = extracts([FORM], "Quelle couleur?")
    assert [one.text for one in found][:2] == ["Invoice 2026-114", "Customer"]
    assert {one.score for one in found} == {0.0}


def test_facts_objects_and_the_summary_can_be_quoted_without_being_repeated() -> None:
    chart = record(
        ("Q3 revenue 4.2M", 0.1, 0.1),
        summary="Revenue by quarter.",
        quantitativeFacts=["Q3 revenue 4.2M", "Q4 revenue 5.0M"],
        objects=[{"name": "bar", "bbox": [0, 0, 0.1, 0.5], "attributes": ["revenue"]}],
        relations=["the bar stands on the axis"],
    )
    found = extracts([chart], "Q3 revenue?")
    assert (found[0].kind, found[0].text) == ("ocr", "Q3 revenue 4.2M")
    assert [one.text for one in found].count("Q3 revenue 4.2M") == 1


def test_pieces_of_several_pictures_name_their_picture() -> None:
    other = record(("Total 7", 0.1, 0.1), sha256="cd" * 32)
    assert [one.image_sha256 for one in extracts([FORM, other], "total?")][:2] == [HASH, "cd" * 32]


def test_a_list_of_extracts_is_bounded() -> None:
    page = record(*((f"total {n}", 0.1, n / 100) for n in range(50)))
    assert len(extracts([page], "total")) == 12


def test_nothing_to_quote_is_nothing_quoted() -> None:
    assert extracts([record()], "anything?") == ()


def test_words_fold_case_width_and_plurals() -> None:
    assert words("The ＴＯＴＡＬＳ are 1,284.50") == words("total 1,284.50")
