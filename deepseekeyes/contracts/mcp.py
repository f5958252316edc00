"""Results, servers and tools of the MCP planes."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.evidence import Persistence
from deepseekeyes.contracts.model import SHA256, Contract

RiskName = Literal["read", "write", "destructive", "unknown-write"]
PlaneStatus = Literal["disabled", "idle", "connecting", "connected", "degraded", "error"]
ContentKind = Literal["tool", "resource", "prompt"]


class McpArtifactRef(Contract):
    """A whole result on disk. `sha256` is the digest of the file's bytes."""

    path: str
    sha256: str = Field(pattern=SHA256)
    bytes: int = Field(ge=0)
    media_type: Literal["application/json"] = "application/json"


class McpResult(Document):
    """`deepseekeyes.mcp-result.v1`: the bounded result of a tool call, a resource or a prompt.

    `sha256` and `bytes` are of the canonical JSON of what the server sent; `preview` is what fits of it as text, with
    `omitted_chars` UTF-16 units left out. `status` is `error` when the server reported its own error.
    """

    schema_: Literal["deepseekeyes.mcp-result.v1"] = Field(default="deepseekeyes.mcp-result.v1", alias="schema")
    server: str
    kind: ContentKind
    name: str
    public_name: str
    status: Literal["success", "error"]
    preview: str
    truncated: bool
    omitted_chars: int = 0
    sha256: str = Field(pattern=SHA256)
    bytes: int = Field(ge=0)
    artifact: McpArtifactRef | None = None
    pictures: tuple[BlobRef, ...] = Field(default=(), alias="images")
    structured: Any = None
    warnings: tuple[str, ...] = ()
    tokens_estimated: int = 0
    duration_ms: int = 0
    run_id: str | None = None
    persistence: Persistence = Persistence()

    def images(self) -> tuple[BlobRef, ...]:
        return self.pictures

    def outcome(self) -> Outcome | None:
        return "verdict" if self.status == "error" else None


class McpPlane(Contract):
    """One plane of one server. `verified_at` is when its counts were last seen live."""

    status: PlaneStatus
    healthy: bool
    error: ErrorBody | None = None
    verified_at: str | None = None


class McpSignInAttempt(Contract):
    """One address that was tried on the way to a token; `status` is None where nothing answered."""

    step: Literal["resource", "authority", "token"]
    url: str
    status: int | None = None
    problem: str | None = None


class McpSignIn(Contract):
    """How signing in to a server with OAuth client credentials stands; never a token.

    `expires_at` is None where there is no token or the server does not say; `attempts` are those of the last discovery.
    """

    status: Literal["idle", "discovering", "authenticated", "connected", "expired", "error"] = "idle"
    authenticated: bool = False
    expires_at: str | None = None
    issuer: str | None = None
    scope: str | None = None
    error: ErrorBody | None = None
    event_at: str | None = None
    attempts: tuple[McpSignInAttempt, ...] = ()


class McpServer(Contract):
    """A configured server, and what is known about it."""

    id: str
    name: str
    enabled: bool
    transport: Literal["stdio", "streamable-http"]
    risk_policy: Literal["allow", "read-only"]
    source: Literal["live", "cache", "none"]
    tools: McpPlane
    content: McpPlane
    latency_ms: int | None = None
    protocol_version: str | None = None
    server_name: str | None = None
    server_version: str | None = None
    tool_count: int | None = None
    exposed_tool_count: int = 0
    withheld_tool_count: int = 0
    resource_count: int | None = None
    resource_template_count: int | None = None
    prompt_count: int | None = None
    schema_tokens_estimated: int = 0
    sign_in: McpSignIn | None = None


class McpServers(Document):
    """`deepseekeyes.mcp-server-list.v1`."""

    schema_: Literal["deepseekeyes.mcp-server-list.v1"] = Field(
        default="deepseekeyes.mcp-server-list.v1", alias="schema"
    )
    enabled: bool
    items: tuple[McpServer, ...]
    truncated: bool = False
    omitted: int = 0


class McpTest(Document):
    """`deepseekeyes.mcp-test.v1`: a server as a fresh connection found it."""

    schema_: Literal["deepseekeyes.mcp-test.v1"] = Field(default="deepseekeyes.mcp-test.v1", alias="schema")
    ok: bool
    server: McpServer
    connect_ms: int | None = None
    close_ms: int | None = None
    noise_lines: int = 0
    stderr_tail: str | None = None
    error: ErrorBody | None = None

    def outcome(self) -> Outcome | None:
        return None if self.ok or self.error is not None else "verdict"

    def failure(self) -> ErrorBody | None:
        return self.error


class McpTool(Contract):
    """A tool that a model may be shown. Schemas are present when asked for."""

    server: str
    name: str
    public_name: str
    title: str | None = None
    description: str
    risk: RiskName
    requires_approval: bool
    tokens_estimated: int
    digest: str = Field(pattern=SHA256)
    parameters: dict[str, Any] | None = None
    input_schema: Any = None
    output_schema: Any = None


class McpWithheldTool(Contract):
    """A tool that is not shown, and why."""

    server: str
    name: str
    public_name: str
    risk: RiskName
    reason: str
    detail: str | None = None


class McpCatalogSource(Contract):
    """Where a server's tools were read from."""

    server: str
    source: Literal["live", "cache", "none"]
    verified_at: str | None = None
    listed: int | None = None
    error: ErrorBody | None = None


class McpTools(Document):
    """`deepseekeyes.mcp-tool-list.v1`: `listed` = the number of `items` + the number of `withheld`."""

    schema_: Literal["deepseekeyes.mcp-tool-list.v1"] = Field(default="deepseekeyes.mcp-tool-list.v1", alias="schema")
    items: tuple[McpTool, ...]
    withheld: tuple[McpWithheldTool, ...]
    listed: int
    sources: tuple[McpCatalogSource, ...]
    schema_tokens_estimated: int
    truncated: bool = False
    omitted: int = 0

    def failure(self) -> ErrorBody | None:
        """The failure of the only server that was asked for."""
        return self.sources[0].error if len(self.sources) == 1 else None


class McpChange(Contract):
    """One place in which a definition differs: a JSON pointer, and both values as text."""

    path: str
    before: str | None
    after: str | None


class McpApproval(Document):
    """`deepseekeyes.mcp-approval.v1`: how a tool differs from the remembered definition, and what was decided."""

    schema_: Literal["deepseekeyes.mcp-approval.v1"] = Field(default="deepseekeyes.mcp-approval.v1", alias="schema")
    server: str
    name: str
    public_name: str
    status: Literal["approved", "pending", "unchanged"]
    pinned: str | None
    present: str
    changes: tuple[McpChange, ...] = ()
    omitted: int = 0
