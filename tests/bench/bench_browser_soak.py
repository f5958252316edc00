"""Many actions in one browser session: memory, open files and latency by decile, and whether they stay flat.

usage: bench_browser_soak.py [ACTIONS]

The session lives in a host process of its own, as between two commands; actions go to it over its socket, in turns
clicks and typing. Memory is the resident memory of the host and of every process below it. Flat means: the median
latency of the last half is at most a quarter over that of the first half (the first decile left out), and so are memory
and the number of open files.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "servers"))
ACTIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
DECILES = 10
FLAT = 1.25
PAGE = """<!doctype html><meta charset=utf-8><title>Soak</title><label>Note <input id=note></label>
<button onclick="document.querySelector('#n').textContent = 'Pressed ' + (++window.n)">Press</button><p id=n></p>
<ul></ul><script>window.n = 0;
document.querySelector('ul').innerHTML =
  Array.from({length: 40}, (_, i) => `<li><a href="#${i}">Link ${i}</a></li>`).join('');
</script>"""
CONFIG = """
[browser]
enabled = true
headless = true
settle_ms = 60
timeout_ms = 60000
"""


class Quiet:
    """A port that shows nothing and has no input."""

    def stdin(self, limit: int) -> bytes:
        return b""

    def progress(self, done: int, total: int | None, label: str) -> None:
        return

    def text(self, delta: str) -> None:
        return

    def note(self, sentence: str) -> None:
        return


def command(environ: dict[str, str], *words: str) -> dict[str, Any]:
    """The document of one command."""
    line = [sys.executable, "-m", "deepseekeyes", "browser", *words, "--json"]
    done = subprocess.run(line, env=environ, capture_output=True, timeout=200, check=False)
    if done.returncode:
        raise SystemExit((done.stdout + done.stderr).decode()[-500:])
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def held(pid: int) -> dict[str, float]:
    """Megabytes and open files of the host, and of all below it (shared pages are counted once a process)."""
    import psutil

    host = psutil.Process(pid)
    below, files = 0, 0
    for child in host.children(recursive=True):
        try:
            below, files = below + child.memory_info().rss, files + child.num_fds()
        except psutil.NoSuchProcess:
            continue
    return {
        "host MB": host.memory_info().rss / 1e6,
        "browser MB": below / 1e6,
        "host files": host.num_fds(),
        "browser files": files,
    }


def one(place: Any, number: int) -> float:
    """Milliseconds of one action, which must be seen to have worked."""
    from deepseekeyes.session.client import Request, call

    payload: dict[str, Any] = {"role": "button", "name": "Press"}
    operation = "browser.click"
    if number % 2:
        operation, payload = "browser.type", {"role": "textbox", "name": "Note", "value": f"note {number}"}
    started = time.perf_counter()
    reply = call(Request(place, operation, {**payload, "session": place.name}), Quiet())
    taken = (time.perf_counter() - started) * 1000
    if reply.document.get("verdict") != "verified":
        raise SystemExit(f"action {number}: {json.dumps(reply.document)[:500]}")
    return taken


def flat(what: str, values: list[float]) -> bool:
    """Whether the later half is no more than `FLAT` times the earlier one; printed."""
    early, late = statistics.median(values[1 : DECILES // 2]), statistics.median(values[DECILES // 2 :])
    steady = late <= early * FLAT
    print(f"{what}: {early:.0f} -> {late:.0f}, {late / early:.2f} times: {'flat' if steady else 'NOT FLAT'}")
    return steady


def soak(place: Any) -> int:
    """Act, measure, print.

    Returns:
        Exit code: 0 when latency and memory stay flat.
    """
    from deepseekeyes.session.descriptor import read

    descriptor = read(place)
    assert descriptor is not None
    latency: list[float] = []
    held_by: dict[str, list[float]] = {name: [] for name in held(descriptor.pid)}
    print(f"{'actions':>10}{'median ms':>12}{'worst ms':>12}" + "".join(f"{name:>15}" for name in held_by))
    for decile in range(DECILES):
        numbers = range(ACTIONS * decile // DECILES, ACTIONS * (decile + 1) // DECILES)
        taken = [one(place, number) for number in numbers]
        latency.append(statistics.median(taken))
        for name, value in held(descriptor.pid).items():
            held_by[name].append(value)
        row = "".join(f"{values[-1]:>15.0f}" for values in held_by.values())
        print(f"{numbers.stop:>10}{latency[-1]:>12.0f}{max(taken):>12.0f}{row}", flush=True)
    steady = [flat("latency, ms", latency), *(flat(name, values) for name, values in held_by.items())]
    return 0 if all(steady) else 1


def main() -> int:
    import site_under_test

    from deepseekeyes.session.descriptor import Place

    if ACTIONS < DECILES * 2:
        print(f"At least {DECILES * 2} actions.")
        return 2
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home, site_under_test.PAGES = Path(folder) / "eyes", Path(folder)
        home.mkdir()
        (home / "config.toml").write_text(CONFIG, encoding="utf-8")
        (Path(folder) / "soak.html").write_text(PAGE, encoding="utf-8")
        environ = {"PATH": os.environ["PATH"], "HOME": folder, "DEEPSEEKEYES_HOME": str(home), "PYTHONPATH": str(ROOT)}
        with site_under_test.site() as pages:
            command(environ, "open", f"{pages.url}/soak.html")
            try:
                return soak(Place.of(home, "browser", "default"))
            finally:
                command(environ, "close")


if __name__ == "__main__":
    sys.exit(main())
