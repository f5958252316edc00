"""Checks of a stdio server's pipes and of its end: versions, ids, broken lines, a closed stdin, SIGTERM."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from deepseekeyes.contracts.examination import Finding, failed, ok, skipped, warning
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.lint_ports import RawLink, RawOpener
from deepseekeyes.mcp.lint_report import Named, word

ODD_VERSION: Final = "1999-01-01"
VERSION: Final = "2025-11-25"
PATIENCE_S: Final = 3.0
GREETING_S: Final = 15.0
GONE: Final = "The server could not be started a second time."


async def pipe_findings(opener: RawOpener, server_id: str, server: ServerSettings) -> list[Named]:
    """Start the server four times and look at what no session shows."""
    import asyncio

    looks = (_version_look, _line_look, _input_look, _signal_look)

    async def look(one: Any) -> list[Named]:
        link = await opener(server_id, server)
        try:
            found: list[Named] = await one(link)
            return found
        finally:
            await link.close()

    return [each for found in await asyncio.gather(*(look(one) for one in looks)) for each in found]


async def _version_look(link: RawLink) -> list[Named]:
    answer = await _greet(link, ODD_VERSION)
    return [("connection.versions", _version(answer, link))]


def _version(answer: dict[str, Any] | None, link: RawLink) -> Finding:
    fix = "Answer an unknown protocol version with one that you speak."
    if answer is None:
        return failed(f"A greeting in an unknown version {_silence(link)}.", fix)
    result = answer.get("result")
    if not isinstance(result, dict):
        return ok("A greeting in an unknown version is refused.")
    version = result.get("protocolVersion")
    if version == ODD_VERSION:
        return failed(f"The server claims to speak {ODD_VERSION}, which never existed.", fix)
    return ok(f"A greeting in an unknown version is answered with {word(version)}.")


async def _line_look(link: RawLink) -> list[Named]:
    if await _greet(link, VERSION) is None:
        seen = f"A greeting whose id is text {_silence(link)}."
        return [("connection.ids", failed(seen, "Echo ids as they came."))]
    found: list[Named] = [("connection.ids", ok("A request whose id is text is answered under that id."))]
    await _notify(link, "notifications/initialized")
    await _notify(link, "notifications/deepseekeyes-lint")
    if await _request(link, "lint-2", "tools/list", {}) is None:
        seen = f"After an unknown notification, a request {_silence(link)}."
        return [*found, ("connection.notifications", failed(seen, "Skip notifications that you do not know."))]
    found.append(("connection.notifications", ok("An unknown notification does no harm.")))
    for line in (b'{"jsonrpc":"2.0","id":', b"not json", b"[]"):
        await link.send(line)
    if await _request(link, "lint-3", "tools/list", {}) is None:
        seen = f"After lines that are no messages, a request {_silence(link)}."
        return [*found, ("connection.lines", warning(seen, "Skip lines that are no messages."))]
    return [*found, ("connection.lines", ok("Lines that are no messages do no harm."))]


async def _input_look(link: RawLink) -> list[Named]:
    if await _greet(link, VERSION) is None:
        return [("connection.eof", skipped(f"The greeting {_silence(link)}."))]
    link.close_input()
    return await _ending(link, "connection.eof", "its stdin was closed")


async def _signal_look(link: RawLink) -> list[Named]:
    if await _greet(link, VERSION) is None:
        return [("connection.sigterm", skipped(f"The greeting {_silence(link)}."))]
    link.terminate()
    return [each for each in await _ending(link, "connection.sigterm", "SIGTERM") if each[0] != "connection.leftovers"]


async def _ending(link: RawLink, name: str, cause: str) -> list[Named]:
    end = await link.ended(PATIENCE_S)
    fix = f"End within a second or two once {cause if cause != 'SIGTERM' else 'SIGTERM arrives'}."
    if end is None:
        return [(name, failed(f"The server still runs {PATIENCE_S:g} s after {cause}.", fix))]
    seen = f"It ended {end.seconds:.1f} s after {cause}, with status {end.status}."
    odd = name == "connection.eof" and end.status != 0
    lines: list[Named] = [(name, warning(seen, "Exit with status 0 when stdin is closed.") if odd else ok(seen))]
    if end.left:
        lines.append(
            ("connection.leftovers", failed("It left a process behind.", "End the processes that the server starts."))
        )
    else:
        lines.append(("connection.leftovers", ok("It left no process behind.")))
    return lines


async def _greet(link: RawLink, version: str) -> dict[str, Any] | None:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "lint", "version": "1"}}
    return await _request(link, "lint-1", "initialize", params, timeout_s=GREETING_S)


async def _request(
    link: RawLink, request_id: str, method: str, params: Mapping[str, Any], *, timeout_s: float = 10.0
) -> dict[str, Any] | None:
    message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    if not await link.send(json.dumps(message).encode()):
        return None
    return await link.answer(request_id, timeout_s)


async def _notify(link: RawLink, method: str) -> None:
    await link.send(json.dumps({"jsonrpc": "2.0", "method": method}).encode())


def _silence(link: RawLink) -> str:
    return "was never answered" if link.alive() else "ended the server"
