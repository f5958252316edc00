"""MCP: calls through the planes against bare SDK calls on one server, a 16 MB result, 100 servers, start-up, memory.

Every ratio compares two things measured in turns within one run. Parts that measure memory run in a process of their
own: `bench_mcp.py PART` prints what it found as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SDK_SERVER = ROOT / "tests/servers/echo_mcp_server.py"
PLAIN_SERVER = ROOT / "tests/hostile/mcp/plain.py"
ROUNDS = 20
CALLS = 20
BIG = 16_000_000
CONFIGURED = 100
USED = 3
STARTS = 7
TARGET = 1.3
LEAN = "artifact_dir = false\naudit = false\n[ledger]\nusage = false"

Call = Callable[[], Awaitable[None]]


@asynccontextmanager
async def planes(folder: Path, servers: dict[str, Path], more: str = "") -> AsyncIterator[Any]:
    """What a serving process holds over stdio servers by id, in a home of its own; connections stay open."""
    from deepseekeyes.wiring.app import App
    from deepseekeyes.wiring.door import Silent
    from deepseekeyes.wiring.mcp import build

    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text(configured(servers, more), encoding="utf-8")
    app = App(door=Silent(), home=folder, cwd=folder, environ={}, serving=True)
    deps = build(app, keep_open=True)
    try:
        yield deps
    finally:
        await deps.upstreams.aclose()
        app.close()


def configured(servers: dict[str, Path], more: str = "") -> str:
    """A configuration with the planes on and everything allowed."""
    head = f"[mcp]\nenabled = true\nmax_external_calls_per_run = 0\ntool_call_timeout_ms = 120000\n{more}\n"
    return head + "".join(
        f'[mcp.servers.{name}]\ntransport = "stdio"\nallowed_tools = ["*"]\n'
        f'command = {json.dumps(sys.executable)}\nargs = ["-S", {json.dumps(str(path))}]\n'
        if path == PLAIN_SERVER
        else f'[mcp.servers.{name}]\ntransport = "stdio"\nallowed_tools = ["*"]\n'
        f"command = {json.dumps(sys.executable)}\nargs = [{json.dumps(str(path))}]\n"
        for name, path in servers.items()
    )


@asynccontextmanager
async def bare(server: Path, mode: str = "auto") -> AsyncIterator[Any]:
    """The SDK alone: its session after the greeting its own client makes, which is the one the planes make too.

    `legacy` is the older handshake, whose calls cost less on both sides.
    """
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    parameters = StdioServerParameters(command=sys.executable, args=[str(server)])
    async with Client(stdio_client(parameters), mode=mode) as client:
        yield client.session


def through(deps: Any, server: str, tool: str, arguments: dict[str, Any]) -> Call:
    """One call through every gate; each has arguments, and so a result and an artifact, of its own."""
    from deepseekeyes.mcp.call import CallRequest, call

    numbers = count()

    async def once() -> None:
        request = CallRequest(server=server, tool=tool, arguments={**arguments, "n": next(numbers)})
        result = await call(request, deps)
        assert result.status == "success"

    return once


def alone(session: Any, tool: str, arguments: dict[str, Any]) -> Call:
    """One call of the SDK."""
    numbers = count()

    async def once() -> None:
        result = await session.call_tool(tool, {**arguments, "n": next(numbers)})
        assert not result.is_error

    return once


async def in_turns(calls: dict[str, Call], rounds: int, times: int) -> dict[str, tuple[float, float]]:
    """Median milliseconds of each call, wall and processor time of this process (the thread that writes the ledger
    included); a few of one, then a few of the next, round after round."""
    samples: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    for once in calls.values():
        await once()
    for _ in range(rounds):
        for name, once in calls.items():
            for _ in range(times):
                started, spent = time.perf_counter(), time.process_time()
                await once()
                samples[name].append(((time.perf_counter() - started) * 1000, (time.process_time() - spent) * 1000))
    return {
        name: (statistics.median(wall for wall, _ in found), statistics.median(cpu for _, cpu in found))
        for name, found in samples.items()
    }


async def small() -> dict[str, Any]:
    """Echo calls, on an SDK server and on one that costs nothing."""
    found: dict[str, Any] = {}
    for name, server in (("SDK server", SDK_SERVER), ("plain server", PLAIN_SERVER)):
        with tempfile.TemporaryDirectory() as folder:
            servers = {"echo": server}
            arguments = {"text": "hello"}
            async with (
                planes(Path(folder) / "full", servers) as deps,
                planes(Path(folder) / "lean", servers, LEAN) as lean_deps,
                bare(server) as session,
                bare(server, "legacy") as older,
            ):
                found[name] = await in_turns(
                    {
                        "bare SDK": alone(session, "echo", arguments),
                        "bare SDK, older handshake": alone(older, "echo", arguments),
                        "through the planes": through(deps, "echo", "echo", arguments),
                        "no artifact, audit or usage": through(lean_deps, "echo", "echo", arguments),
                    },
                    ROUNDS,
                    CALLS,
                )
    return found


async def large(who: str) -> dict[str, Any]:
    """One result of 16 MB, best of three, and the most memory on the way."""
    started_with = peak_mib()
    with tempfile.TemporaryDirectory() as folder:
        if who == "planes":
            async with planes(Path(folder), {"echo": SDK_SERVER}) as deps:
                took = await in_turns({"": through(deps, "echo", "big", {"characters": BIG})}, 3, 1)
        else:
            async with bare(SDK_SERVER) as session:
                took = await in_turns({"": alone(session, "big", {"characters": BIG})}, 3, 1)
    return {"ms": took[""][0], "MiB": peak_mib(), "MiB before": started_with}


async def many(total: int) -> dict[str, Any]:
    """So many servers configured and three of them called: connecting, a call of each, memory."""
    from deepseekeyes.mcp.servers import ServersRequest, servers

    with tempfile.TemporaryDirectory() as folder:
        async with planes(Path(folder), {f"s{number}": PLAIN_SERVER for number in range(total)}) as deps:
            calls = [through(deps, f"s{number}", "echo", {}) for number in range(USED)]
            started = time.perf_counter()
            await asyncio.gather(*(once() for once in calls))
            first = (time.perf_counter() - started) * 1000
            again = await in_turns({"call": calls[0]}, 5, CALLS)
            started = time.perf_counter()
            listing = await servers(ServersRequest(), deps)
            listed = (time.perf_counter() - started) * 1000
            live = sum(1 for item in listing.items if item.source == "live")
    assert live == USED
    return {"first calls ms": first, "call ms": again["call"][0], "listing ms": listed, "MiB": peak_mib()}


def peak_mib() -> float:
    """The most memory this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def apart(*part: str) -> dict[str, Any]:
    """A part in a process of its own."""
    done = subprocess.run([sys.executable, __file__, *part], check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def starts() -> dict[str, tuple[float, float]]:
    """Best wall and processor time of `mcp servers`, of the least command, and of importing the SDK, milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(place / "lib"), str(ROOT)]
        subprocess.run(install, check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""})
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("DEEPSEEKEYES_", "PYTHONDONT"))
        }
        environment |= {"PYTHONPATH": str(place / "lib"), "HOME": folder}
        eyes = [sys.executable, "-m", "deepseekeyes"]
        commands = {"import typer": ([sys.executable, "-c", "import typer"], place)}
        commands["import mcp"] = ([sys.executable, "-c", "import mcp"], place)
        for total in (USED, CONFIGURED):
            home = place / f"home{total}"
            home.mkdir()
            servers = {f"s{number}": PLAIN_SERVER for number in range(total)}
            (home / "config.toml").write_text(configured(servers), encoding="utf-8")
            commands[f"mcp servers, {total} configured"] = ([*eyes, "mcp", "servers"], home)
        samples: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for number in range(STARTS + 1):
            for name, (command, home) in commands.items():
                sample = _timed(command, {**environment, "DEEPSEEKEYES_HOME": str(home)})
                if number:
                    samples[name].append(sample)
    return {name: (min(wall for wall, _ in all_), min(cpu for _, cpu in all_)) for name, all_ in samples.items()}


def _timed(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, env=environment, capture_output=True, cwd=environment["HOME"])
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall * 1000, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def main() -> None:
    print("one call over stdio, median ms (x bare SDK), processor ms of the client (x)")
    for server, found in asyncio.run(small()).items():
        print(f"  {server}")
        base = found["bare SDK"]
        for name, (ms, cpu) in found.items():
            print(f"    {name:28} {ms:6.2f} ({ms / base[0]:.2f}x) {cpu:6.2f} ({cpu / base[1]:.2f}x)")
    print(f"  held to: under {TARGET}x on the SDK server")

    ours, theirs = apart("large", "planes"), apart("large", "bare")
    print(f"a result of {BIG:,} characters: admitted, hashed, stored and previewed against only received")
    print(
        f"  through the planes {ours['ms']:.0f} ms, bare SDK {theirs['ms']:.0f} ms ({ours['ms'] / theirs['ms']:.2f}x)"
    )
    print(f"  most memory {ours['MiB']:.0f} MiB against {theirs['MiB']:.0f} MiB")

    few, all_ = apart("many", str(USED)), apart("many", str(CONFIGURED))
    print(f"{CONFIGURED} servers configured and {USED} used, against {USED} configured")
    for name, value in all_.items():
        print(f"  {name:15} {value:8.1f}  against {few[name]:8.1f}  ({value / few[name]:.2f}x)")

    found_starts = starts()
    typer = found_starts["import typer"]
    print(f"start-up, best of {STARTS}, wall ms (x import typer), processor ms (x)")
    for name, (wall, cpu) in found_starts.items():
        print(f"  {name:28} {wall:7.0f} ({wall / typer[0]:.2f}x) {cpu:7.0f} ({cpu / typer[1]:.2f}x)")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["large", who]:
            print(json.dumps(asyncio.run(large(who))))
        case ["many", total]:
            print(json.dumps(asyncio.run(many(int(total)))))
        case _:
            main()
