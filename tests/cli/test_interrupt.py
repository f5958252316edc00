"""Ctrl-C: one document, one code and no traceback, however early or late it comes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image, ImageDraw, ImageFont

from deepseekeyes.cli import main as entry
from deepseekeyes.cli.parse import parse

pytestmark = pytest.mark.service

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
NOTIFYING = """
import sys
from deepseekeyes.routing.adapters.local.recogniser import Recogniser
plain = Recogniser._line
def told(self, line, stop):
    print("reading", file=sys.stderr, flush=True)
    return plain(self, line, stop)
Recogniser._line = told
from deepseekeyes.cli.main import main
main()
"""


@pytest.fixture(scope="module")
def big(tmp_path_factory) -> Path:
    """A page with four hundred lines: a minute of reading for a slow machine."""
    image = Image.new("RGB", (2400, 3600), "white")
    pen, face = ImageDraw.Draw(image), ImageFont.truetype(FONT, 24)
    for number in range(400):
        pen.text((10 + 600 * (number % 4), 10 + 36 * (number // 4)), f"entry {number} of the log", "black", face)
    path = tmp_path_factory.mktemp("pictures") / "page.png"
    image.save(path, compress_level=1)
    return path


def test_an_interrupt_among_lines_ends_the_reading_and_leaves_a_usable_home(big, tmp_path):
    command = [sys.executable, "-c", NOTIFYING]
    environment = {**os.environ, "DEEPSEEKEYES_HOME": str(tmp_path / "home")}
    started = time.monotonic()
    with subprocess.Popen(
        [*command, "vision", "read", str(big), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "reading\n"
        process.send_signal(signal.SIGINT)
        out, told = process.communicate(timeout=250)

    assert process.returncode == 130
    assert json.loads(out)["error"]["code"] == "INTERRUPTED"
    assert "Traceback" not in told
    assert told.count("reading\n") < 200, f"it went on reading for {time.monotonic() - started:.0f} s"
    small = Path(__file__).parents[2] / "examples" / "images" / "error-dialog.png"
    again = subprocess.run(
        [sys.executable, "-m", "deepseekeyes", "vision", "read", str(small), "--json"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert (again.returncode, json.loads(again.stdout)["cacheHit"]) == (0, False)
    assert not [path.name for path in (tmp_path / "home").rglob("*") if path.suffix in (".tmp", ".partial")]


def test_an_interrupt_while_the_line_is_parsed_is_reported_as_one(monkeypatch):
    class Pressed:
        def main(self, *_, **__):
            return 130

    monkeypatch.setattr("deepseekeyes.cli.parse.tree", Pressed)

    with pytest.raises(KeyboardInterrupt):
        parse(["vision", "read", "a.png"], None)


def test_an_interrupt_before_anything_is_set_up_is_no_traceback(monkeypatch):
    def pressed(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "run", pressed)
    monkeypatch.setattr(entry, "gc", SimpleNamespace(disable=lambda: None))

    with pytest.raises(SystemExit) as ended:
        entry.main([])

    assert ended.value.code == 130
