"""The MCP server: the SDK's protocol around `Serving`. Imported only by a process that serves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from deepseekeyes import __version__
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.hints import told
from deepseekeyes.serve.pulse import Pulse
from deepseekeyes.serve.resources import Entry
from deepseekeyes.serve.results import Result
from deepseekeyes.serve.serving import Serving, UnknownToolError, unknown_tool
from deepseekeyes.serve.tools import Hints, ServedTool
from deepseekeyes.serve.upstream import UpstreamTool

POLL_S = 1.0
AFTER_LISTING_S = 0.05
KEPT_SESSIONS = 64
# Of the older protocol versions; the newer ones say that the parameters are invalid.
RESOURCE_NOT_FOUND = -32002

# The SDK logs tracebacks with whatever a peer sent; what is worth knowing is said by us.
for _name in ("mcp", "client"):
    logging.getLogger(_name).setLevel(logging.CRITICAL + 1)


class EyesServer(Server[Any]):
    """A server that says in its greeting that its tools may change."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, experimental_capabilities, extensions)


class Protocol:
    """The handlers of one server.

    Args:
        serving: what the handlers ask.
        listed: is called once, after the first listing of tools; from then on a client is busy with itself.
    """

    def __init__(self, serving: Serving, listed: Callable[[], None] = lambda: None) -> None:
        self._serving = serving
        self._listed = listed
        self._sessions: dict[int, Any] = {}
        self._bus = InMemorySubscriptionBus()
        prompts: dict[str, Any] = {}
        if serving.upstream is not None:
            prompts = {"on_list_prompts": self._list_prompts, "on_get_prompt": self._get_prompt}
        self.server = EyesServer(
            "deepseekeyes",
            version=__version__,
            title="DeepSeekEyes",
            instructions=serving.instructions(),
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscriptions_listen=ListenHandler(self._bus, max_subscriptions=KEPT_SESSIONS),
            **prompts,
        )

    async def watch(self) -> None:
        """Follow the configuration; tell every client when its tools may have changed. Runs until cancelled."""
        while True:
            await asyncio.sleep(POLL_S)
            with suppress(EyesError):
                if await self._serving.refresh():
                    self.server.instructions = self._serving.instructions()
                    await self.tools_changed()

    async def tools_changed(self) -> None:
        """Announce a changed tool list in both eras."""
        await self._bus.publish(ToolsListChanged())
        for key, session in list(self._sessions.items()):
            try:
                await session.send_tool_list_changed()
            except Exception:  # noqa: BLE001 - a client that is gone is no failure
                self._sessions.pop(key, None)

    async def _list_tools(self, ctx: Any, _params: Any) -> types.ListToolsResult:
        self._remember(ctx)
        own = [_tool(each) for each in self._serving.own.values()]
        taken = set(self._serving.own)
        managed = [_managed_tool(each) for each in await self._serving.upstream_tools() if each.name not in taken]
        listed, self._listed = self._listed, lambda: None
        asyncio.get_running_loop().call_later(AFTER_LISTING_S, listed)
        return types.ListToolsResult(tools=[*own, *managed], ttl_ms=0, cache_scope="private")

    async def _call_tool(self, ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        self._remember(ctx)
        pulse = Pulse(ctx.session.report_progress)
        try:
            result = await self._serving.call(params.name, params.arguments or {}, pulse.report)
        except UnknownToolError:
            wrong = unknown_tool(params.name, self._serving.own)
            raise MCPError(code=types.INVALID_PARAMS, message=f"{wrong.code.name}: {wrong.message}") from None
        finally:
            await pulse.close()
        return called(result)

    async def _list_resources(self, ctx: Any, _params: Any) -> types.ListResourcesResult:
        self._remember(ctx)
        plain, _ = await _answered(self._serving.resources())
        return types.ListResourcesResult(
            resources=[
                types.Resource(**_entry(each), uri=each.uri, size=each.bytes) for each in plain
            ],
            ttl_ms=0,
            cache_scope="private",
        )  # fmt: skip

    async def _list_templates(self, ctx: Any, _params: Any) -> types.ListResourceTemplatesResult:
        self._remember(ctx)
        _, wide = await _answered(self._serving.resources())
        return types.ListResourceTemplatesResult(
            resource_templates=[types.ResourceTemplate(**_entry(each), uri_template=each.uri) for each in wide],
            ttl_ms=0,
            cache_scope="private",
        )

    async def _read_resource(self, ctx: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        missing = types.INVALID_PARAMS if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS else RESOURCE_NOT_FOUND
        content = await _answered(self._serving.read(str(params.uri)), missing, uri=str(params.uri))
        contents: list[types.TextResourceContents | types.BlobResourceContents] = [
            types.BlobResourceContents(uri=params.uri, mime_type=each.media_type, blob=each.data)
            for each in content.pictures
        ]
        if content.text or not contents:
            text = types.TextResourceContents(uri=params.uri, mime_type=content.media_type, text=content.text)
            contents.insert(0, text)
        return types.ReadResourceResult(
            contents=contents,
            ttl_ms=0,
            cache_scope="private",
        )

    async def _list_prompts(self, _ctx: Any, _params: Any) -> types.ListPromptsResult:
        found = await _answered(self._serving.prompts())
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=name,
                    title=item.title,
                    description=item.description,
                    arguments=[
                        types.PromptArgument(name=each.name, description=each.description, required=each.required)
                        for each in item.arguments
                    ],
                )
                for name, item in found
            ],
            ttl_ms=0,
            cache_scope="private",
        )

    async def _get_prompt(self, _ctx: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        result = await _answered(self._serving.prompt(params.name, params.arguments or {}))
        if result is None:
            raise MCPError(code=types.INVALID_PARAMS, message="There is no allowed prompt of this name.")
        blocks: list[Any] = [types.TextContent(text=result.text)] if result.text else []
        blocks += [types.ImageContent(data=each.data, mime_type=each.media_type) for each in result.pictures]
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=block) for block in blocks])

    def _remember(self, ctx: Any) -> None:
        """Keep one handle a connection, so that changes can be announced; the oldest go first."""
        connection = getattr(ctx.session, "_connection", ctx.session)
        self._sessions.pop(id(connection), None)
        self._sessions[id(connection)] = ctx.session
        while len(self._sessions) > KEPT_SESSIONS:
            self._sessions.pop(next(iter(self._sessions)))


