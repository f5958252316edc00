"""Commands of `deepseekeyes desktop` as processes of their own, on the desktop of the tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from desktop_session import DesktopSession
from PIL import Image

PATIENCE_S = 200
WITHOUT_SWITCH = ("report", "close")
CONFIG = "[desktop]\nsettle_ms = 60\n"


@dataclass
class Hands:
    """Runs commands and keeps everything they said.

    Attributes:
        session: the name of the desktop session they share.
        answers: standard output of every command so far.
    """

    desktop: DesktopSession
    home: Path
    session: str = "default"
    enabled: bool = True
    answers: list[bytes] = field(default_factory=list)

    @property
    def environ(self) -> dict[str, str]:
        ours = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return {
            **ours,
            **self.desktop.environ,
            "HOME": str(self.home.parent),
            "DEEPSEEKEYES_HOME": str(self.home),
        }

    def line(self, *words: str) -> list[str]:
        """The whole command line."""
        switch = ["--enable"] if self.enabled and words[0] not in WITHOUT_SWITCH else []
        options = ["--session", self.session, "--json", *switch]
        return [sys.executable, "-m", "deepseekeyes", "desktop", *words, *options]

    def start(self, *words: str, **environ: str) -> subprocess.Popen[bytes]:
        """A command that goes on while the test does something else."""
        return subprocess.Popen(
            self.line(*words),
            env={**self.environ, **environ},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def ended(self, process: subprocess.Popen[bytes]) -> tuple[int, Any]:
        """What a started command answered in the end."""
        out, err = process.communicate(timeout=PATIENCE_S)
        self.answers.append(out + err)
        assert b"Traceback" not in err, err.decode()
        return process.returncode, json.loads(out)

    def status(self, *words: str, stdin: bytes | None = None, **environ: str) -> tuple[int, Any]:
        """Exit code and document of one command."""
        done = subprocess.run(
            self.line(*words),
            env={**self.environ, **environ},
            input=stdin or b"",
            capture_output=True,
            check=False,
            timeout=PATIENCE_S,
        )
        self.answers.append(done.stdout + done.stderr)
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        return done.returncode, json.loads(done.stdout)

    def __call__(self, *words: str, stdin: bytes | None = None, **environ: str) -> Any:
        """The document of a command that must succeed."""
        status, found = self.status(*words, stdin=stdin, **environ)
        assert status == 0, (words, found.get("error") or found)
        return found

    def refused(self, *words: str) -> str:
        """The code of a command that must be refused before anything was dispatched."""
        status, found = self.status(*words)
        assert status in (2, 3, 7, 9), (status, words, found)
        assert found["error"]["details"]["dispatched"] == "no", found["error"]
        return str(found["error"]["code"])

    def picture(self, document: Any) -> Image.Image:
        """The screenshot that a document refers to."""
        digest = document["screenshot"]["sha256"]
        (found,) = [
            path for path in self.home.rglob("*") if path.is_file() and digest in path.name and "blobs" in path.parts
        ]
        with Image.open(found) as image:
            return image.convert("RGB")

    def holding(self, text: str) -> list[Path]:
        """Files of the home in which a text can be read, in any of its usual spellings."""
        spellings = {text.encode(), json.dumps(text)[1:-1].encode()}
        files = (path for path in self.home.rglob("*") if path.is_file())
        return [path for path in files if any(each in path.read_bytes() for each in spellings)]


@pytest.fixture
def hands(desktop: DesktopSession, home: Path) -> Hands:
    """Commands on an empty desktop, with a home of their own."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(CONFIG, encoding="utf-8")
    made = Hands(desktop, home)
    desktop.display.move_pointer(640, 700)
    return made
