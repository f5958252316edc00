"""A server of our protocol, results, guard and HTTP door that offers what the official suite wants to find.

    python conformance_server.py          # prints its address

Only the operations behind it are made up; everything a client meets is the product's.
"""

from __future__ import annotations

import asyncio
import base64
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from deepseekeyes.contracts.mcp_lists import McpPrompt, McpPromptArgument
from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.codes import SERVE_TOOL_UNKNOWN
from deepseekeyes.serve.http_door import bound, run, url_of
from deepseekeyes.serve.http_guard import Guard
from deepseekeyes.serve.mcp_server import Protocol
from deepseekeyes.serve.resources import Content, Entry, unknown
from deepseekeyes.serve.results import Picture, Result, failed
from deepseekeyes.serve.served_door import Report
from deepseekeyes.serve.serving import UnknownToolError
from deepseekeyes.serve.tools import Hints

SCHEMA_2020: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


WITH_HEADER: dict[str, Any] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "query": {"type": "string"}},
    "required": ["region"],
}

READS = Hints(read_only=True, destructive=False, idempotent=True, open_world=False)


@dataclass(frozen=True)
class Offered:
    """A tool as the protocol lists it."""

    name: str
    description: str
    input_schema: dict[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})
    output_schema: dict[str, Any] | None = None
    hints: Hints = READS


def _red() -> str:
    from PIL import Image

    out = BytesIO()
    Image.new("RGB", (1, 1), "red").save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


class Fixtures:
    """Stands where `Serving` stands."""

    upstream = object()

    def __init__(self) -> None:
        tools = (
            Offered("test_simple_text", "Answers with text."),
            Offered("test_image_content", "Answers with a picture."),
            Offered("test_error_handling", "Always fails."),
            Offered("test_tool_with_progress", "Tells how far it is."),
            Offered("json_schema_2020_12_tool", "Has a schema of the newest draft.", SCHEMA_2020),
            Offered("test_custom_headers", "Wants an argument repeated as a header.", WITH_HEADER),
            Offered("test_logging_tool", "Has nothing to log."),
            Offered("test_streaming_elicitation", "Asks nothing."),
            Offered("test_trigger_tool_change", "Announces other tools."),
        )
        self.own = {tool.name: tool for tool in tools}
        self.changed: Callable[[], Awaitable[None]]

    def instructions(self) -> str:
        return "Fixtures of a conformance suite."

    async def refresh(self) -> bool:
        return False

    async def upstream_tools(self) -> tuple[Any, ...]:
        return ()

    async def call(self, name: str, arguments: Mapping[str, Any], report: Report) -> Result:
        del arguments
        if name not in self.own:
            raise UnknownToolError(name)
        if name == "test_error_handling":
            return failed(EyesError(SERVE_TOOL_UNKNOWN, "This tool intentionally returns an error for testing"))
        if name == "test_trigger_tool_change":
            await self.changed()
        if name == "test_image_content":
            return Result({}, (), (Picture(_red(), "image/png"),))
        if name == "test_tool_with_progress":
            for done in (0, 50, 100):
                report(done, 100, f"Completed step {done} of 100")
                await asyncio.sleep(0.2)
        return Result({}, ("This is a simple text response for testing.",))

    async def resources(self) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        plain = Entry("test://static-text", "text", "Always the same text.", "text/plain")
        return (plain,), (Entry("test://template/{id}/data", "template", "Data of an id."),)

    async def read(self, uri: str) -> Content:
        if uri == "test://static-text":
            return Content("This is the content of the static text resource.", "text/plain")
        if uri == "test://static-binary":
            return Content("", "image/png", (Picture(_red(), "image/png"),))
        if uri.startswith("test://template/"):
            number = uri.split("/")[3]
            data = f'{{"id":"{number}","templateTest":true,"data":"Data for ID: {number}"}}'
            return Content(data, "application/json")
        raise unknown(uri)

    async def prompts(self) -> tuple[tuple[str, McpPrompt], ...]:
        arguments = tuple(McpPromptArgument(name=name, description=name, required=True) for name in ("arg1", "arg2"))
        return (
            ("test_simple_prompt", McpPrompt(server="s", name="a", description="No arguments.", allowed=True)),
            ("test_prompt_with_image", McpPrompt(server="s", name="c", description="A picture.", allowed=True)),
            (
                "test_prompt_with_arguments",
                McpPrompt(server="s", name="b", description="Two arguments.", arguments=arguments, allowed=True),
            ),
        )

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> Content | None:
        text = "This is a simple prompt for testing."
        if name == "test_prompt_with_arguments":
            text = f"Prompt with arguments: arg1='{arguments.get('arg1')}', arg2='{arguments.get('arg2')}'"
        pictures = (Picture(_red(), "image/png"),) if name == "test_prompt_with_image" else ()
        return Content(text, "text/plain", pictures)


async def main() -> None:
    """Serve until SIGTERM."""
    from mcp.server.transport_security import TransportSecuritySettings

    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    fixtures: Any = Fixtures()
    open_hosts = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    protocol = Protocol(fixtures)
    fixtures.changed = protocol.tools_changed
    app = protocol.server.streamable_http_app(streamable_http_path="/mcp", transport_security=open_hosts)
    listening = bound("127.0.0.1", 0)
    guard = Guard(app, host="127.0.0.1", token=None, max_bytes=4_000_000)

    async def ready() -> None:
        sys.stdout.write(f'{{"url": "{url_of(listening, "127.0.0.1", "/mcp")}"}}\n')
        sys.stdout.flush()

    await run(guard, listening, stop, ready)


if __name__ == "__main__":
    asyncio.run(main())
