"""Many observations through one `mcp serve`: memory and latency by decile, and what the home grows to.

usage: bench_desktop_memory.py [OBSERVATIONS]

Flat means: the later half needs at most `FLAT` times what the earlier half needed (the first decile left out).
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "servers"))
OBSERVATIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
DECILES = 10
FLAT = 1.15
CONFIG = "[desktop]\nenabled = true\n"
EYES = [sys.executable, "-m", "deepseekeyes", "mcp", "serve", "--group", "desktop"]


def kilobytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1024


def flat(what: str, values: list[float]) -> bool:
    """Whether the later half is no more than `FLAT` times the earlier one; printed."""
    early, late = statistics.median(values[1 : DECILES // 2]), statistics.median(values[DECILES // 2 :])
    steady = late <= early * FLAT
    print(f"{what}: {early:.0f} -> {late:.0f}, {late / early:.2f} times: {'flat' if steady else 'NOT FLAT'}")
    return steady


def main() -> int:
    from bench_mcp_serve import session
    from desktop_session import desktop_session

    if OBSERVATIONS < DECILES:
        print(f"At least {DECILES} observations.")
        return 2
    with desktop_session() as desktop:
        desktop.run("gtk3", "--rows", "40")
        home = desktop.folder / "eyes"
        home.mkdir()
        (home / "config.toml").write_text(CONFIG, encoding="utf-8")
        latency, memory = [], []
        with session(EYES, {**os.environ, **desktop.environ, "DEEPSEEKEYES_HOME": str(home)}) as server:
            server.greet()
            print(f"{'looks':>8}{'median ms':>12}{'MiB':>8}{'home kB':>10}")
            for decile in range(DECILES):
                numbers = range(OBSERVATIONS * decile // DECILES, OBSERVATIONS * (decile + 1) // DECILES)
                taken = []
                for _ in numbers:
                    before = time.perf_counter()
                    answer = server.ask("tools/call", name="desktop_observe", arguments={"title": "gtk3 form"})
                    taken.append((time.perf_counter() - before) * 1000)
                    if answer["result"].get("isError"):
                        raise SystemExit(json.dumps(answer)[:1000])
                latency.append(statistics.median(taken))
                memory.append(server.memory())
                print(f"{numbers.stop:>8}{latency[-1]:>12.0f}{memory[-1]:>8.0f}{kilobytes(home):>10.0f}", flush=True)
        return 0 if all([flat("memory, MiB", memory), flat("latency, ms", latency)]) else 1


if __name__ == "__main__":
    sys.exit(main())
