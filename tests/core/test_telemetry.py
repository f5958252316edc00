"""Libraries that would report to their makers are told not to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deepseekeyes.core.telemetry import REFUSALS, refuse_telemetry
from deepseekeyes.wiring.app import App
from deepseekeyes.wiring.door import Silent

pytestmark = pytest.mark.service


def test_opening_an_app_refuses_for_the_process_and_its_children(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in REFUSALS:
        monkeypatch.delenv(name, raising=False)
    App.open(door=Silent(), environ={})
    assert {name: os.environ.get(name) for name in REFUSALS} == REFUSALS


def test_what_the_user_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")
    refuse_telemetry()
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "0"


def test_reading_with_the_local_eye_leaves_nothing_outside_the_home(tmp_path: Path) -> None:
    """The variable CI would hide a runtime that reports; it is left out on purpose."""
    from PIL import Image

    Image.new("RGB", (64, 64), "white").save(tmp_path / "blank.png")
    user = tmp_path / "user"
    user.mkdir()
    kept = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("ORT_")}
    done = subprocess.run(
        [sys.executable, "-m", "deepseekeyes", "--home", str(tmp_path / "eyes"), "vision", "read", "blank.png"],
        capture_output=True, check=False, timeout=300, cwd=tmp_path, stdin=subprocess.DEVNULL,
        env={**kept, "HOME": str(user)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(user.rglob("*")) == []
