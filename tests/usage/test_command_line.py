"""The usage commands as they are typed, and eight writers at once."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.cli.main import run
from tests.usage.conftest import booked, event

CHILD = """
import sys
from pathlib import Path
from deepseekeyes.store.ledger import Ledger
ledger = Ledger(Path({path!r}))
row = {row!r}
for _ in range(25):
    ledger.append("usage", row)
"""


@pytest.fixture
def eyes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    def call(*words: str, stdin: str = "") -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        status = run(list(words))
        return status, capsys.readouterr().out

    return call


def test_numbers_are_shown_exported_imported_and_reset(eyes: Any, home: Path, history: Any) -> None:
    booked(*history, event(session="me"), home=home).ledger.close()

    status, shown = eyes("usage", "show", "--json")
    assert (status, json.loads(shown)["totals"]["calls"]) == (0, 9)
    assert "seeing and acting" in eyes("usage", "show", "--by", "route", "--text")[1]
    assert len(json.loads(eyes("usage", "sessions")[1])["items"]) == 1
    assert "last call" in eyes("usage", "sessions", "--text")[1]

    exported = eyes("usage", "export", "--json")[1]
    assert eyes("usage", "reset")[0] == 2
    assert json.loads(eyes("usage", "reset", "--yes", "--json")[1])["removedCalls"] == 9
    assert json.loads(eyes("usage", "show")[1])["totals"]["calls"] == 0
    assert eyes("usage", "import", "-", stdin=exported)[0] == 0
    assert json.loads(eyes("usage", "import", "-", stdin=exported)[1])["newCalls"] == 0
    assert json.loads(eyes("usage", "show")[1])["totals"] == json.loads(shown)["totals"]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("usage", "show", "--since", "yesterday"), 2),
        (("usage", "show", "--since", "2026-02-30"), 2),
        (("usage", "show", "--by", "mood"), 2),
        (("usage", "import", "absent.json"), 3),
        (("usage", "sessions", "NOT-A-HASH"), 2),
    ],
)
def test_wrong_words_have_their_exit_codes(eyes: Any, words: tuple[str, ...], status: int) -> None:
    assert eyes(*words)[0] == status


def test_a_home_that_counts_nothing_says_so_and_names_the_setting(
    eyes: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEPSEEKEYES_LEDGER_USAGE", "false")
    assert "ledger.usage" in json.loads(eyes("usage", "show", "--json")[1])["warnings"][0]
    assert "ledger.usage is false" in eyes("usage", "show", "--text")[1]


def test_eight_writers_at_once_lose_nothing(eyes: Any, home: Path) -> None:
    home.mkdir()
    script = CHILD.format(path=str(home / "ledger.sqlite3"), row=event(session="s"))
    writers = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(8)]
    assert [writer.wait() for writer in writers] == [0] * 8

    totals = json.loads(eyes("usage", "show")[1])["totals"]
    session = json.loads(eyes("usage", "sessions")[1])["items"][0]["figures"]
    assert (totals["calls"], totals["usage"]["inputTokens"], totals) == (200, 200_000, session)
