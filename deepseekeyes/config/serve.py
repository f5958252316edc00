"""The `[serve]` section. The doors lie above the configuration, so their sections are kept here."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, model_validator

from deepseekeyes.contracts.settings import Section
from deepseekeyes.core.secrets import SecretRef


class ServeSettings(Section):
    """The long-running doors: the gateway and the MCP server."""

    upstream_route: str | None = Field(
        default=None,
        min_length=1,
        max_length=512,
        description="Reasoning route behind the gateway: an entry id or provider/model; the plan's first when absent.",
    )
    lock_model: bool = Field(default=False, description="Refuse requests that ask for another model; never fail over.")
    provider_id: str = Field(
        default="deepseekeyes",
        pattern=r"^[a-z0-9][a-z0-9._-]*$",
        max_length=64,
        description="Name under which the gateway presents itself; never the upstream's.",
    )
    display_name: str = Field(
        default="DeepSeekEyes", min_length=1, max_length=128, description="The gateway's name for people."
    )
    host: str = Field(default="127.0.0.1", min_length=1, max_length=255, description="Address to listen on.")
    port: int = Field(default=8765, ge=0, le=65535, description="Port to listen on; 0 picks a free one.")
    mcp_port: int = Field(
        default=8766, ge=0, le=65535, description="Port of `mcp serve --transport http`; 0 picks a free one."
    )
    mcp_groups: tuple[str, ...] = Field(
        default=("vision", "probe", "usage", "doctor"),
        description="Groups of commands that `mcp serve` offers as tools.",
    )
    calls_at_once: int = Field(default=4, ge=1, le=64, description="Calls that run at the same time; others wait.")
    calls_waiting: int = Field(default=32, ge=0, le=10_000, description="Calls that may wait; one more is refused.")
    max_sessions: int = Field(default=64, ge=1, le=10_000, description="Sessions over HTTP that are open at once.")
    session_idle_s: int = Field(
        default=600, ge=1, le=86_400, description="Seconds without a request after which a session over HTTP ends."
    )
    max_text_chars: int = Field(
        default=12_000, ge=500, le=1_000_000, description="Characters of the text beside a structured result."
    )
    max_images: int = Field(default=8, ge=0, le=100, description="Pictures that one result carries.")
    max_image_bytes: int = Field(
        default=20_971_520, ge=1_000, le=536_870_912, description="Bytes of all pictures that one result carries."
    )
    drain_ms: int = Field(
        default=5_000, ge=0, le=600_000, description="Milliseconds that running calls get when the input has ended."
    )
    token: SecretRef | None = Field(
        default=None, description='Bearer token of callers, as { env = "NAME" }; required beyond loopback.'
    )
    origins: tuple[str, ...] = Field(default=(), description="Browser origins that may call; none by default.")
    roots: tuple[Path, ...] = Field(
        default=(), description="Folders whose pictures may be named by path over HTTP; none by default."
    )
    max_request_bytes: int = Field(default=33_554_432, ge=65_536, le=1_073_741_824, description="Bytes of one request.")

    @model_validator(mode="after")
    def _two_names(self) -> ServeSettings:
        if self.upstream_route is not None and self.upstream_route.split("/", 1)[0] == self.provider_id:
            raise ValueError("`upstream_route` names the gateway itself; name the route behind it")
        return self
