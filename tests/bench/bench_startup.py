"""Start-up: the command line against `import typer` and against a one-command Typer program, in one run.

The package is installed the normal way (with bytecode) into a temporary folder that comes before everything else.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 25
ONE_COMMAND = """
import typer
app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
@app.command()
def hello(name: str, loud: bool = False) -> None:
    print(name)
app()
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", place / "lib", ROOT],
            check=True,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
        )
        (place / "one.py").write_text(ONE_COMMAND, encoding="utf-8")
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("DEEPSEEKEYES_", "PYTHONDONT"))
        }
        environment |= {"PYTHONPATH": str(place / "lib"), "HOME": folder, "DEEPSEEKEYES_HOME": str(place / "home")}
        eyes = [sys.executable, "-m", "deepseekeyes"]
        picture = str(ROOT / "examples/images/error-dialog.png")
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "import typer": [sys.executable, "-c", "import typer"],
            "one-command Typer program": [sys.executable, str(place / "one.py"), "x"],
            "deepseekeyes --help": [*eyes, "--help"],
            "deepseekeyes vision --help": [*eyes, "vision", "--help"],
            "deepseekeyes config path": [*eyes, "config", "path"],
            "deepseekeyes vision read (cached)": [*eyes, "vision", "read", picture],
        }
        samples: dict[str, list[Sample]] = {name: [] for name in commands}
        for command in commands.values():
            subprocess.run(command, check=True, env=environment, capture_output=True, cwd=folder)
        for _ in range(ROUNDS):
            for name, command in commands.items():
                samples[name].append(_timed(command, environment, folder))
    print(
        f"median of {ROUNDS:<26} {'wall ms':>8} {'cpu ms':>7}   x import typer (wall, cpu)  x one command (wall, cpu)"
    )
    typer, one = samples["import typer"], samples["one-command Typer program"]
    for name, found in samples.items():
        wall, cpu = median(each.wall for each in found), median(each.cpu for each in found)
        print(f"{name:36} {wall * 1000:8.0f} {cpu * 1000:7.0f}   {_times(found, typer)}   {_times(found, one):>26}")
    print("held to: --help 1.30 x import typer; cached vision read 1.35 x the one-command program")


class Sample(NamedTuple):
    wall: float
    cpu: float


def _times(found: list[Sample], base: list[Sample]) -> str:
    """Median of the ratios within a round: what makes the whole machine slower for a while cancels out."""
    pairs = list(zip(found, base, strict=True))
    return f"{median(a.wall / b.wall for a, b in pairs):13.2f} {median(a.cpu / b.cpu for a, b in pairs):6.2f}"


def _timed(command: list[str], environment: dict[str, str], folder: str) -> Sample:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    subprocess.run(command, check=True, env=environment, capture_output=True, cwd=folder)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Sample(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


if __name__ == "__main__":
    main()
