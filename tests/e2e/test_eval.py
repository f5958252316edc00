"""An examination of the real local eye, as it is typed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EYES = [sys.executable, "-m", "deepseekeyes"]
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "eval"


@pytest.fixture(autouse=True)
def without_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEKEYES_VISION_ACTIVE_PROBE", "false")


def examined(*words: str) -> tuple[int, Any]:
    done = subprocess.run([*EYES, "vision", "eval", *words], capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode("utf-8")


def test_the_local_eye_invents_nothing_on_empty_pictures_and_the_table_says_so() -> None:
    status, out = examined("--route", "local", "--only", "blank", "--min-accuracy", "1", "--text")
    assert status == 0
    assert out.splitlines()[5].split()[:8] == ["all", "3", "3", "5/5", "1.0000", "0", "0", "0"]
    assert "passed: accuracy 1.0000, asked for 1.0000" in out


def test_an_eye_that_misses_too_much_ends_in_1(tmp_path: Path) -> None:
    suite = json.loads((EXAMPLES / "suite.json").read_text("utf-8"))
    [case] = [case for case in suite["cases"] if case["id"] == "blank-white"]
    case["assertions"] = [{"field": "ocr", "contains": "Highgate"}, {"field": "ocr", "empty": True}]
    picture = tmp_path / case["image"]
    picture.parent.mkdir()
    picture.write_bytes((EXAMPLES / case["image"]).read_bytes())
    (tmp_path / "suite.json").write_text(json.dumps({**suite, "cases": [case]}), encoding="utf-8")
    status, out = examined(str(tmp_path), "--route", "local", "--min-accuracy", "0.9", "--json")
    report = json.loads(out)
    assert (status, report["accuracy"], report["passed"]) == (1, 0.5, False)
    assert report["cases"][0]["misses"] == [{"index": 0, "field": "ocr", "kind": "contains", "text": "Highgate"}]
