"""What a command may import before it needs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.service

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {
    "mcp", "playwright", "pyautogui", "onnxruntime", "rapidocr", "numpy", "cv2", "jsonschema", "httpx", "httpx2",
    "asyncio", "rich", "PIL", "starlette", "uvicorn", "dask", "distributed", "mss", "Xlib", "jeepney", "tomlkit",
    "zxingcpp",
}  # fmt: skip


def loaded(*words: str) -> set[str]:
    """Run one command line in a fresh interpreter and say which heavy packages it imported."""
    program = (
        "import sys, json, io, contextlib\n"
        "from deepseekeyes.cli.main import run\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        f"    status = run({list(words)!r})\n"
        "print(json.dumps([status, sorted({name.partition('.')[0] for name in sys.modules})]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    status, modules = json.loads(done.stdout.splitlines()[-1])
    assert status == 0, done.stderr
    return HEAVY & set(modules)


@pytest.mark.parametrize(
    "line",
    [
        "--help",
        "vision --help",
        "vision read --help",
        "config path --json",
        "config show --json",
        "vision routes --json",
        "mcp servers --json",
        "mcp tools --json",
    ],
)
def test_light_commands_import_nothing_heavy(line: str) -> None:
    assert loaded(*line.split()) == set()


def test_a_cached_reading_imports_no_decoder_validator_engine_or_loop(home: Path) -> None:
    picture = str(ROOT / "examples/images/error-dialog.png")
    assert "onnxruntime" in loaded("vision", "read", picture, "--json")
    assert loaded("vision", "read", picture, "--json") == set()


def test_parsing_a_command_imports_no_operation() -> None:
    program = (
        "import sys\n"
        "from deepseekeyes.cli.parse import parse\n"
        "from deepseekeyes.cli.options import Globals\n"
        "parse(['vision', 'read', 'a.png'], Globals())\n"
        "ours = [name for name in sys.modules if name.startswith('deepseekeyes.')]\n"
        "print([name for name in ours if '.cli' not in name and '.core' not in name])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
