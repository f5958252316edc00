"""Checks that call tools which are declared to only read, and read resources; made when asked for."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from deepseekeyes.contracts.examination import Finding, failed, ok, skipped
from deepseekeyes.mcp.lint_report import Named, verdict, word
from deepseekeyes.mcp.lint_visit import Reply, Visit
from deepseekeyes.mcp.ports import Greeting
from deepseekeyes.mcp.risk import classify
from deepseekeyes.mcp.schema_check import remark
from deepseekeyes.mcp.settings import McpSettings

MOST: Final = 5
CANCEL_AFTER_S: Final = 0.05
PING_S: Final = 2.0
TYPES: Final = frozenset({"text", "image", "audio", "resource", "resource_link"})
ENCODED: Final = re.compile(r"[A-Za-z0-9+/]{2000,}={0,2}")
RESULT_FIX: Final = (
    "Send a list of content blocks, structured content that fits its schema, and images as image blocks."
)

Tool = dict[str, Any]


def callable_tools(items: Sequence[Any]) -> tuple[list[Tool], list[Tool]]:
    """Tools declared to only read: those that need no arguments, and those that need some."""
    free: list[Tool] = []
    bound: list[Tool] = []
    for item in items:
        if (
            isinstance(item, dict)
            and isinstance(item.get("name"), str)
            and classify(item.get("annotations")).risk == "read"
        ):
            schema = item.get("inputSchema")
            needs = schema.get("required") if isinstance(schema, dict) else None
            (bound if needs else free).append(item)
    return free[:MOST], bound[:MOST]


async def call_findings(visit: Visit, greeting: Greeting, items: Sequence[Any]) -> AsyncIterator[Named]:
    """Results, wrong arguments, a ping during a call, a cancelled call."""
    free, bound = callable_tools(items)
    if not free and not bound:
        yield "calls.results", skipped("No tool is declared to only read, so none was called.")
        return
    yield "calls.results", await _results(visit, free)
    yield "calls.wrong-arguments", await _wrong_arguments(visit, bound)
    if free:
        if greeting.era != "modern":
            yield "calls.ping", await _ping_meanwhile(visit, free[0])
        yield "calls.cancel", await _cancelled(visit, free[0])


async def read_findings(visit: Visit) -> AsyncIterator[Named]:
    """The first few resources."""
    listed = await visit.listing("resources/list", "resources")
    uris = [each["uri"] for each in listed.items if isinstance(each, dict) and isinstance(each.get("uri"), str)]
    bad: list[str] = []
    for uri in uris[:MOST]:
        reply = await visit.ask("resources/read", {"uri": uri})
        bad += [f"{word(uri)} {each}" for each in _contents(reply, visit.settings)]
    yield (
        "resources.contents",
        verdict(
            bad=bad,
            fine=f"{len(uris[:MOST])} resources were read.",
            fix="Answer resources/read with `contents`: each with its uri, and text or a base64 blob.",
            nothing=None if uris else "There is no resource to read.",
        ),
    )


async def _results(visit: Visit, tools: Sequence[Tool]) -> Finding:
    bad, odd = [], []
    for tool in tools:
        reply = await visit.ask("tools/call", {"name": tool["name"], "arguments": {}})
        wrong, strange = result_troubles(reply, tool, visit.settings)
        bad += [f"{word(tool['name'])} {each}" for each in wrong]
        odd += [f"{word(tool['name'])} {each}" for each in strange]
    return verdict(
        bad=bad,
        odd=odd,
        fine=f"{len(tools)} tools were called without arguments.",
        fix=RESULT_FIX,
        nothing=None if tools else "Every tool that only reads needs arguments.",
    )


def result_troubles(reply: Reply, tool: Tool, settings: McpSettings) -> tuple[list[str], list[str]]:
    """What fails and what is odd about the answer to a call."""
    if reply.fault == "timeout":
        return [], ["takes longer than the check waits"]
    if reply.result is None:
        return ([reply.broken], []) if reply.broken else ([], [f"is answered with the error {reply.code}"])
    value = reply.result
    bad: list[str] = []
    odd: list[str] = []
    if "isError" in value and not isinstance(value["isError"], bool):
        bad.append("has an isError that is no boolean")
    content = value.get("content")
    if not isinstance(content, list):
        bad.append("answers without a list of content")
        content = []
    for block in content:
        wrong, strange = _block(block, settings)
        bad += wrong
        odd += strange
    if value.get("isError") is not True:
        bad += _structured(value, tool)
    return list(dict.fromkeys(bad)), list(dict.fromkeys(odd))


def _structured(value: Tool, tool: Tool) -> list[str]:
    found = value.get("structuredContent")
    schema = tool.get("outputSchema")
    if found is not None and not isinstance(found, dict):
        return ["has structured content that is no object"]
    if schema is None:
        return []
    if found is None:
        return ["declares an output schema and sends no structured content"]
    trouble = remark(found, schema, "structured content")
    return [trouble.rstrip(".")] if trouble else []


def _block(block: Any, settings: McpSettings) -> tuple[list[str], list[str]]:
    if not isinstance(block, dict):
        return ["sends a block that is no object"], []
    kind = block.get("type")
    if kind not in TYPES:
        return [], [f"sends a block of the type {str(kind)[:30]!r}, which clients do not know"]
    if kind == "text":
        return _text(block.get("text"), settings)
    if kind in ("image", "audio"):
        return _encoded(block, settings, kind), []
    if kind == "resource" and not isinstance(block.get("resource"), dict):
        return ["sends a resource block without its resource"], []
    return [], []


def _text(text: Any, settings: McpSettings) -> tuple[list[str], list[str]]:
    if not isinstance(text, str):
        return ["sends a text block without text"], []
    odd = []
    if len(text) > settings.max_result_chars:
        odd.append(f"sends {len(text):,} characters, more than the {settings.max_result_chars:,} that a model is shown")
    if ENCODED.search(text):
        odd.append("hides encoded bytes in text")
    return [], odd


def _encoded(block: Tool, settings: McpSettings, kind: str) -> list[str]:
    data = block.get("data")
    if not isinstance(data, str) or not isinstance(block.get("mimeType"), str):
        return [f"sends an {kind} block without data or mimeType"]
    size = _decoded(data)
    if size is None:
        return [f"sends an {kind} block that is not base64"]
    if size > settings.max_image_bytes:
        return [f"sends {size:,} bytes in an {kind} block, more than clients take"]
    return []


def _decoded(data: str) -> int | None:
    try:
        return len(base64.b64decode(data, validate=True))
    except (binascii.Error, ValueError):
        return None


def _contents(reply: Reply, settings: McpSettings) -> list[str]:
    if reply.result is None:
        return [reply.broken or f"is listed, and reading it fails with {reply.code}"]
    contents = reply.result.get("contents")
    if not isinstance(contents, list) or not all(isinstance(each, dict) for each in contents):
        return ["is answered without a list of contents"]
    bad = []
    for each in contents:
        if not isinstance(each.get("uri"), str):
            bad.append("has contents without a uri")
        if not isinstance(each.get("text"), str) and not isinstance(each.get("blob"), str):
            bad.append("has contents with neither text nor a blob")
        elif "blob" in each and _decoded(str(each["blob"])) is None:
            bad.append("has a blob that is not base64")
        elif len(str(each.get("blob", ""))) > settings.max_image_encoded_chars:
            bad.append("has a blob larger than clients take")
    return list(dict.fromkeys(bad))


async def _wrong_arguments(visit: Visit, tools: Sequence[Tool]) -> Finding:
    bad, odd = [], []
    for tool in tools:
        reply = await visit.ask("tools/call", {"name": tool["name"], "arguments": {}})
        if reply.broken:
            bad.append(f"{word(tool['name'])} without its arguments {reply.broken}")
        elif reply.result is not None and reply.result.get("isError") is not True:
            odd.append(f"{word(tool['name'])} succeeds without the arguments that it requires")
    return verdict(
        bad=bad,
        odd=odd,
        fine=f"{len(tools)} tools say so when their arguments are missing.",
        fix="Report missing arguments as a result with isError, or as the error -32602.",
        nothing=None if tools else "No tool that only reads requires arguments.",
    )


async def _ping_meanwhile(visit: Visit, tool: Tool) -> Finding:
    import asyncio

    calling = asyncio.ensure_future(visit.ask("tools/call", {"name": tool["name"], "arguments": {}}))
    try:
        reply = await visit.ask("ping", timeout_s=PING_S)
    finally:
        await calling
    if reply.result is not None:
        return ok("A ping is answered while a call runs.")
    return failed(
        f"A ping during a call {reply.broken or f'was answered with the error {reply.code}'}.",
        "Answer pings while calls run; clients take silence for death.",
    )


async def _cancelled(visit: Visit, tool: Tool) -> Finding:
    """Give a call up and see whether the server still answers."""
    import asyncio

    calling = asyncio.ensure_future(visit.ask("tools/call", {"name": tool["name"], "arguments": {}}))
    await asyncio.sleep(CANCEL_AFTER_S)
    over = calling.done()
    calling.cancel()
    await asyncio.gather(calling, return_exceptions=True)
    reply = await visit.ask("tools/list")
    if reply.result is None:
        return failed(
            f"After a cancelled call, a request {reply.broken or f'is answered with {reply.code}'}.",
            "Go on after notifications/cancelled.",
        )
    if over:
        return skipped(f"{word(tool['name'])} was done before it could be cancelled.")
    return ok("The server goes on after a cancelled call.")
