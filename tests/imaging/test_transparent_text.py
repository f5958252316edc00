"""Text on a transparent page reads like its opaque twin, end to end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

pytestmark = pytest.mark.service

LINES = ["Invoice 2026-114 total 48.20", "Payment due in fourteen days"]


def test_v19_a_transparent_page_and_its_jpeg_twin_give_the_same_text(tmp_path: Path):
    names = []
    for ink, paper in (((20, 20, 20), "white"), ((250, 250, 250), "black")):
        page = Image.new("RGBA", (760, 200), (0, 0, 0, 0))
        pen, font = ImageDraw.Draw(page), ImageFont.load_default(size=28)
        for row, line in enumerate(LINES):
            pen.text((30, 30 + 80 * row), line, font=font, fill=(*ink, 255))
        twin = Image.new("RGB", page.size, paper)
        twin.paste(page, mask=page.getchannel("A"))
        page.save(tmp_path / f"on-{paper}.png")
        twin.save(tmp_path / f"on-{paper}.jpg", quality=92)
        names += [f"on-{paper}.png", f"on-{paper}.jpg"]

    command = [sys.executable, "-m", "deepseekeyes", "vision", "read", *names, "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)

    texts = [
        [entry["text"] for entry in item["record"]["evidence"]["ocr"]] for item in json.loads(done.stdout)["items"]
    ]
    assert texts == [LINES] * 4
