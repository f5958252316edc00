"""`mcp serve` against a bare server on the same SDK, in one run: start-up, calls over stdio, memory.

Both sides are spoken to in raw JSON lines, so that no client's own time is measured.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
STARTS = 7
CALLS = 300
BARE = """
import asyncio, sys
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

TEXT = sys.argv[1]

async def listed(ctx, params):
    return types.ListToolsResult(tools=[types.Tool(name="echo", input_schema={"type": "object"})])

async def called(ctx, params):
    return types.CallToolResult(content=[types.TextContent(text=TEXT)], structured_content={"text": TEXT})

async def main():
    server = Server("bare", on_list_tools=listed, on_call_tool=called)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

asyncio.run(main())
"""


class Side(NamedTuple):
    """A command, and the calls that are measured on it by name."""

    command: list[str]
    calls: dict[str, tuple[str, dict[str, Any]]]


class Session:
    """One server process and its streams."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self._started = time.perf_counter()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self._number = 0

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """One request and its answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            answer: dict[str, Any] = json.loads(self.process.stdout.readline())
            if answer.get("id") == self._number:
                return answer

    def greet(self) -> float:
        """Seconds from the start of the process to its greeting."""
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "b", "version": "1"})
        assert self.process.stdin is not None
        self.process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        return time.perf_counter() - self._started

    def timed(self, name: str, arguments: dict[str, Any], rounds: int) -> list[float]:
        """Seconds of each of so many calls."""
        found = []
        for _ in range(rounds):
            before = time.perf_counter()
            answer = self.ask("tools/call", name=name, arguments=arguments)
            found.append(time.perf_counter() - before)
            assert not answer["result"].get("isError"), answer
        return found

    def memory(self) -> float:
        """Resident memory in MiB, where the system tells."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        except OSError:
            return 0.0
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@contextmanager
def session(command: list[str], environment: dict[str, str]) -> Iterator[Session]:
    made = Session(command, environment)
    try:
        yield made
    finally:
        made.process.communicate()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE, encoding="utf-8")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("DEEPSEEKEYES_")}
        environment |= {"HOME": folder, "DEEPSEEKEYES_HOME": f"{folder}/home"}
        picture = str(ROOT / "examples/images/error-dialog.png")
        eyes = [sys.executable, "-m", "deepseekeyes", "mcp", "serve"]
        sides = {
            "bare": Side([sys.executable, str(bare), "x" * 3000], {"echo of 3 kB": ("echo", {})}),
            "eyes": Side(
                eyes,
                {
                    "vision_schema (3.7 kB)": ("vision_schema", {}),
                    "vision_read (cached)": ("vision_read", {"image": picture}),
                },
            ),
        }
        starts: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(STARTS):
            for name, side in sides.items():
                with session(side.command, environment) as one:
                    starts[name].append(one.greet())
        _report("start-up to the greeting", {name: starts[name] for name in sides})
        calls: dict[str, list[float]] = {}
        memory: dict[str, float] = {}
        for name, side in sides.items():
            with session(side.command, environment) as one:
                one.greet()
                for label, (tool, arguments) in side.calls.items():
                    one.timed(tool, arguments, 5)
                    calls[label] = one.timed(tool, arguments, CALLS)
                memory[name] = one.memory()
        _report("one call over stdio", calls)
        print(f"memory after the calls: bare {memory['bare']:.0f} MiB, eyes {memory['eyes']:.0f} MiB")


def _report(title: str, samples: dict[str, list[float]]) -> None:
    first = statistics.median(next(iter(samples.values())))
    print(f"{title:36} {'median ms':>10} {'best ms':>9}   x bare")
    for name, found in samples.items():
        middle = statistics.median(found)
        print(f"  {name:34} {middle * 1000:10.2f} {min(found) * 1000:9.2f} {middle / first:8.2f}")


if __name__ == "__main__":
    main()
