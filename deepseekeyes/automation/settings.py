"""The `[automation]` section: how much a turn and a run may use, and how much of a run is kept at hand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag, WithJsonSchema, field_validator

from deepseekeyes.contracts.settings import Section
from deepseekeyes.core.secrets import SecretRef

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_ORIGIN = re.compile(r"https?://[a-z0-9.\[\]:-]{1,248}")


def _name(value: str) -> str:
    if not _NAME.fullmatch(value):
        raise ValueError("a secret's name has up to 64 lower-case letters, digits, _ and -, a letter first")
    return value


def _origin(value: str) -> str:
    if not _ORIGIN.fullmatch(value):
        raise ValueError("a site is written as https://host or http://host:port, in lower case and without a path")
    return value


SecretName = Annotated[str, AfterValidator(_name), WithJsonSchema({"type": "string", "pattern": f"^{_NAME.pattern}$"})]
Origin = Annotated[str, AfterValidator(_origin), WithJsonSchema({"type": "string", "pattern": f"^{_ORIGIN.pattern}$"})]
MOST_TEXT_BYTES = 16_000_000


class NamedSecret(Section):
    """A secret that is typed by name into certain sites: `[automation.secrets.login]`."""

    value: SecretRef = Field(description="The variable that holds it.")
    origins: tuple[Origin, ...] = Field(
        default=(),
        max_length=64,
        description="The only sites it is typed into, as https://host or http://host:port; none = any control.",
    )

    @field_validator("origins", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value


def _written(value: object) -> Literal["reference", "table"]:
    """Which of the two forms a secret was meant to have."""
    table = isinstance(value, NamedSecret) or (isinstance(value, Mapping) and not value.keys().isdisjoint(_TABLE))
    return "table" if table else "reference"


_TABLE = frozenset(NamedSecret.model_fields)
Held = Annotated[Annotated[SecretRef, Tag("reference")] | Annotated[NamedSecret, Tag("table")], Discriminator(_written)]


class AutomationSettings(Section):
    """Budgets of turns in which a model acts through browser, desktop or MCP, and of one browser or desktop run."""

    context_max_tokens: int = Field(
        default=32_768, ge=0, description="Estimated context of an automated turn, at least 4096; 0 = not bounded."
    )
    calls_per_turn: int = Field(
        default=32, ge=0, le=10_000, description="Automation calls in one turn; 0 = not bounded."
    )
    run_actions: int = Field(default=10_000, ge=0, description="Actions in one run; 0 = not bounded.")
    run_seconds: int = Field(default=86_400, ge=0, description="Seconds one run may last; 0 = not bounded.")
    kept_steps: int = Field(
        default=500,
        ge=10,
        description="Steps a run keeps in memory; with a folder of runs all are on disk, without the rest is counted.",
    )
    report_steps: int = Field(default=2_000, ge=1, description="Steps written out in one report.")
    page_screenshots: int = Field(default=200, ge=0, description="Screenshots embedded in one report page.")
    page_max_bytes: int = Field(
        default=60_000_000, ge=100_000, description="Bytes of screenshots embedded in one report page."
    )
    max_text_bytes: int = Field(
        default=1_000_000, ge=1, le=MOST_TEXT_BYTES, description="Bytes of one text that is typed, as UTF-8."
    )
    script_steps: int = Field(default=1_000, ge=1, description="Steps in one run script.")
    max_script_bytes: int = Field(
        default=4_000_000, ge=1_000, le=64_000_000, description="Bytes of one run script, whatever its steps."
    )
    assert_retry_ms: int = Field(
        default=0, ge=0, le=120_000, description="Milliseconds an assertion is tried again while it does not hold."
    )
    assert_interval_ms: int = Field(
        default=100, ge=10, le=10_000, description="Milliseconds between two tries of an assertion."
    )

    secrets: dict[SecretName, Held] = Field(
        default={},
        max_length=64,
        description="Secrets that a caller may have typed by name, never seeing them: name = { env = VARIABLE }, or a "
        "table of value and origins.",
    )

    @field_validator("context_max_tokens")
    @classmethod
    def _usable(cls, value: int) -> int:
        if 0 < value < 4096:
            raise ValueError(f"must be 0 or at least 4096, not {value}")
        return value
