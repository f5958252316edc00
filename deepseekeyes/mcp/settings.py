"""The `[mcp]` section: the switch, the servers, and every limit of the planes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from deepseekeyes.contracts.settings import Section
from deepseekeyes.mcp.definitions import OAuthSettings, ServerSettings, check_ids

__all__ = ["McpSettings", "OAuthSettings", "ServerSettings"]

MIB = 1024 * 1024


def _unlimited_or(low: int, high: int) -> Any:
    def check(value: int) -> int:
        if value != 0 and not low <= value <= high:
            raise ValueError(f"must be 0 (not bounded) or between {low} and {high}")
        return value

    return AfterValidator(check)


def _place(value: Any) -> Any:
    if value is True or (isinstance(value, str) and not value.strip()):
        raise ValueError("must be a folder, or false")
    return value


class McpSettings(Section):
    """Other people's tools. Off until `enabled`."""

    enabled: bool = Field(default=False, description="Allow connecting to MCP servers.")
    servers: dict[str, ServerSettings] = Field(default_factory=dict, description="Servers by id.")

    max_tools: Annotated[int, _unlimited_or(1, 1000)] = Field(
        default=16, description="Tools shown to a model at once; 0 = not bounded."
    )
    max_schema_tokens: Annotated[int, _unlimited_or(256, 10_000_000)] = Field(
        default=12_000, description="Estimated tokens of the shown definitions, at least 256; 0 = not bounded."
    )
    max_result_chars: int = Field(
        default=20_000, ge=256, le=10_000_000, description="Characters of one result that a model sees."
    )
    max_external_calls_per_run: Annotated[int, _unlimited_or(1, 10_000)] = Field(
        default=64, description="Calls to other people's servers in one run; 0 = not bounded."
    )
    tool_call_timeout_ms: int = Field(default=30_000, ge=100, le=3_600_000, description="Milliseconds for one answer.")
    connect_timeout_ms: int = Field(
        default=30_000, ge=100, le=600_000, description="Milliseconds from starting a server to a usable connection."
    )
    negotiate_timeout_ms: int = Field(
        default=3_000, ge=50, le=60_000, description="Milliseconds for a modern greeting before the older handshake."
    )
    oauth_timeout_ms: int = Field(
        default=15_000, ge=500, le=600_000, description="Milliseconds for signing in to a server: discovery and token."
    )
    run_expiry_s: int = Field(default=86_400, ge=60, le=31_536_000, description="Seconds until a run is forgotten.")
    audit: bool = Field(default=True, description="Write one row a call to the ledger: digests and codes only.")
    artifact_dir: Annotated[str | Literal[False], BeforeValidator(_place)] = Field(
        default="mcp-artifacts", description="Folder of whole results, relative to the home; false writes none."
    )

    max_frame_bytes: int = Field(default=64 * MIB, ge=64 * 1024, le=1024 * MIB, description="Bytes of one message.")
    max_oauth_bytes: int = Field(
        default=256 * 1024, ge=1024, le=16 * MIB, description="Bytes of OAuth metadata or of a token answer."
    )
    max_noise_lines: int = Field(
        default=1_000, ge=0, le=1_000_000, description="Lines on a server's stdout that are no messages."
    )
    max_stderr_bytes: int = Field(
        default=64 * 1024, ge=1024, le=16 * MIB, description="The end of a server's stderr that is kept, bytes."
    )

    max_catalog_tools: int = Field(default=256, ge=1, le=10_000, description="Tools of one server.")
    max_catalog_pages: int = Field(default=256, ge=1, le=10_000, description="Pages of one listing.")
    max_catalog_chars: int = Field(default=1_000_000, ge=1000, le=100_000_000, description="Characters of one catalog.")
    max_catalog_bytes: int = Field(default=4_000_000, ge=1000, le=400_000_000, description="Bytes of one catalog.")
    max_catalog_depth: int = Field(default=64, ge=4, le=150, description="Nesting of one definition.")
    max_catalog_nodes: int = Field(default=100_000, ge=100, le=10_000_000, description="Values of one catalog.")
    max_content_entries: int = Field(
        default=256, ge=1, le=10_000, description="Resources, templates and prompts of one server together."
    )

    max_result_depth: int = Field(default=64, ge=4, le=150, description="Nesting of one result.")
    max_result_nodes: int = Field(default=50_000, ge=100, le=10_000_000, description="Values of one result.")
    max_result_blocks: int = Field(default=4_096, ge=1, le=1_000_000, description="Content blocks of one result.")
    max_result_string_chars: int = Field(
        default=16 * MIB, ge=1000, le=512 * MIB, description="Characters of one result without its images."
    )
    max_images: int = Field(default=8, ge=0, le=1000, description="Images of one result.")
    max_image_encoded_chars: int = Field(
        default=28 * MIB, ge=1000, le=512 * MIB, description="Base64 characters of one result's images."
    )
    max_image_bytes: int = Field(
        default=20 * MIB, ge=1000, le=512 * MIB, description="Decoded bytes of one result's images."
    )

    @model_validator(mode="after")
    def _known_servers(self) -> McpSettings:
        check_ids(self.servers)
        return self

    def timeout_s(self, server: ServerSettings) -> float:
        """How long one answer of a server may take, in seconds."""
        return (server.timeout_ms or self.tool_call_timeout_ms) / 1000
