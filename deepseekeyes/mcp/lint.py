"""`mcp lint SERVER`: everything a client may meet or do, tried on one server, as a scored report."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from deepseekeyes.contracts.examination import Finding, failed, ok, skipped
from deepseekeyes.contracts.mcp_lint import McpLint
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.clock import Clock
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.mcp.codes import MCP_FRAME_LIMIT, MCP_LINT_NOT_STARTED, MCP_SERVER_UNKNOWN, MCP_STDOUT_NOISE
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.editing import checked, invalid
from deepseekeyes.mcp.lint_calls import call_findings, read_findings
from deepseekeyes.mcp.lint_pipes import pipe_findings
from deepseekeyes.mcp.lint_ports import RawOpener
from deepseekeyes.mcp.lint_report import Named, checks, counts, score
from deepseekeyes.mcp.lint_tools import tool_findings
from deepseekeyes.mcp.lint_visit import Listing, Visit
from deepseekeyes.mcp.lint_wire import capability_findings, connection_findings, content_findings, listing_findings
from deepseekeyes.mcp.ports import Connector, Greeting
from deepseekeyes.mcp.settings import McpSettings

UNNAMED = "server"


class LintRequest(Contract):
    """A configured `server`, or one that is not configured: `command` (program and arguments) or `url`.

    `env` and `headers` are as in `mcp add`. `call` allows calling tools that are declared to only read.
    """

    server: str | None = None
    command: tuple[str, ...] = ()
    url: str | None = None
    env: tuple[str, ...] = ()
    call: bool = False


@dataclass(frozen=True, slots=True)
class LintDeps:
    """Everything outside: the settings, a connector, a look at bare pipes, time."""

    settings: McpSettings
    connector: Connector
    opener: RawOpener
    clock: Clock


async def lint(request: LintRequest, deps: LintDeps) -> McpLint:
    """Examine one server. No tool is called unless `call`, and then only those declared to only read.

    Raises:
        EyesError: MCP_SERVER_UNKNOWN, MCP_CONFIG_INVALID, MCP_LINT_NOT_STARTED when it cannot be started or reached,
            MCP_EXTRA_MISSING, MCP_COMMAND_NOT_FOUND.
    """
    server_id, server = _subject(request, deps.settings)
    await loop_needed()
    started = deps.clock.monotonic()
    visit = Visit(server_id, server, deps.settings, deps.connector)
    try:
        greeting, findings, tools = await _examined(request, deps, visit)
    finally:
        await visit.close()
    findings.append(("connection.noise", _noise(visit)))
    if server.transport == "stdio" and greeting is not None:
        findings += await _pipes(deps, server_id, server)
    lines = checks(sorted(findings, key=lambda each: ORDER.index(each[0].partition(".")[0])))
    tally = counts(lines)
    return McpLint(
        server=server_id,
        transport=server.transport,
        server_name=greeting.server_name if greeting else None,
        server_version=greeting.server_version if greeting else None,
        protocol_version=greeting.protocol_version if greeting else None,
        tool_count=tools,
        called=request.call,
        passed=tally.failed == 0,
        score=score(lines),
        counts=tally,
        checks=lines,
        duration_ms=deps.clock.milliseconds_since(started),
    )


ORDER = ("connection", "tools", "resources", "prompts", "calls")


def _subject(request: LintRequest, settings: McpSettings) -> tuple[str, ServerSettings]:
    given = [request.server is not None, bool(request.command), request.url is not None]
    if sum(given) != 1:
        raise invalid("Name one server: its id, --command or --url.")
    if request.server is not None:
        found = settings.servers.get(request.server)
        if found is None:
            raise EyesError(
                MCP_SERVER_UNKNOWN,
                f"There is no MCP server {request.server[:64]!r}.",
                details={"candidates": sorted(settings.servers)[:20]},
            )
        return request.server, found
    values: dict[str, Any] = {"transport": "streamable-http", "url": request.url}
    if request.command:
        values = {"transport": "stdio", "command": request.command[0], "args": list(request.command[1:])}
        values["env"] = {name: {"env": name} for name in request.env}
    return UNNAMED, checked(UNNAMED, values, {})


async def _examined(request: LintRequest, deps: LintDeps, visit: Visit) -> tuple[Greeting | None, list[Named], int]:
    findings: list[Named] = []
    try:
        greeting = await visit.open()
    except EyesError as broken:
        if broken.code not in (MCP_STDOUT_NOISE, MCP_FRAME_LIMIT):
            raise _not_started(visit.server_id, broken) from broken
        findings.append(("connection.greeting", failed(broken.message, broken.hint)))
        return None, findings, 0
    first = Listing()
    try:
        first = await visit.listing("tools/list", "tools")
        async for each in _all(request, deps, visit, greeting, first):
            findings.append(each)  # noqa: PERF401 - what was found stays when the next check breaks
    except EyesError as lost:
        fix = "See the checks before this one; the server ended the connection again and again."
        findings.append(("connection.lasting", failed(lost.message, fix)))
    return greeting, findings, len(first.items)


async def _all(
    request: LintRequest, deps: LintDeps, visit: Visit, greeting: Greeting, first: Listing
) -> AsyncIterator[Named]:
    async for each in connection_findings(visit, greeting):
        yield each
    async for each in capability_findings(visit, greeting):
        yield each
    async for each in listing_findings(visit, greeting, first):
        yield each
    for found in tool_findings(first.items, deps.settings):
        yield found
    async for each in content_findings(visit, greeting):
        yield each
    if not request.call:
        yield "calls.results", skipped("No tool was called.", "deepseekeyes mcp lint --call ...")
        return
    async for each in call_findings(visit, greeting, first.items):
        yield each
    if isinstance(greeting.capabilities.get("resources"), dict):
        async for each in read_findings(visit):
            yield each


def _not_started(server_id: str, broken: EyesError) -> EyesError:
    """Whatever kept the server from being examined is a trouble with the input of this command."""
    if broken.kind == "input":
        return broken
    error = EyesError(MCP_LINT_NOT_STARTED, broken.message, details=broken.details, server=server_id)
    error.__cause__ = broken
    return error


def _noise(visit: Visit) -> Finding:
    if visit.server.transport != "stdio":
        return skipped("There is no stdout over HTTP.")
    if visit.noise:
        lines = "1 line" if visit.noise == 1 else f"{visit.noise} lines"
        return failed(f"{lines} on stdout that are no messages.", "Log to stderr.")
    return ok("Nothing but messages on stdout.")


async def _pipes(deps: LintDeps, server_id: str, server: ServerSettings) -> list[Named]:
    try:
        return await pipe_findings(deps.opener, server_id, server)
    except EyesError as refused:
        return [("connection.again", failed(f"It could not be started again: {refused.message}", refused.hint))]
