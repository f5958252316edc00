"""Streams that the caller closed, a folder that is gone, and where a hint leads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.service,
    pytest.mark.skipif(os.name != "posix", reason="closing a number for a child is the shell's way on POSIX"),
]

EYES = (sys.executable, "-m", "deepseekeyes")


def shell(redirections: str, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {redirections}', "sh", *EYES, *words],
        capture_output=True, stdin=subprocess.DEVNULL, check=False, timeout=120, cwd=cwd,
    )  # fmt: skip


@pytest.mark.parametrize("words", [("config", "path"), ("config", "path", "--text"), ("vision", "read", "none.png")])
def test_a_closed_standard_output_is_a_typed_failure_and_no_traceback(words: tuple[str, ...]) -> None:
    done = shell(">&-", *words)
    assert done.returncode == 3
    assert done.stderr.startswith(b"error: ")
    assert b"Traceback" not in done.stderr


def test_a_closed_standard_error_loses_the_words_for_people_and_nothing_else() -> None:
    done = shell("2>&-", "vision", "read", "none.png", "--json")
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (3, "INPUT_MISSING")
    assert shell("2>&-", "vision", "read", "none.png", "--text").returncode == 3


def test_with_every_stream_closed_the_exit_code_is_still_that_of_the_first_failure() -> None:
    assert shell("<&- >&- 2>&-", "vision", "read", "none.png").returncode == 3
    assert shell("<&- >&- 2>&-", "vision", "--nonsense").returncode == 2


def test_no_file_of_the_home_is_opened_under_the_number_of_a_closed_stream(home: Path) -> None:
    assert shell(">&- 2>&-", "config", "init").returncode == 3
    written = (home / "config.toml").read_text(encoding="utf-8")
    assert written.startswith("# Settings of deepseekeyes.")
    assert "deepseekeyes.config-init" not in written


def test_a_working_folder_that_was_removed_is_a_typed_failure(tmp_path: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh", *EYES, "config", "path"],
        capture_output=True, check=False, timeout=120, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (3, "WORKING_FOLDER_GONE")
