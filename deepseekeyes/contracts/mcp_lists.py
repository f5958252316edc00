"""Listings of the Content plane, of runs, of the audit and of kept results."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.model import Contract


class McpResource(Contract):
    """A listed resource (`uri`) or resource template (`uri_template`)."""

    server: str
    uri: str | None = None
    uri_template: str | None = None
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None
    allowed: bool


class McpUnlisted(Contract):
    """A server that could not answer, and why."""

    server: str
    error: ErrorBody


class McpResources(Document):
    """`deepseekeyes.mcp-resource-list.v1`, read live. `failed`: servers whose entries are missing."""

    schema_: Literal["deepseekeyes.mcp-resource-list.v1"] = Field(
        default="deepseekeyes.mcp-resource-list.v1", alias="schema"
    )
    items: tuple[McpResource, ...]
    failed: tuple[McpUnlisted, ...] = ()
    verified_at: str
    truncated: bool = False
    omitted: int = 0

    def outcome(self) -> Outcome | None:
        return "partial" if self.failed else None


class McpPromptArgument(Contract):
    name: str
    description: str | None = None
    required: bool = False


class McpPrompt(Contract):
    """A listed prompt."""

    server: str
    name: str
    title: str | None = None
    description: str | None = None
    arguments: tuple[McpPromptArgument, ...] = ()
    allowed: bool


class McpPrompts(Document):
    """`deepseekeyes.mcp-prompt-list.v1`, read live. `failed`: servers whose entries are missing."""

    schema_: Literal["deepseekeyes.mcp-prompt-list.v1"] = Field(
        default="deepseekeyes.mcp-prompt-list.v1", alias="schema"
    )
    items: tuple[McpPrompt, ...]
    failed: tuple[McpUnlisted, ...] = ()
    verified_at: str
    truncated: bool = False
    omitted: int = 0

    def outcome(self) -> Outcome | None:
        return "partial" if self.failed else None


class McpRun(Contract):
    """A run: its external calls so far, and the markers of its journal."""

    id: str
    calls: int
    limit: int
    started_at: str | None = None
    markers: tuple[dict[str, Any], ...] = ()


class McpRuns(Document):
    """`deepseekeyes.mcp-run-list.v1`. `ended` names the run that was just ended."""

    schema_: Literal["deepseekeyes.mcp-run-list.v1"] = Field(default="deepseekeyes.mcp-run-list.v1", alias="schema")
    items: tuple[McpRun, ...]
    ended: str | None = None
    truncated: bool = False
    omitted: int = 0


class McpAudit(Document):
    """`deepseekeyes.mcp-audit-list.v1`: digests and codes, newest first."""

    schema_: Literal["deepseekeyes.mcp-audit-list.v1"] = Field(default="deepseekeyes.mcp-audit-list.v1", alias="schema")
    enabled: bool
    items: tuple[dict[str, Any], ...]
    truncated: bool = False
    omitted: int = 0


class McpArtifact(Contract):
    """A kept result. `sound` tells whether its bytes still have the digest in its name, None when not looked at."""

    server: str
    label: str
    sha256: str
    path: str
    bytes: int
    at: str
    sound: bool | None = None


class McpArtifacts(Document):
    """`deepseekeyes.mcp-artifact-list.v1`. `content` is there when one was asked for."""

    schema_: Literal["deepseekeyes.mcp-artifact-list.v1"] = Field(
        default="deepseekeyes.mcp-artifact-list.v1", alias="schema"
    )
    items: tuple[McpArtifact, ...]
    content: Any = None
    removed: int = 0
    truncated: bool = False
    omitted: int = 0

    def outcome(self) -> Outcome | None:
        return "verdict" if any(item.sound is False for item in self.items) else None
