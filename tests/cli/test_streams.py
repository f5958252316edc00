"""Streams of documents and the bar beside them."""

from __future__ import annotations

import io
from typing import Any

import pytest

from deepseekeyes.cli.render import render
from deepseekeyes.contracts.batch import BatchFailure, EvidenceBatchItem, EvidenceBatchSummary
from deepseekeyes.contracts.error import ErrorBody

GONE = ErrorBody(code="INPUT_MISSING", kind="input", message="There is no file \x1b[31ma.png.", hint="Check the path.")


def test_a_failed_item_is_one_line_without_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    render(EvidenceBatchItem(index=0, input="a.png", error=GONE))
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert out.startswith("failed  a.png: There is no file ")
    assert "\x1b" not in out


def test_the_summary_names_counts_speed_and_failures(capsys: pytest.CaptureFixture[str]) -> None:
    failures = tuple(BatchFailure(index=index, input=f"{index}.png", error=GONE) for index in range(25))
    render(
        EvidenceBatchSummary(
            total=30, succeeded=5, failed=25, cached=2, duration_ms=2000, per_second=15.0, place="processes",
            readers=2, routes={"local": 5}, failures=failures,
        )
    )  # fmt: skip
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "5 of 30 read, 25 failed"
    assert {"2.0 s, 15.00 a second", "2 in processes of this machine", "local (5)"} <= {
        line.split("  ", 1)[1].strip() for line in lines if "  " in line
    }
    assert sum(line.startswith("- ") for line in lines) == 20
    assert lines[-1] == "... and 5 more."


def test_the_bar_makes_room_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    from deepseekeyes.cli.progress import Bar

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen: Any = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    bar = Bar()
    bar.update(1, 4, "reading")
    bar.hide()
    cleared = len(screen.getvalue())
    bar.update(3, 4, "reading")
    bar.close()
    assert "reading" in screen.getvalue()[cleared:]
    assert "3/4" in screen.getvalue()[cleared:]
