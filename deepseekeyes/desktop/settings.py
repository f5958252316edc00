"""The `[desktop]` section."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator

from deepseekeyes.contracts.settings import Section


class DesktopSettings(Section):
    """Native windows. Off until `enabled`."""

    enabled: bool = Field(default=False, description="Allow desktop commands.")
    backend: Literal["auto", "linux", "windows", "macos", "pyautogui"] = Field(
        default="auto", description="How the desktop is reached; auto takes the platform's own."
    )
    visual_mode: Literal["auto", "always", "manual"] = Field(
        default="auto",
        description="When pixels go with an observation: as the policy decides, always, or only when asked for.",
    )
    timeout_ms: int = Field(default=30_000, ge=1_000, le=120_000, description="Milliseconds for one action.")
    settle_ms: int = Field(default=300, ge=0, le=10_000, description="Milliseconds of quiet after an action.")
    max_windows: int = Field(default=50, ge=1, le=200, description="Windows in one listing.")
    semantic: bool = Field(default=True, description="Read accessibility trees, where there are any.")
    max_elements: int = Field(default=200, ge=20, le=500, description="Elements in one observation.")
    display: int = Field(
        default=1, ge=1, le=32, description="Display to capture, from 1; the last one when there are fewer."
    )
    history_limit: int = Field(default=8, ge=0, le=32, description="Latest observations a model's context keeps whole.")
    artifacts_dir: Path | Literal[False] = Field(
        default=Path("desktop-runs"), description="Folder of runs, relative to the home; false keeps them in memory."
    )
    allow: tuple[str, ...] = Field(default=(), description="Programs that may be launched; none by default.")
    deny: tuple[str, ...] = Field(default=(), description="Programs that may never be launched; deny wins over allow.")

    @field_validator("visual_mode", "backend", mode="before")
    @classmethod
    def _lower(cls, value: Any) -> Any:
        return value.strip().lower() if isinstance(value, str) else value
