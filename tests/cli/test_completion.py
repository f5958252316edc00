"""Shell completion, as the shell asks for it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.service


def completed(line: str, shell: str = "zsh") -> str:
    return subprocess.run(
        [sys.executable, "-c", "from deepseekeyes.cli.main import main; main()"],
        env={
            **os.environ,
            "_DEEPSEEKEYES_COMPLETE": f"complete_{shell}",
            "_TYPER_COMPLETE_ARGS": line,
        },
        capture_output=True,
        text=True,
        check=False,
    ).stdout


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("deepseekeyes vis", ["vision"]),
        ("deepseekeyes vision ", ["read", "look", "show", "cache"]),
        ("deepseekeyes vision cache v", ["verify"]),
        ("deepseekeyes vision read --fr", ["--fresh", "--frame"]),
        ("deepseekeyes vision validate - --variant b", ["base"]),
    ],
)
def test_words_are_completed_on_every_level(line: str, expected: list[str]) -> None:
    words = completed(line)
    assert [word for word in expected if word not in words] == []


def test_bash_gets_plain_words() -> None:
    out = subprocess.run(
        [sys.executable, "-c", "from deepseekeyes.cli.main import main; main()"],
        env={
            **os.environ,
            "_DEEPSEEKEYES_COMPLETE": "complete_bash",
            "COMP_WORDS": "deepseekeyes vision r",
            "COMP_CWORD": "2",
        },
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    assert out.split() == ["read", "routes"]
