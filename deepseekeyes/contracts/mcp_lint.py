"""How an MCP server fares against everything a client may do to it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.contracts.check import Check
from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.model import Contract


class McpLintCounts(Contract):
    """How many checks ended how."""

    ok: int
    warning: int
    failed: int
    skipped: int


class McpLint(Document):
    """`deepseekeyes.mcp-lint.v1`: one check a line, and a score of 0 to 100.

    A check that is `ok` counts in full, a `warning` half, a `failed` one nothing; what was skipped does not count.
    `passed` means that none failed. `called` tells whether tools that only read were called.
    """

    schema_: Literal["deepseekeyes.mcp-lint.v1"] = Field(default="deepseekeyes.mcp-lint.v1", alias="schema")
    server: str
    transport: Literal["stdio", "streamable-http"]
    server_name: str | None
    server_version: str | None
    protocol_version: str | None
    tool_count: int
    called: bool
    passed: bool
    score: int = Field(ge=0, le=100)
    counts: McpLintCounts
    checks: tuple[Check, ...]
    duration_ms: int

    def outcome(self) -> Outcome | None:
        return None if self.passed else "verdict"
