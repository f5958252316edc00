"""The `[browser]` section."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from deepseekeyes.contracts.settings import Section


class Viewport(Section):
    """Size of the page in CSS pixels."""

    width: int = Field(default=1440, ge=320, le=3840, description="Width of the page in CSS pixels.")
    height: int = Field(default=900, ge=240, le=2160, description="Height of the page in CSS pixels.")


class BrowserSettings(Section):
    """A live browser. Off until `enabled`."""

    enabled: bool = Field(default=False, description="Allow browser commands.")
    headless: bool = Field(default=False, description="Run without a window; servers need true.")
    channel: str | None = Field(
        default=None,
        min_length=1,
        max_length=64,
        description="An installed browser by its release channel, such as chrome.",
    )
    executable: Path | None = Field(default=None, description="The browser program; the bundled one when absent.")
    artifacts_dir: Path | Literal[False] = Field(
        default=Path("browser-runs"), description="Folder of runs, relative to the home; false keeps them in memory."
    )
    locale: str = Field(default="zh-CN", min_length=1, max_length=64, description="Language tag that pages are told.")
    timeout_ms: int = Field(default=15_000, ge=1_000, le=120_000, description="Milliseconds for one action.")
    settle_ms: int = Field(
        default=300,
        ge=0,
        le=10_000,
        description="Milliseconds to wait for an action to take effect; once it has, a third of it must be quiet.",
    )
    viewport: Viewport = Field(default_factory=Viewport.model_construct, description="Size of the page.")
    max_elements: int = Field(default=500, ge=20, le=2_000, description="Elements in one observation.")
    max_text_chars: int = Field(
        default=20_000, ge=1_000, le=100_000, description="Characters of page text in one observation."
    )
    history_limit: int = Field(default=8, ge=0, le=32, description="Latest observations a model's context keeps whole.")
    max_pages: int = Field(default=20, ge=1, le=200, description="Pages open at once; further ones are closed again.")
    max_download_bytes: int = Field(
        default=1 << 30,
        ge=0,
        le=1 << 40,
        description="Bytes of all downloads of a session; what runs beyond is cancelled.",
    )
    allow: tuple[str, ...] = Field(
        default=(),
        description="Hosts that pages may be opened on, such as example.org or *.example.org; empty allows any.",
    )
    deny: tuple[str, ...] = Field(default=(), description="Hosts that are never opened; deny wins over allow.")
    subresources: Literal["denied", "allowed", "any"] = Field(
        default="denied",
        description="What pages may fetch: nothing denied or private, or only what allow names too, or anything.",
    )

    @field_validator("allow", "deny")
    @classmethod
    def _filled(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(not entry.strip() for entry in value) or len(set(value)) != len(value):
            raise ValueError("lists an empty or a repeated entry")
        return value
