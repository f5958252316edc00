"""What the MCP server offers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.contracts.document import Document
from deepseekeyes.contracts.model import Contract


class ServedToolRow(Contract):
    """One tool as hosts list it."""

    name: str
    operation: str
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool
    arguments: tuple[str, ...]
    tokens_estimated: int = Field(ge=0)
    description: str


class UnservedRow(Contract):
    """An operation or a managed server's tool that is not served, and why."""

    name: str
    reason: str


class ServedToolList(Document):
    """`deepseekeyes.served-tool-list.v1`: the tools of `mcp serve`, and what is no tool."""

    schema_: Literal["deepseekeyes.served-tool-list.v1"] = Field(
        default="deepseekeyes.served-tool-list.v1", alias="schema"
    )
    items: tuple[ServedToolRow, ...]
    left_out: tuple[UnservedRow, ...]
    truncated: bool = False
    omitted: int = 0


class McpServing(Document):
    """`deepseekeyes.mcp-serving.v1`: where `mcp serve --transport http` is reached; `token`: whether one is needed."""

    schema_: Literal["deepseekeyes.mcp-serving.v1"] = Field(default="deepseekeyes.mcp-serving.v1", alias="schema")
    url: str
    tools: int = Field(ge=0)
    token: bool
