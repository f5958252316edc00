"""A hand-made wire and everything an operation of the planes needs, in a home of its own."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from authorization_server import CLIENT_ID, CLIENT_SECRET, AuthorizationServer
from signing_in import Signed, builder

from deepseekeyes.contracts.usage import UsageEvent
from deepseekeyes.core.clock import Clock
from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.mcp.adapters.connect import SdkConnector
from deepseekeyes.mcp.artifact_files import ArtifactFiles
from deepseekeyes.mcp.cache import CatalogCache
from deepseekeyes.mcp.call import CallRequest, call
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.deps import Entry, McpDeps
from deepseekeyes.mcp.journal import RunJournal
from deepseekeyes.mcp.pins import Pins
from deepseekeyes.mcp.ports import Greeting, Vitals, WireError
from deepseekeyes.mcp.prompt import PromptRequest, prompt
from deepseekeyes.mcp.quota import LedgerQuota
from deepseekeyes.mcp.read import ReadRequest, read
from deepseekeyes.mcp.result import Sink
from deepseekeyes.mcp.settings import McpSettings
from deepseekeyes.mcp.tools import ToolsRequest, tools
from deepseekeyes.mcp.upstreams import Upstreams
from deepseekeyes.store.blobs import Blobs
from deepseekeyes.store.documents import Documents
from deepseekeyes.store.ledger import Ledger

CALL = CallRequest(server="hostile", tool="echo")
# Nothing here waits longer than a second for anything; the rest is room for a busy machine.
PROMPT_S = 8
HOSTILE = Path(__file__).parents[1] / "hostile" / "mcp"

Answer = Callable[[Mapping[str, Any]], Any]


def tool(name: str = "echo", **fields: Any) -> dict[str, Any]:
    """A listed tool that only reads, unless told otherwise."""
    return {
        "name": name,
        "description": "Says it back.",
        "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True},
        **fields,
    }


@dataclass
class FakeWire:
    """Answers from a table: a value, an exception, or a function of the params."""

    answers: dict[str, Any]
    capabilities: dict[str, Any] = field(default_factory=lambda: {"tools": {}, "resources": {}, "prompts": {}})
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    closed: bool = False
    alive: bool = True
    changed: set[str] = field(default_factory=set)
    close_failed: bool = False
    objections: dict[str, str] = field(default_factory=dict)

    @property
    def greeting(self) -> Greeting:
        return Greeting("handshake", "2025-11-25", "fake", "1", self.capabilities)

    def vitals(self) -> Vitals:
        return Vitals(
            alive=self.alive and not self.closed,
            changed=frozenset(self.changed),  # type: ignore[arg-type]
            close_failed=self.close_failed,
        )

    def objection(self, input_schema: Any) -> str | None:
        return self.objections.get(json.dumps(input_schema))

    def settled(self, listing: str) -> None:
        self.changed.discard(listing)

    async def request(self, method: str, params: Mapping[str, Any], *, timeout_s: float, progress: Any = None) -> Any:
        self.requests.append((method, dict(params)))
        answer = self.answers.get(method, WireError("answered", "Method not found", -32601))
        if callable(answer):
            answer = answer(params)
            if asyncio.iscoroutine(answer):
                answer = await answer
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def close(self) -> None:
        self.closed = True

    def sent(self, method: str) -> list[dict[str, Any]]:
        return [params for name, params in self.requests if name == method]


@dataclass
class FakeConnector:
    """Hands out wires by server id: one after another, the last one for ever."""

    wires: dict[str, list[FakeWire | Exception]]
    opened: list[str] = field(default_factory=list)
    eras: list[str | None] = field(default_factory=list)

    async def __call__(self, server_id: str, server: ServerSettings, *, era: str | None) -> FakeWire:
        self.opened.append(server_id)
        self.eras.append(era)
        queue = self.wires[server_id]
        wire = queue.pop(0) if len(queue) > 1 else queue[0]
        if isinstance(wire, Exception):
            raise wire
        wire.closed = False
        return wire


@dataclass
class Bench:
    """The deps of a test and the places they write to."""

    deps: McpDeps
    ledger: Ledger
    blobs: Blobs
    home: Path
    booked: list[UsageEvent]

    def rows(self) -> list[dict[str, Any]]:
        return [row.body for row in self.ledger.rows("audit", 1000, oldest_first=True)]


def text_result(text: str = "hi", **fields: Any) -> dict[str, Any]:
    """A result of one text block."""
    return {"content": [{"type": "text", "text": text}], **fields}


def settings(servers: dict[str, dict[str, Any]] | None = None, **fields: Any) -> McpSettings:
    """Settings with the planes on; servers default to one stdio server that allows everything."""
    given = {"git": {}} if servers is None else servers
    base = {"transport": "stdio", "command": "true", "allowed_tools": ["*"]}
    merged = {
        server_id: each if each.get("transport") == "streamable-http" else {**base, **each}
        for server_id, each in given.items()
    }
    return McpSettings.model_validate({"enabled": True, "servers": merged, **fields})


@pytest.fixture
def bench(home: Path) -> Callable[..., Bench]:
    """Builds deps around a connector."""

    def build(connector: Any, section: McpSettings | None = None, *, keep_open: bool = False, **fields: Any) -> Bench:
        section = section or settings()
        clock = fields.pop("clock", Clock())
        documents = Documents(home)
        ledger = Ledger(home / "ledger.sqlite3")
        blobs = Blobs(home / "blobs")
        booked: list[UsageEvent] = []

        def book(entry: Callable[[], Entry]) -> str | None:
            made = entry()
            booked.extend([made.usage] if made.usage is not None else [])
            try:
                ledger.extend_each({"audit": [(made.run, made.audit)]} if made.audit is not None else {})
            except EyesError as failed:
                return failed.code.name
            return None

        upstreams = Upstreams(
            section, connector, CatalogCache(documents, clock), Pins(documents, clock), clock, keep_open=keep_open
        )
        root = home / str(section.artifact_dir) if section.artifact_dir is not False else None
        deps = McpDeps(
            upstreams=upstreams,
            sink=Sink(section, IntakeLimits(), ArtifactFiles(root), blobs),
            ledger=ledger,
            run_quota=LedgerQuota(ledger, section.run_expiry_s),
            journal=RunJournal(home / "mcp-runs", clock),
            clock=clock,
            book=book,
            **fields,
        )
        return Bench(deps, ledger, blobs, home, booked)

    return build


@pytest.fixture
def fakes() -> Any:
    """The hand-made doubles, for tests that build their own."""

    class Fakes:
        wire = FakeWire
        connector = FakeConnector

        @staticmethod
        def one(answers: dict[str, Any] | None = None, **fields: Any) -> tuple[FakeWire, FakeConnector]:
            """One server `git` with one tool `echo`."""
            usual = {"tools/list": {"tools": [tool()]}, "tools/call": text_result()}
            wire = FakeWire({**usual, **(answers or {})}, **fields)
            return wire, FakeConnector({"git": [wire]})

    Fakes.tool = staticmethod(tool)  # type: ignore[attr-defined]
    Fakes.text = staticmethod(text_result)  # type: ignore[attr-defined]
    Fakes.settings = staticmethod(settings)  # type: ignore[attr-defined]
    return Fakes


@pytest.fixture
def hostile_settings() -> Callable[..., McpSettings]:
    """Settings of one real stdio server out of the pack of misbehaving ones."""

    def build(name: str, *arguments: str, server: dict[str, Any] | None = None, **fields: Any) -> McpSettings:
        definition = {
            "transport": "stdio",
            "command": sys.executable,
            "args": ["-S", str(HOSTILE / f"{name}.py"), *arguments],
            "allowed_tools": ["*"],
            "timeout_ms": 6000,
            **(server or {}),
        }
        return McpSettings.model_validate(
            {"enabled": True, "negotiate_timeout_ms": 600, "servers": {"hostile": definition}, **fields}
        )

    return build


@pytest.fixture(scope="session")
def sdk_is_loaded() -> None:
    """The SDK takes more than half a second to import; the times below are of calls."""
    import deepseekeyes.mcp.adapters.http
    import deepseekeyes.mcp.adapters.sdk
    import deepseekeyes.mcp.adapters.stdio  # noqa: F401


@pytest.fixture
def over(bench: Any, hostile_settings: Any, sdk_is_loaded: None) -> Any:
    """Deps around a real server out of the pack."""

    def build(name: str, *arguments: Any, **fields: Any) -> Bench:
        section = hostile_settings(name, *map(str, arguments), **fields)
        return bench(SdkConnector(section), section)

    return build


def children() -> set[int]:
    """Processes below this one that are not zombies."""
    found, parents = set(), {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z":
                parents[int(entry.name)] = int(fields[1])
    todo = [os.getpid()]
    while todo:
        parent = todo.pop()
        below = [pid for pid, each in parents.items() if each == parent]
        found.update(below)
        todo += below
    return found


def ended(made: Bench, request: Any = CALL) -> tuple[Any, float]:
    """The document or the error of a call, and how long it took in seconds, closing included."""
    operation = {CallRequest: call, ReadRequest: read, PromptRequest: prompt, ToolsRequest: tools}[type(request)]
    before = children()
    started = time.monotonic()
    try:
        result = asyncio.run(operation(request, made.deps))
    except EyesError as error:
        result = error
    took = time.monotonic() - started
    assert children() <= before
    return result, took


def refusal(made: Bench, request: Any = CALL) -> str:
    result, took = ended(made, request)
    assert isinstance(result, EyesError), result
    assert "{" not in result.hint
    assert took < PROMPT_S
    return result.code.name


@pytest.fixture
def outcome() -> Any:
    """Runs one operation against a real server: its document or error, and how long it took, closing included."""
    return ended


@pytest.fixture
def code() -> Any:
    """The code of a refusal that came in time and left no process behind."""
    return refusal


@pytest.fixture
def guarded() -> Iterator[AuthorizationServer]:
    """An MCP server that wants a token, with its authorization server, on loopback."""
    with AuthorizationServer() as server:
        yield server


@pytest.fixture
def signed(
    guarded: AuthorizationServer, bench: Callable[..., Bench], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Signed]:
    """Builds clients of the guarded server, its credentials in the environment."""
    monkeypatch.setenv("THE_ID", CLIENT_ID)
    monkeypatch.setenv("THE_KEY", CLIENT_SECRET)
    return builder(guarded, bench)
