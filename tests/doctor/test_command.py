"""`deepseekeyes doctor` as a whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deepseekeyes.cli.main import run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("arguments", [["--json"], ["--text"], []], ids=["json", "text", "neither"])
@pytest.mark.parametrize(("text", "code"), [("[vision]\nfailover_attempts = 1\n", 0), ("[vision]\nrute = 1\n", 1)])
def test_k05_k07_the_exit_code_is_the_verdict_in_every_form_and_no_usage_is_printed(
    folder: Path, home: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], text: str, code: int
) -> None:
    home.mkdir(mode=0o700)
    (home / "config.toml").write_text(text)
    assert run(["doctor", "--only", "config", *arguments]) == code
    printed = capsys.readouterr()
    assert "usage" not in (printed.out + printed.err).lower()
    if "--text" not in arguments:
        assert json.loads(printed.out)["passed"] is (code == 0)


def test_a_broken_configuration_hides_no_other_check(
    folder: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir(mode=0o700)
    (home / "config.toml").write_text("= 1\n")
    assert run(["doctor", "--json"]) == 1
    checks = {check["id"]: check["status"] for check in json.loads(capsys.readouterr().out)["checks"]}
    assert [name for name, status in checks.items() if status == "failed"] == ["config.valid"]
    assert {checks[name] for name in ("store.home", "vision.schema", "vision.local", "python.base")} == {"ok"}
    assert {checks[name] for name in ("store.ledger", "vision.eyes", "routing.catalog")} == {"skipped"}


def test_the_home_is_left_as_it_was(folder: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home.mkdir(mode=0o700)
    (home / "usage-stats.json").write_text("{}")
    assert run(["doctor", "--json"]) == 0
    assert sorted(entry.name for entry in home.iterdir()) == ["usage-stats.json"]
    foreign = next(c for c in json.loads(capsys.readouterr().out)["checks"] if c["id"] == "store.foreign")
    assert "usage-stats.json" in foreign["seen"]
