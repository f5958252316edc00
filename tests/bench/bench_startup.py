"""Start-up: the command line against `import typer` and against a one-command Typer program, in one run.

The package is installed the normal way (with bytecode) into a temporary folder that comes before everything else.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 15
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
        times: dict[str, list[float]] = {name: [] for name in commands}
        for name, command in commands.items():
            subprocess.run(command, check=True, env=environment, capture_output=True, cwd=folder)
        for _ in range(ROUNDS):
            for name, command in commands.items():
                started = time.perf_counter()
                subprocess.run(command, check=True, env=environment, capture_output=True, cwd=folder)
                times[name].append(time.perf_counter() - started)
    best = {name: min(values) for name, values in times.items()}
    print(f"{'command':36} {'best ms':>8} {'median':>8} {'x import typer':>15} {'x one command':>14}")
    for name, values in times.items():
        print(
            f"{name:36} {best[name] * 1000:8.0f} {statistics.median(values) * 1000:8.0f} "
            f"{best[name] / best['import typer']:15.2f} {best[name] / best['one-command Typer program']:14.2f}"
        )
    print("held to: --help 1.30 x import typer; cached vision read 1.35 x the one-command program")


if __name__ == "__main__":
    main()
