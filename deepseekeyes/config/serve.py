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
