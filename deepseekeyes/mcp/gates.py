"""The checks between a request and the wire. Pure: each looks at the present state and either passes or refuses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.core.names import nearest
from deepseekeyes.mcp import codes
from deepseekeyes.mcp.audit_rows import Subject
from deepseekeyes.mcp.catalog import Tool
from deepseekeyes.mcp.content_blocks import prompt_blocks, resource_blocks
from deepseekeyes.mcp.content_catalog import Entry, prompt_allowed, resource_allowed
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.exposure import Exposure
from deepseekeyes.mcp.live import Live
from deepseekeyes.mcp.naming import PROMPT_TOOL, RESOURCE_TOOL
from deepseekeyes.mcp.result import Interpret, tool_blocks
from deepseekeyes.mcp.risk import READ, permitted
from deepseekeyes.mcp.settings import McpSettings
from deepseekeyes.mcp.templates import fits

UNSENT: Any = {"dispatched": "no"}


@dataclass(frozen=True, slots=True)
class Planned:
    """A call that passed the gates.

    Attributes:
        identity: what must still be the same object when the gates are passed again.
        method, params: what goes over the wire.
        label: names the artifact.
        failed: the code when the server answers with an error.
    """

    subject: Subject
    identity: object
    method: str
    params: dict[str, Any]
    label: str
    failed: Code
    interpret: Interpret
    output_schema: Any = None


def _refuse(code: Code, message: str, server_id: str, **fields: object) -> EyesError:
    return EyesError(code, message, details=UNSENT, server=server_id, **fields)


def tool_gate(
    live: Live, exposure: Exposure, settings: McpSettings, name: str, arguments: Mapping[str, Any]
) -> Planned:
    """Live, present, permitted by risk, allowed, unchanged, exposed: in that order.

    Args:
        live: the server's connection.
        exposure: what is shown now.
        settings: the section in force.
        name: raw or public name.
        arguments: what the tool is called with.

    Raises:
        EyesError: MCP_TOOL_UNAVAILABLE, MCP_TOOL_RISK_BLOCKED, MCP_TOOL_NOT_ALLOWED, MCP_TOOL_CHANGED,
            MCP_TOOL_WITHHELD.
    """
    server_id = live.server_id
    server = _configured(live, settings, codes.MCP_TOOL_UNAVAILABLE)
    if not live.tools_ready:
        raise live.tools_error or _refuse(
            codes.MCP_TOOL_UNAVAILABLE, f"The tools of the server {server_id} are not available.", server_id
        )
    tool = live.tools.find(name)
    if tool is None or tool.problem is not None:
        raise _absent(live, name)
    if not permitted(server.risk_policy, tool.classification):
        raise _refuse(
            codes.MCP_TOOL_RISK_BLOCKED,
            f"The server {server_id} is read-only here, and {tool.raw_name} is {tool.classification.risk}.",
            server_id,
        )
    shown = exposure.by_name.get(tool.public_name)
    if shown is None or shown.tool is not tool:
        raise _withheld(live, exposure, tool)
    return Planned(
        subject=Subject(
            server_id,
            server.name or server_id,
            "tool",
            tool.raw_name,
            tool.public_name,
            tool.classification,
            server.risk_policy,
        ),
        identity=tool,
        method="tools/call",
        params={"name": tool.raw_name, "arguments": dict(arguments)},
        label=tool.raw_name,
        failed=codes.MCP_TOOL_CALL_FAILED,
        interpret=tool_blocks,
        output_schema=tool.output_schema,
    )


def _configured(live: Live, settings: McpSettings, code: Code) -> ServerSettings:
    server = settings.servers.get(live.server_id)
    if server is None or not server.enabled:
        raise _refuse(code, f"The server {live.server_id} is not available.", live.server_id)
    return server


def _absent(live: Live, name: str) -> EyesError:
    known = {tool.raw_name for tool in live.tools.tools} | {tool.public_name for tool in live.tools.tools}
    close = nearest(name, known) if known else None
    guess = f"; did you mean {close!r}" if close else ""
    return EyesError(
        codes.MCP_TOOL_UNAVAILABLE,
        f"The server {live.server_id} has no tool {name[:64]!r}{guess}.",
        details={"dispatched": "no", "candidates": [close] if close else []},
        server=live.server_id,
    )


def _withheld(live: Live, exposure: Exposure, tool: Tool) -> EyesError:
    entry = exposure.reason(live.server_id, tool.public_name)
    reason = entry.reason if entry is not None else "not-allowlisted"
    if reason == "definition-changed":
        return _refuse(
            codes.MCP_TOOL_CHANGED,
            f"The definition of {tool.raw_name} changed since it was allowed.",
            live.server_id,
            tool=tool.raw_name,
        )
    if reason in ("denylist", "not-allowlisted"):
        listed = "denied" if reason == "denylist" else "not allowed"
        return _refuse(codes.MCP_TOOL_NOT_ALLOWED, f"The tool {tool.raw_name} is {listed}.", live.server_id)
    return _refuse(
        codes.MCP_TOOL_WITHHELD, f"The tool {tool.raw_name} is withheld: {reason}.", live.server_id, reason=reason
    )


def resource_gate(live: Live, settings: McpSettings, uri: str) -> Planned:
    """Live, switched on, listed (by URI, else by the first template that fits) and allowed.

    Raises:
        EyesError: MCP_CONTENT_INPUT_INVALID, MCP_CONTENT_UNAVAILABLE, MCP_RESOURCES_DISABLED, MCP_RESOURCE_UNKNOWN,
            MCP_RESOURCE_NOT_ALLOWED.
    """
    server_id = live.server_id
    server = _configured(live, settings, codes.MCP_CONTENT_UNAVAILABLE)
    if not uri:
        raise _refuse(codes.MCP_CONTENT_INPUT_INVALID, "A resource needs a URI.", server_id)
    if not server.resources_enabled:
        raise _refuse(codes.MCP_RESOURCES_DISABLED, f"Resources of the server {server_id} are switched off.", server_id)
    _content_ready(live)
    entry, template = _listed(live, uri)
    if entry is None:
        raise _refuse(codes.MCP_RESOURCE_UNKNOWN, f"The server {server_id} lists no resource {uri[:200]!r}.", server_id)
    if not resource_allowed(server_id, server, uri, template):
        raise _refuse(codes.MCP_RESOURCE_NOT_ALLOWED, f"The resource {uri[:200]!r} is not allowed.", server_id)
    return Planned(
        subject=Subject(server_id, server.name or server_id, "resource", uri, RESOURCE_TOOL, READ, server.risk_policy),
        identity=template or uri,
        method="resources/read",
        params={"uri": uri},
        label=f"resource-{uri}",
        failed=codes.MCP_RESOURCE_READ_FAILED,
        interpret=resource_blocks,
    )


def prompt_gate(live: Live, settings: McpSettings, name: str, arguments: Mapping[str, Any]) -> Planned:
    """Live, switched on, listed, allowed, and called with what it declares.

    Raises:
        EyesError: MCP_CONTENT_INPUT_INVALID, MCP_CONTENT_UNAVAILABLE, MCP_PROMPTS_DISABLED, MCP_PROMPT_UNKNOWN,
            MCP_PROMPT_NOT_ALLOWED, MCP_PROMPT_ARGUMENT_INVALID, MCP_PROMPT_ARGUMENT_REQUIRED.
    """
    server_id = live.server_id
    server = _configured(live, settings, codes.MCP_CONTENT_UNAVAILABLE)
    if not name:
        raise _refuse(codes.MCP_CONTENT_INPUT_INVALID, "A prompt needs a name.", server_id)
    if not server.prompts_enabled:
        raise _refuse(codes.MCP_PROMPTS_DISABLED, f"Prompts of the server {server_id} are switched off.", server_id)
    _content_ready(live)
    entry = next((each for each in live.content.prompts if each["name"] == name), None)
    if entry is None:
        raise _refuse(codes.MCP_PROMPT_UNKNOWN, f"The server {server_id} lists no prompt {name[:200]!r}.", server_id)
    if not prompt_allowed(server_id, server, name):
        raise _refuse(codes.MCP_PROMPT_NOT_ALLOWED, f"The prompt {name[:200]!r} is not allowed.", server_id)
    _check_prompt_arguments(server_id, entry, arguments)
    params: dict[str, Any] = {"name": name}
    if arguments:
        params["arguments"] = dict(arguments)
    return Planned(
        subject=Subject(server_id, server.name or server_id, "prompt", name, PROMPT_TOOL, READ, server.risk_policy),
        identity=name,
        method="prompts/get",
        params=params,
        label=f"prompt-{name}",
        failed=codes.MCP_PROMPT_GET_FAILED,
        interpret=prompt_blocks,
    )


def _content_ready(live: Live) -> None:
    if not live.content_ready:
        raise live.content_error or _refuse(
            codes.MCP_CONTENT_UNAVAILABLE,
            f"The resources and prompts of the server {live.server_id} are not available.",
            live.server_id,
        )


def _listed(live: Live, uri: str) -> tuple[Entry | None, str | None]:
    for entry in live.content.resources:
        if entry["uri"] == uri:
            return entry, None
    for entry in live.content.templates:
        if fits(entry["uriTemplate"], uri):
            return entry, entry["uriTemplate"]
    return None, None


def _check_prompt_arguments(server_id: str, entry: Entry, arguments: Mapping[str, Any]) -> None:
    declared = {each["name"]: each["required"] for each in entry["arguments"]}
    for key, value in arguments.items():
        if key not in declared:
            raise _refuse(codes.MCP_PROMPT_ARGUMENT_INVALID, f"The prompt has no argument {key[:64]!r}.", server_id)
        if not isinstance(value, str):
            raise _refuse(
                codes.MCP_PROMPT_ARGUMENT_INVALID, f"The argument {key[:64]!r} of the prompt must be text.", server_id
            )
    missing = [name for name, required in declared.items() if required and name not in arguments]
    if missing:
        raise _refuse(
            codes.MCP_PROMPT_ARGUMENT_REQUIRED, f"The prompt needs the argument {missing[0][:64]!r}.", server_id
        )


def check_sendable(server_id: str, arguments: Mapping[str, Any]) -> None:
    """Refuse arguments that cannot be written as JSON text, before anything is counted or sent.

    Raises:
        EyesError: MCP_INPUT_INVALID.
    """
    try:
        json.dumps(arguments, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError):
        raise _refuse(codes.MCP_INPUT_INVALID, "The arguments are no JSON that can be sent.", server_id) from None
