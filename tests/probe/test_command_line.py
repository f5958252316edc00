"""The commands as they are typed: a challenge, the right and a wrong answer, and what a terminal shows."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.cli.main import run
from deepseekeyes.probe import ladder

pytestmark = pytest.mark.service


@pytest.fixture
def eyes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    def call(*words: str, stdin: str = "") -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        status = run(list(words))
        return status, capsys.readouterr().out

    return call


@pytest.mark.parametrize("rung", ladder.RUNGS)
def test_a_challenge_can_be_shown_to_any_eye_and_its_answer_judged(eyes: Any, rung: str, tmp_path: Path) -> None:
    out = tmp_path / "p.png"
    status, shown = eyes("probe", "challenge", "--rung", rung, "--seed", "7", "--out", str(out), "--json")
    challenge = json.loads(shown)
    right = json.dumps(ladder.right_answer(rung, 7))
    judged = ("probe", "grade", "--rung", rung, "--seed", "7", "-")
    wrong = json.dumps({"text": ["made up"], "objects": []})

    assert (status, challenge["truth"], challenge["picture"]["bytes"]) == (0, None, out.stat().st_size)
    assert challenge["guessProbability"] == ladder.guess_probability(rung)
    assert eyes(*judged, stdin=right)[0] == 0
    assert eyes(*judged, stdin=wrong)[0] == 1
    assert json.loads(eyes(*judged, stdin=wrong)[1])["guessProbability"] == challenge["guessProbability"]


def test_an_answer_may_lie_in_a_file(eyes: Any, tmp_path: Path) -> None:
    (tmp_path / "answer.txt").write_text(json.dumps(ladder.right_answer("grid", 7)), encoding="utf-8")

    assert eyes("probe", "grade", "--rung", "grid", "--seed", "7", str(tmp_path / "answer.txt"))[0] == 0
    assert eyes("probe", "grade", "--rung", "grid", "--seed", "7", str(tmp_path / "none.txt"))[0] == 3


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("probe", "run", "nosuch"), 3),
        (("probe", "run", "--rung", "sight"), 2),
        (("probe", "challenge", "--rung", "sight"), 2),
        (("probe", "grade", "--rung", "grid"), 2),
        (("probe", "show", "nosuch"), 3),
        (("probe", "show"), 0),
        (("probe", "show", "--forget", "nosuch"), 0),
    ],
)
def test_wrong_words_and_absent_things_have_their_exit_codes(eyes: Any, words: tuple[str, ...], status: int) -> None:
    assert eyes(*words)[0] == status


def test_a_terminal_shows_the_chance_of_a_guess(eyes: Any) -> None:
    text = eyes("probe", "challenge", "--rung", "grid", "--seed", "7", "--text")[1]
    graded = eyes(
        "probe", "grade", "--rung", "blank", "--seed", "7", "-", "--text", stdin='{"text": [], "objects": []}'
    )[1]

    assert "1 in 362,880" in text
    assert "always" in graded


def test_the_local_eye_proves_its_sight(eyes: Any) -> None:
    status, shown = eyes("probe", "run", "local", "--rung", "grid", "--rung", "blank", "--json")
    item = json.loads(shown)["items"][0]
    again = eyes("probe", "show", "local", "--text")[1]

    assert (status, item["passed"], item["verdict"]["sight"]) == (0, True, "passed")
    assert {rung["rung"]: rung["status"] for rung in item["verdict"]["rungs"]} == {
        "grid": "skipped", "text": "passed", "blank": "passed",
    }  # fmt: skip
    assert "local: valid" in again
