"""The `[desktop]` section."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator

from deepseekeyes.contracts.settings import Section


class DesktopSettings(Section):
    """Native windows. Off until `enabled`."""

    enabled: bool = Field(default=False, description="Allow desktop commands.")
    backend: Literal["auto", "linux", "wayland", "windows", "macos", "pyautogui"] = Field(
        default="auto",
        description="How the desktop is reached; auto takes the platform's own: on Linux X11 (linux), or wayland when "
        "the session is one and DISPLAY names no X server of its own.",
    )
    visual_mode: Literal["auto", "always", "manual"] = Field(
        default="auto",
        description="When pixels go with an observation: as the policy decides, always, or only when asked for.",
    )
    visual_sparse_actions: bool = Field(
        default=True, description="Show pixels after a click by coordinates in a window whose tree tells too little."
    )
    timeout_ms: int = Field(default=30_000, ge=1_000, le=120_000, description="Milliseconds for one action.")
    lock_timeout_ms: int = Field(
        default=15_000, ge=0, le=120_000, description="Milliseconds to wait while another process acts on the display."
    )
    settle_ms: int = Field(default=300, ge=0, le=10_000, description="Milliseconds of quiet after an action.")
    max_windows: int = Field(default=50, ge=1, le=200, description="Windows in one listing.")
    semantic: bool = Field(default=True, description="Read accessibility trees, where there are any.")
    max_elements: int = Field(default=200, ge=20, le=500, description="Elements in one observation.")
    display: int = Field(
        default=0,
        ge=0,
        le=32,
        description="Monitor to capture, from 1, the last one when there are fewer; 0 = all of them in one picture.",
    )
    history_limit: int = Field(default=8, ge=0, le=32, description="Latest observations a model's context keeps whole.")
    artifacts_dir: Path | Literal[False] = Field(
        default=Path("desktop-runs"), description="Folder of runs, relative to the home; false keeps them in memory."
    )
    allow: tuple[str, ...] = Field(default=(), description="Programs that may be launched; none by default.")
    deny: tuple[str, ...] = Field(
        default=(), description="Programs that are never launched, looked into or acted on; deny wins over allow."
    )
    apps: tuple[str, ...] = Field(
        default=(), description="Programs whose windows may be acted on; empty = all that are not denied."
    )
    abort_corner: Literal["top-left", "top-right", "bottom-left", "bottom-right", "off"] = Field(
        default="top-left", description="A person stops all actions by moving the pointer into this corner."
    )
    screenshot_bytes: int = Field(
        default=4_750_000,
        ge=65_536,
        description="Bytes of one picture that a host takes; larger ones are cut to tiles.",
    )
    screenshot_side: int = Field(default=2_000, ge=64, description="Pixels of one side that a host takes.")
    screenshot_pixels: int = Field(default=40_000_000, ge=4_096, description="Pixels of one picture that a host takes.")
    screenshot_tiles: int = Field(default=20, ge=1, le=200, description="Pictures that a host takes in one message.")
    screenshot_total_bytes: int = Field(
        default=104_857_600, ge=65_536, description="Bytes of all pictures that a host takes in one message."
    )

    @field_validator("visual_mode", "backend", "abort_corner", mode="before")
    @classmethod
    def _lower(cls, value: Any) -> Any:
        return value.strip().lower() if isinstance(value, str) else value

    @field_validator("allow", "deny", "apps")
    @classmethod
    def _filled(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(not entry.strip() for entry in value):
            raise ValueError("lists an empty entry")
        return value
