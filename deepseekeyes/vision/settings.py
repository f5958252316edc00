"""The `[vision]` section: which eye reads, within which budgets, and how much history travels along."""

from __future__ import annotations

from typing import Any

from pydantic import Field, field_validator, model_validator

from deepseekeyes.contracts.settings import Section
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.routing.local_settings import LocalEyeSettings
from deepseekeyes.vision.batch_settings import BatchSettings

MAX_ROUTES = 64


class VisionSettings(Section):
    """From a picture to evidence and to an answer."""

    route: str | None = Field(
        default=None,
        min_length=1,
        max_length=1024,
        description="The eye to use first: an entry id or provider/model. The plan decides when absent.",
    )
    provider: str | None = Field(
        default=None, min_length=1, max_length=256, description="The eye's provider, instead of `route`."
    )
    model: str | None = Field(
        default=None, min_length=1, max_length=512, description="The eye's served model name; needs `provider`."
    )
    route_priority: tuple[str, ...] = Field(
        default=(),
        max_length=MAX_ROUTES,
        description="Eyes in the order to try, before all others: entry ids or provider/model.",
    )
    reasoning_route: str | None = Field(
        default=None,
        min_length=1,
        max_length=1024,
        description="The model that answers: an entry id or provider/model. The plan decides when absent.",
    )
    reasoning_priority: tuple[str, ...] = Field(
        default=(),
        max_length=MAX_ROUTES,
        description="Models that may answer when the first one fails, in order; no others ever step in.",
    )
    auto_detect: bool = Field(
        default=True, description="Use declared entries with text and image input even where nothing names them."
    )
    active_probe: bool = Field(
        default=True, description="Ask a route once to prove that it sees pixels before its evidence is believed."
    )
    failover_attempts: int = Field(
        default=2, ge=0, le=8, description="Further eyes to try after the first one failed; 0 = none."
    )
    max_clarifications: int = Field(
        default=3, ge=0, le=8, description="Looks back at the pixels that one answer may ask for; 0 = none."
    )
    base_max_tokens: int = Field(
        default=16_384, ge=0, description="Output budget of a whole reading, at least 512; 0 lets the provider choose."
    )
    target_max_tokens: int = Field(
        default=8_192, ge=0, description="Output budget of a targeted look, at least 256; 0 lets the provider choose."
    )
    answer_max_tokens: int = Field(
        default=0, ge=0, description="Output budget of an answer, at least 256; 0 lets the provider choose."
    )
    evidence_chars: int = Field(
        default=48_000,
        ge=2_000,
        le=2_000_000,
        description="Characters of one picture's evidence for a reasoning model, which is told what is left out.",
    )
    answer_max_chars: int = Field(
        default=4_000_000,
        ge=10_000,
        le=64_000_000,
        description="Longest answer of an eye that is searched for evidence.",
    )
    look_timeout_ms: int = Field(
        default=180_000, ge=1_000, le=3_600_000, description="Milliseconds for one targeted look, failover included."
    )
    history_images: int = Field(
        default=8, ge=0, le=32, description="Latest pictures of a conversation whose evidence is kept whole."
    )
    summary_chars: int = Field(
        default=320, ge=64, le=2_000, description="Characters that stand for the evidence of an older picture."
    )
    limits: IntakeLimits = Field(
        default_factory=IntakeLimits.model_construct, description="What a picture may cost before it is decoded."
    )
    local: LocalEyeSettings = Field(
        default_factory=LocalEyeSettings.model_construct, description="What a reading of the local eye may cost."
    )
    batch: BatchSettings = Field(
        default_factory=BatchSettings.model_construct, description="How much a batch does at a time."
    )

    @field_validator("route_priority", "reasoning_priority", mode="before")
    @classmethod
    def _written(cls, value: Any) -> Any:
        """One text with commas or line breaks, a list of texts, or a list of `{ provider, model }` tables."""
        if isinstance(value, str):
            value = [part.strip() for part in value.replace("\n", ",").split(",") if part.strip()]
        if not isinstance(value, list | tuple):
            return value
        return tuple(dict.fromkeys(_reference(item) for item in value))

    @field_validator("base_max_tokens", "target_max_tokens", "answer_max_tokens")
    @classmethod
    def _usable(cls, value: int, info: Any) -> int:
        least = 512 if info.field_name == "base_max_tokens" else 256
        if 0 < value < least:
            raise ValueError(f"must be 0 or at least {least}, not {value}")
        return value

    @model_validator(mode="after")
    def _one_eye(self) -> VisionSettings:
        if self.model is not None and self.provider is None:
            raise ValueError('`model` needs `provider`; or name both as route = "provider/model"')
        if self.route is not None and self.provider is not None:
            raise ValueError("`route` and `provider` both name the eye; keep one of them")
        return self

    @property
    def eye(self) -> str | None:
        """The configured eye as `--route` takes it: an id, `provider/model`, or a provider alone."""
        if self.route is not None or self.provider is None:
            return self.route
        return self.provider if self.model is None else f"{self.provider}/{self.model}"


def _reference(item: Any) -> Any:
    if isinstance(item, dict) and set(item) == {"provider", "model"}:
        return f"{item['provider']}/{item['model']}"
    if not isinstance(item, str) or not item.strip():
        raise ValueError('lists entry ids, "provider/model", or tables of provider and model')
    return item.strip()
