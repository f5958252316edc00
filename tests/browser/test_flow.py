"""The example flow, through the command line, in a real browser."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.service, pytest.mark.timeout(400)]

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "open-sesame-42"


def environment(home: Path) -> dict[str, str]:
    folder = home.parent / "bin"
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "deepseekeyes"
    program.write_text(
        f"#!{sys.executable}\nfrom deepseekeyes.cli.main import main\nimport sys\nsys.exit(main())\n", encoding="utf-8"
    )
    program.chmod(0o755)
    return {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home.parent),
        "DEEPSEEKEYES_HOME": str(home),
        "SHOP_PASSWORD": PASSWORD,
        "PYTHONPATH": str(ROOT),
    }


def run(words: list[str], environ: dict[str, str], **more: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(words, env=environ, capture_output=True, timeout=300, check=False, **more)


def holds(home: Path, text: str) -> list[Path]:
    return [path for path in home.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def test_the_flow_as_a_script_passes_and_leaves_a_report_without_the_secret(
    home: Path, pages: Any, tmp_path: Path
) -> None:
    script = (ROOT / "examples" / "browser-shop.jsonl").read_text(encoding="utf-8")
    (tmp_path / "steps.jsonl").write_text(script.replace("http://127.0.0.1:8765", pages.url), encoding="utf-8")
    done = run(["deepseekeyes", "browser", "run", "steps.jsonl", "--enable", "--json"], environment(home), cwd=tmp_path)
    found = json.loads(done.stdout)
    assert (done.returncode, found["passed"], found["done"]) == (0, True, 13), found["error"]
    assert [step["verdict"] for step in found["steps"] if "verdict" in step] == ["verified"] * 8
    assert Path(found["report"]).is_file()
    assert (PASSWORD.encode() in done.stdout + done.stderr, holds(home, PASSWORD)) == (False, [])


def test_the_flow_one_command_a_step_passes(home: Path, pages: Any) -> None:
    environ = environment(home)
    done = run(["sh", str(ROOT / "examples" / "browser-shop.sh"), f"{pages.url}/shop.html"], environ)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["schema"], report["summary"]["passed"], report["summary"]["unverifiedCount"]) == (
        "deepseekeyes.browser-report.v1",
        True,
        0,
    )
    listed = run(["deepseekeyes", "browser", "sessions", "--json"], environ)
    assert json.loads(listed.stdout)["items"] == []
    verified = run(["deepseekeyes", "browser", "report", "--verify", "--json"], environ)
    assert (verified.returncode, json.loads(verified.stdout)["passed"]) == (0, True)
    assert holds(home, PASSWORD) == []


def test_nothing_starts_while_browsers_are_switched_off(home: Path) -> None:
    done = run(["deepseekeyes", "browser", "open", "http://127.0.0.1:9/", "--json"], environment(home))
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (9, "BROWSER_DISABLED")
    absent = run(["deepseekeyes", "browser", "observe", "--json"], environment(home))
    assert (absent.returncode, json.loads(absent.stdout)["error"]["code"]) == (3, "SESSION_NOT_FOUND")
