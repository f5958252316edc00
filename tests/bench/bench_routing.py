"""Routing: a plan over 10,000 entries, and what a routed call costs over a bare httpx call to the same endpoint."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

ENTRIES = 10_000
ROUNDS = 40
CALLS = 10
TARGET_MS = 50
FIELDS = {
    "engine": "openai_chat",
    "base_url": "http://127.0.0.1:9/v1",
    "model": "m",
    "capabilities": ["image_to_evidence", "text_to_text"],
    "inputs": ["text", "image"],
}
ANSWER = json.dumps(
    {
        "model": "m",
        "choices": [{"index": 0, "message": {"content": "hello"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
).encode()


def main() -> None:
    _plan()
    parent, child = multiprocessing.Pipe()
    server = multiprocessing.Process(target=_serve, args=(child,), daemon=True)
    server.start()
    port = parent.recv()
    try:
        asyncio.run(_calls(f"http://127.0.0.1:{port}/v1"))
    finally:
        server.terminate()
        server.join()


def _plan() -> None:
    from deepseekeyes.routing.merge import read_entry
    from deepseekeyes.routing.plan import Asked, Preferences, plan

    one = read_entry("r0", FIELDS)
    routes = [one.model_copy(update={"id": f"r{n}", "priority": n % 97}) for n in range(ENTRIES)]
    samples, spent = [], []
    for _ in range(15):
        started, used = time.perf_counter(), time.process_time()
        made = plan(routes, Asked("image_to_evidence"), Preferences(priority=("r77", "r5")))
        samples.append(1000 * (time.perf_counter() - started))
        spent.append(1000 * (time.process_time() - used))
        assert len(made.places) == ENTRIES
    best = min(samples)
    print(
        f"plan over {ENTRIES:,} entries: best {best:.1f} ms, median {statistics.median(samples):.1f} ms"
        f", processor time {min(spent):.1f} ms (target {TARGET_MS} ms)"
    )


async def _calls(url: str) -> None:
    import httpx

    from deepseekeyes.core.clock import Clock
    from deepseekeyes.routing.adapters.http import Http
    from deepseekeyes.routing.adapters.openai_chat import OpenAIChat
    from deepseekeyes.routing.ask import ask
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.health import AlwaysReady
    from deepseekeyes.routing.merge import read_entry
    from deepseekeyes.routing.metered import Metered
    from deepseekeyes.routing.plan import Asked, plan
    from deepseekeyes.routing.ports import EngineReply, EngineRequest, Message
    from deepseekeyes.routing.settings import RoutingSettings
    from deepseekeyes.routing.states import RouteStates
    from deepseekeyes.routing.tally import Tally
    from deepseekeyes.routing.walk import WalkDeps, walk
    from deepseekeyes.store.documents import Documents

    body = {"model": "m", "messages": [{"role": "user", "content": "hello"}], "stream": False, "max_tokens": 64}
    route = read_entry("bench", {**FIELDS, "base_url": url, "stream": False})
    request = EngineRequest("text_to_text", (Message("user", "hello"),), max_tokens=64)
    clock = Clock()
    kept: list[Any] = []
    deps = WalkDeps(
        RouteStates(Documents(None), clock, RoutingSettings()), AlwaysReady(), clock, kept.append, asyncio.sleep
    )

    async with httpx.AsyncClient(trust_env=False) as client, Http() as http:
        engine = Metered(OpenAIChat(http), kept.append, clock, "final")

        async def bare() -> None:
            answer = await client.post(f"{url}/chat/completions", json=body)
            assert answer.json()["choices"][0]["message"]["content"] == "hello"

        async def routed() -> None:
            tally = Tally()

            async def run(one: Route) -> EngineReply:
                return await ask(engine, one, request, tally=tally, clock=clock)

            walked = await walk(plan([route], Asked("text_to_text")), run, deps, operation="bench", tally=tally)
            assert walked.value.text == "hello"

        for work in (bare, routed):
            await _timed(work)
        pairs = [(await _timed(bare), await _timed(routed)) for _ in range(ROUNDS)]
    plain, ours = (min(column) for column in zip(*pairs, strict=True))
    print(f"bare httpx call: {1000 * plain:.2f} ms; routed call: {1000 * ours:.2f} ms")
    print(
        f"overhead of routing: {1000 * (ours - plain):.2f} ms a call, {ours / plain:.2f}x a call that answers at once"
    )


async def _timed(work: Callable[[], Awaitable[None]]) -> float:
    """Seconds of one call, averaged over a few."""
    started = time.perf_counter()
    for _ in range(CALLS):
        await work()
    return (time.perf_counter() - started) / CALLS


def _serve(pipe: Any) -> None:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(ANSWER)

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                asked = await reader.readuntil(b"\r\n\r\n")
                size = next(
                    int(line[15:]) for line in asked.lower().split(b"\r\n") if line.startswith(b"content-length:")
                )
                await reader.readexactly(size)
                writer.write(head + ANSWER)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


if __name__ == "__main__":
    sys.exit(main())