def called(result: Result) -> types.CallToolResult:
    """A result in the protocol's form."""
    content: list[Any] = [types.TextContent(text=text) for text in result.text if text]
    content += [types.ImageContent(data=each.data, mime_type=each.media_type) for each in result.pictures]
    return types.CallToolResult(content=content, structured_content=result.structured, is_error=result.failed)


async def _answered(work: Any, missing: int = types.INVALID_PARAMS, **data: str) -> Any:
    """What a listing or reading brings; a failure becomes the protocol's error with our code in its data.

    Args:
        work: what to wait for.
        missing: the protocol's number for something that is not there.
        data: goes along with the code.
    """
    try:
        return await work
    except EyesError as error:
        number = {"input": missing, "usage": types.INVALID_PARAMS}.get(error.kind, types.INTERNAL_ERROR)
        raise MCPError(
            code=number,
            message=f"{error.code.name}: {error.message}",
            data={"code": error.code.name, "kind": error.kind, "hint": told(ErrorBody.of(error)).hint, **data},
        ) from None


def _tool(tool: ServedTool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=_annotations(tool.hints),
    )


def _managed_tool(tool: UpstreamTool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=dict(tool.input_schema),
        annotations=_annotations(tool.hints),
    )


def _annotations(hints: Hints) -> types.ToolAnnotations:
    return types.ToolAnnotations(
        read_only_hint=hints.read_only,
        destructive_hint=hints.destructive,
        idempotent_hint=hints.idempotent,
        open_world_hint=hints.open_world,
    )


def _entry(entry: Entry) -> dict[str, Any]:
    return {"name": entry.name, "description": entry.description, "mime_type": entry.media_type}
