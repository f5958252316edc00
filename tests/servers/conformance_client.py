"""Our client planes as the official suite's client: lists what a server offers and calls what the scenario wants.

    python conformance_client.py URL      # MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_CONTEXT

A home of its own is made for each run. A refusal is a result: the suite judges what went over the wire.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.call import CallRequest, call
from deepseekeyes.mcp.tools import ToolsRequest, tools
from deepseekeyes.wiring.app import App
from deepseekeyes.wiring.door import Silent
from deepseekeyes.wiring.mcp import build

ID = "CONFORMANCE_CLIENT_ID"
SECRET = "CONFORMANCE_CLIENT_SECRET"
ARGUMENTS: dict[str, dict[str, Any]] = {"add_numbers": {"a": 5, "b": 3}}
BY_TYPE = {"string": "text", "integer": 7, "number": 1.5, "boolean": True, "array": [], "object": {}, "null": None}


def configured(url: str, context: dict[str, Any]) -> str:
    """The configuration of a run; client credentials when the scenario hands some out."""
    lines = [
        "[mcp]", "enabled = true", "tool_call_timeout_ms = 20000", "[mcp.servers.judge]",
        'transport = "streamable-http"', f"url = {json.dumps(url)}", 'allowed_tools = ["*"]',
    ]  # fmt: skip
    if "client_secret" in context or os.environ.get("MCP_CONFORMANCE_SCENARIO", "").startswith("auth/"):
        lines += [
            "[mcp.servers.judge.oauth]", "enabled = true", f'client_id = {{ env = "{ID}" }}',
            f'client_secret = {{ env = "{SECRET}" }}',
        ]  # fmt: skip
    return "\n".join(lines)


def made_up(schema: Any) -> Any:
    """The least arguments that a schema asks for."""
    if not isinstance(schema, dict):
        return {}
    properties = schema.get("properties") or {}
    return {
        name: value.get("default", value.get("const", BY_TYPE.get(value.get("type"), "text")))
        for name, value in properties.items()
        if isinstance(value, dict)
    }


async def main(url: str) -> None:
    """List, then call each tool once; what the context asks for comes first."""
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "config.toml").write_text(configured(url, context), encoding="utf-8")
        variables = {
            ID: context.get("client_id", "judged"),
            SECRET: context.get("client_secret", "not-much-of-a-secret"),
        }
        environ = {**os.environ, **variables}
        os.environ.update(environ)
        app = App(door=Silent(), home=home, cwd=home, environ=environ, serving=True)
        deps = build(app, keep_open=True)
        try:
            listing = await tools(ToolsRequest(server="judge", schemas=True, refresh=True), deps)
            wanted = [(each["name"], each.get("arguments") or {}) for each in context.get("toolCalls", ())]
            schemas = {item.name: item.input_schema for item in listing.items}
            given = {**ARGUMENTS, "json_schema_echo": {"schema": schemas.get("json_schema_2020_12_tool")}}
            wanted = wanted or [(name, given.get(name) or made_up(schema)) for name, schema in schemas.items()]
            for name, arguments in wanted:
                try:
                    result = await call(CallRequest(server="judge", tool=name, arguments=arguments), deps)
                    sys.stderr.write(f"{name}: {result.status}\n")
                except EyesError as refused:
                    sys.stderr.write(f"{name}: {refused.code.name} {refused.message}\n")
        finally:
            await deps.upstreams.aclose()
            app.close()


if __name__ == "__main__":
    try:
        asyncio.run(main(sys.argv[-1]))
    except EyesError as refused:
        sys.stderr.write(f"{refused.code.name}: {refused.message}\n")
        sys.exit(1)
