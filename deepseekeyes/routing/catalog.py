"""One catalog entry: which model, behind which engine, serves which capability, within which limits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, ConfigDict, Field, field_validator, model_validator

from deepseekeyes.contracts.settings import Section
from deepseekeyes.core.secrets import SecretRef
from deepseekeyes.routing.capabilities import CapabilityName, IOKind, default_inputs

EngineWord = Literal[
    "openai_chat",
    "anthropic_messages",
    "ollama",
    "local",
    "replay",
    "a1111",
    "comfyui",
    "three_d",
    "exec",
    "option",
]
Convention = Literal["normalized", "pixel", "0-1000", "0-999", "yxyx-1000"]
ThinkingSwitch = Literal[
    "none", "thinking", "enable_thinking", "chat_template_kwargs", "reasoning", "reasoning_effort", "think"
]
ImageFormat = Literal["image/png", "image/jpeg", "image/webp", "image/gif"]

ROUTE_ID = r"^[a-z0-9][a-z0-9._-]*$"
OWN_BODY_KEYS = frozenset({"model", "messages", "stream", "system", "stream_options"})
OWN_HEADERS = frozenset(
    {"host", "content-length", "content-type", "transfer-encoding", "connection", "accept-encoding"}
)


def _listed(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _dated(value: object) -> object:
    return value.isoformat() if isinstance(value, date) and not isinstance(value, datetime) else value


class Limits(Section):
    """What the endpoint takes and how long it may take; pictures are rendered to fit before they are sent."""

    formats: Annotated[tuple[ImageFormat, ...], BeforeValidator(_listed)] = Field(
        default=("image/png", "image/jpeg", "image/webp"),
        min_length=1,
        description="Media types the endpoint decodes; another source is converted.",
    )
    max_side: int | None = Field(default=None, ge=16, le=65536, description="Longest side of a picture in pixels.")
    min_side: int | None = Field(default=None, ge=1, le=4096, description="Shortest side of a picture in pixels.")
    max_pixels: int | None = Field(default=None, ge=256, description="Pixels of one picture.")
    max_bytes: int | None = Field(
        default=15_000_000, ge=1024, description="Encoded bytes of one picture, before base64."
    )
    max_images: int = Field(default=8, ge=1, le=256, description="Pictures in one request.")
    context_tokens: int | None = Field(default=None, ge=256, description="Context window of the model in tokens.")
    max_output_tokens: int | None = Field(default=None, ge=16, description="Largest output budget the endpoint takes.")
    connect_timeout_s: float = Field(default=10.0, gt=0, le=600, strict=False, description="Seconds to connect.")
    first_byte_timeout_s: float = Field(
        default=120.0, gt=0, le=3600, strict=False, description="Seconds from sending to the first byte of the answer."
    )
    idle_timeout_s: float = Field(
        default=60.0, gt=0, le=3600, strict=False, description="Seconds between two bytes of an answer."
    )
    timeout_s: float = Field(default=300.0, gt=0, le=86400, strict=False, description="Seconds for the whole call.")
    max_answer_bytes: int = Field(
        default=8_388_608, ge=1024, le=1_073_741_824, description="Bytes of one answer, as they come over the wire."
    )


class Prices(Section):
    """Money for a million tokens, valid from a date. Without an entry no amount is ever shown."""

    as_of: Annotated[str, BeforeValidator(_dated)] = Field(
        pattern=r"^\d{4}-\d{2}-\d{2}$", description="Day the prices were read, YYYY-MM-DD."
    )
    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$", description="ISO 4217 code.")
    input: float = Field(ge=0, strict=False, description="Uncached input tokens.")
    output: float = Field(ge=0, strict=False, description="Output tokens, reasoning included.")
    cache_read: float | None = Field(default=None, ge=0, strict=False, description="Input tokens read from a cache.")
    cache_write: float | None = Field(default=None, ge=0, strict=False, description="Input tokens written to a cache.")


class Route(Section):
    """One catalog entry, as `[routes.ID]` in config.toml or under `routes` in catalog.json."""

    model_config = ConfigDict(title="Route")

    id: str = Field(pattern=ROUTE_ID, max_length=128, description="Key of the entry.")
    engine: EngineWord = Field(description="How the endpoint is spoken to.")
    model: str = Field(min_length=1, max_length=512, description="Name under which the endpoint serves the model.")
    capabilities: Annotated[tuple[CapabilityName, ...], BeforeValidator(_listed)] = Field(
        min_length=1, description="What the entry serves."
    )
    provider: str = Field(
        default="", max_length=256, pattern=r"^[^/\s]*$", description="Who serves it; the id when absent."
    )
    base_url: str | None = Field(
        default=None, pattern=r"^https?://[^\s/]+(?:/\S*)?$", description="Endpoint, with its version path such as /v1."
    )
    key: SecretRef | None = Field(default=None, description='Credential, as { env = "NAME" }.')
    inputs: Annotated[tuple[IOKind, ...], BeforeValidator(_listed)] = Field(
        default=(), description="Kinds of input the model takes; what its capabilities accept when absent."
    )
    tags: Annotated[tuple[str, ...], BeforeValidator(_listed)] = Field(
        default=(), description="Free labels; `local` and `remote` say where pixels go."
    )
    priority: int = Field(default=100, ge=-1_000_000, le=1_000_000, description="Rank; lower is tried first.")
    enabled: bool = Field(default=True, description="Whether the entry takes part at all.")
    limits: Limits = Field(default_factory=Limits, description="Sizes, times and budgets.")
    coordinates: Convention | None = Field(
        default=None, description="Convention of the boxes this model answers; found by a probe when absent."
    )
    prices: Prices | None = Field(default=None, description="Money for a million tokens.")
    headers: dict[str, SecretRef] = Field(
        default_factory=dict, description="Further request headers; each value is the name of a variable."
    )
    idempotent: bool | None = Field(
        default=None, description="Whether a lost answer may be asked for again; the capability's own rule when absent."
    )
    stream: bool = Field(default=True, description="Whether answers are streamed.")
    allow_http: bool = Field(default=False, description="Whether plain http beyond loopback is allowed.")
    thinking_switch: ThinkingSwitch = Field(default="none", description="How the endpoint turns thinking off.")
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = Field(
        default="max_tokens", description="Name of the output budget in a request."
    )
    usage_convention: Literal["inclusive", "exclusive"] | None = Field(
        default=None, description="Whether input tokens include cached ones; the engine's own rule when absent."
    )
    image_detail: Literal["auto", "low", "high"] | None = Field(
        default=None, description="The `detail` word sent with a picture."
    )
    extra_body: dict[str, Any] = Field(default_factory=dict, description="Further fields of every request body.")
    options: dict[str, Any] = Field(default_factory=dict, description="Settings of the engine itself.")
    notes: str = Field(default="", max_length=4000, description="For people.")
    builtin: bool = Field(default=False, exclude=True, description="Set by the program for entries it carries itself.")

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        filled = dict(value)
        if not filled.get("provider") and isinstance(filled.get("id"), str):
            filled["provider"] = filled["id"]
        names = filled.get("capabilities")
        if not filled.get("inputs") and isinstance(names, list | tuple):
            known = tuple(name for name in names if isinstance(name, str) and name in _CAPABILITY_NAMES)
            filled["inputs"] = default_inputs(known)
        return filled

    @field_validator("capabilities", "inputs", "tags")
    @classmethod
    def _unique(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(value)) != len(value):
            raise ValueError("lists something twice")
        return value

    @field_validator("extra_body")
    @classmethod
    def _extra(cls, value: dict[str, Any]) -> dict[str, Any]:
        taken = sorted(OWN_BODY_KEYS & set(value))
        if taken:
            raise ValueError(f"may not set {', '.join(taken)}")
        return value

    @field_validator("headers")
    @classmethod
    def _headers(cls, value: dict[str, Any]) -> dict[str, Any]:
        bad = [name for name in value if name.lower() in OWN_HEADERS or not re.fullmatch(r"[A-Za-z0-9-]+", name)]
        if bad:
            raise ValueError(f"may not set {', '.join(sorted(bad))}")
        return value

    @field_validator("base_url")
    @classmethod
    def _plain_url(cls, value: str | None) -> str | None:
        if value is not None and "@" in value.split("//", 1)[1].split("/", 1)[0]:
            raise ValueError("may not carry user information; name the key instead")
        return value

    @property
    def label(self) -> str:
        """`provider/model`, as `--route` takes it."""
        return f"{self.provider}/{self.model}"

    @property
    def in_process(self) -> bool:
        """Whether the engine runs inside this process: pixels go nowhere and need no compression."""
        return self.engine == "local"

    @property
    def sees(self) -> bool:
        """Whether text and image input are both declared."""
        return "image" in self.inputs and "text" in self.inputs

    def config_digest(self) -> str:
        """SHA-256 over everything that changes a reading.

        Left out: id, provider's rank, on/off, prices, tags, times, credentials, notes and transport choices.
        """
        from deepseekeyes.core.canonical import digest

        return digest({**_said(self, _READING_FIELDS), "limits": _said(self.limits, _READING_LIMITS)})


def _said(section: Section, names: tuple[str, ...]) -> dict[str, Any]:
    """The fields that differ from their defaults, as JSON values. Written out, since a serializer is slow to build."""
    fields = type(section).model_fields
    values = {name: getattr(section, name) for name in names}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value != fields[name].get_default(call_default_factory=True)
    }


_CAPABILITY_NAMES = frozenset(CapabilityName.__args__)  # type: ignore[attr-defined]
_READING_FIELDS = (
    "engine",
    "provider",
    "model",
    "base_url",
    "inputs",
    "coordinates",
    "thinking_switch",
    "image_detail",
    "extra_body",
    "options",
)
_READING_LIMITS = ("formats", "max_side", "min_side", "max_pixels", "max_bytes", "max_images", "context_tokens")

Origin = Literal["built-in", "catalog.json", "config"]


class Catalog(NamedTuple):
    """Every declared entry in id order, and where each came from."""

    routes: tuple[Route, ...]
    origins: Mapping[str, Origin]

    def get(self, route_id: str) -> Route | None:
        """The entry of this id."""
        return next((route for route in self.routes if route.id == route_id), None)

    def serving(self, name: str) -> tuple[Route, ...]:
        """Entries that declare a capability."""
        return tuple(route for route in self.routes if name in route.capabilities)

    def named(self, text: str) -> tuple[Route, ...]:
        """Entries that `--route TEXT` means: an id, else `provider/model`, which may be shared by several."""
        exact = self.get(text)
        if exact is not None:
            return (exact,)
        return tuple(route for route in self.routes if route.label == text)
