"""The desktop example writes the note it says it writes, through a real editor and its dialog."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from desktop_driving import PATIENCE_S
from desktop_session import DesktopSession

pytestmark = [pytest.mark.service, pytest.mark.timeout(600)]

SCRIPT = Path(__file__).parents[2] / "examples" / "desktop-notes.sh"


def test_a_note_with_an_emoji_is_typed_saved_and_checked(desktop: DesktopSession, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    environ = {**os.environ, **desktop.environ, "DEEPSEEKEYES_HOME": str(home)}
    environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    desktop.display.move_pointer(640, 790)
    done = subprocess.run(
        ["sh", str(SCRIPT), str(file)], env=environ, capture_output=True, check=False, timeout=PATIENCE_S
    )
    desktop.end_launched("mousepad")
    assert done.returncode == 0, (done.stdout[-2000:], done.stderr[-2000:])
    assert file.read_text(encoding="utf-8").rstrip("\n") == "Grüße 👋 今日は"
    report = json.loads(done.stdout)
    assert (report["schema"], report["summary"]["passed"], report["summary"]["unverifiedCount"]) == (
        "deepseekeyes.desktop-report.v2",
        True,
        0,
    )
    assert Path(report["page"]).is_file()
