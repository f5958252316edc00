"""Lines at their own width: the same text as rapidocr, whatever stands beside them."""

from __future__ import annotations

import numpy as np
import pytest

from deepseekeyes.routing.adapters.local.recogniser import HEIGHT, LONGEST, STEP, TAIL, Recogniser, fed, split

pytestmark = pytest.mark.service

TEXTS = (
    "HTTP 409 Conflict from node-b.example:8443",
    "The copy on the second disk differs from the original",
    "Retry",
    "total = (total * 31 + value) & 0xFFFF",
    "7",
)


@pytest.fixture(scope="module")
def recogniser(eye) -> Recogniser:
    return eye.load().recogniser


@pytest.fixture(scope="module")
def lines(written):
    """Each text cut out by hand, BGR."""
    found = []
    for text in TEXTS:
        image = written(text, size=(900, 60))
        inked = image.convert("L").point(lambda value: 255 if value < 200 else 0).getbbox()
        box = (inked[0] - 4, inked[1] - 5, inked[2] + 4, inked[3] + 5)
        found.append(np.ascontiguousarray(np.asarray(image.crop(box))[:, :, ::-1]))
    return found


def test_a_line_reads_the_same_alone_and_among_others(recogniser, lines):
    together = recogniser.read(lines)

    assert [recogniser.read([line])[0] for line in lines] == together
    assert recogniser.read(lines[::-1]) == together[::-1]


def test_lines_read_as_they_were_written(recogniser, lines):
    assert [reading.text for reading in recogniser.read(lines)] == list(TEXTS)


def test_long_lines_read_as_rapidocr_reads_them(recogniser, lines):
    from rapidocr.ch_ppocr_rec import TextRecInput
    from rapidocr.main import RapidOCR

    from deepseekeyes.routing.adapters.local.identity import weights

    found = weights()
    paths = {"Det.model_path": str(found.detection), "Rec.model_path": str(found.recognition)}
    engine = RapidOCR(params={"Global.log_level": "critical", "Global.use_cls": False, **paths})
    wide = [line for line in lines if line.shape[1] * HEIGHT / line.shape[0] > 320]

    theirs = engine._load_rec_model()(TextRecInput(img=wide, return_word_box=False))

    ours = recogniser.read(wide)
    assert len(wide) == 3
    assert [reading.text for reading in ours] == list(theirs.txts)
    assert [reading.confidence for reading in ours] == pytest.approx(list(theirs.scores), abs=0.02)


def test_nothing_to_read_is_empty(recogniser):
    blank = np.full((30, 200, 3), 255, np.uint8)

    assert recogniser.read([blank]) == [("", 0.0)]
    assert recogniser.read([]) == []


@pytest.mark.parametrize(("width", "height"), [(1, 1), (5, 40), (48, 48), (49, 48), (1000, 20)])
def test_the_network_gets_its_height_and_a_multiple_of_its_step(width, height):
    shape = fed(np.zeros((height, width, 3), np.uint8)).shape

    assert shape[:3] == (1, 3, HEIGHT)
    assert shape[3] % STEP == 0
    assert shape[3] - STEP < max(1, -(-HEIGHT * width // height)) + TAIL <= shape[3]


def test_a_very_long_line_is_cut_into_pieces_that_make_it_up(written):
    image = np.asarray(written("many words in a row " * 30, size=(9000, 48)))

    pieces = split(image)

    assert max(piece.shape[1] for piece in pieces) <= LONGEST
    assert len(pieces) == 3
    assert np.array_equal(np.concatenate(pieces, axis=1), image)


def test_a_very_long_line_keeps_its_words(recogniser, written):
    text = " ".join(f"word{number}" for number in range(100, 140))
    image = written(text, size=(6000, 60))
    inked = image.convert("L").point(lambda value: 255 if value < 200 else 0).getbbox()
    line = np.ascontiguousarray(np.asarray(image.crop((inked[0], 14, inked[2] + 6, 52)))[:, :, ::-1])

    read = recogniser.read([line])[0].text

    assert line.shape[1] * HEIGHT / line.shape[0] > LONGEST
    assert read.replace(" ", "") == text.replace(" ", "")
