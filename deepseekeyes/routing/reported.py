"""What an engine says about a model: does it take pictures? Silence is `unknown`, never `no`. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Answered = Literal["yes", "no", "likely", "unknown"]


@dataclass(frozen=True, slots=True)
class Reported:
    """Facts from an engine's own listing.

    Attributes:
        vision: `yes` and `no` were said; `likely` is a hint that a probe has to confirm.
        text: whether it answers in text at all (an embedding model does not).
        source: the field that decided.
    """

    vision: Answered
    text: Answered = "unknown"
    context_tokens: int | None = None
    remote: bool = False
    source: str = ""


def ollama_show(document: Mapping[str, Any]) -> Reported:
    """POST /api/show: the `capabilities` list, else the projector's or the model's own vision fields."""
    info, projector = _object(document, "model_info"), _object(document, "projector_info")
    context = next((value for key, value in info.items() if str(key).endswith(".context_length")), None)
    remote = bool(document.get("remote_host") or document.get("remote_model"))
    listed = _words(document.get("capabilities"))
    window = context if isinstance(context, int) and not isinstance(context, bool) else None
    text: Answered = "unknown" if listed is None else "yes" if "completion" in listed else "no"
    if listed is not None and "vision" in listed:
        return Reported("yes", text, window, remote, "capabilities")
    if projector or any(".vision." in str(key) for key in info):
        return Reported("likely", text, window, remote, "projector_info" if projector else "model_info")
    families = _words(_object(document, "details").get("families")) or ()
    if any(name in ("clip", "mllama") for name in families):
        return Reported("likely", text, window, remote, "details.families")
    if listed is not None:
        return Reported("no", text, window, remote, "capabilities")
    return Reported("unknown", text, window, remote)


def openai_listing(document: Mapping[str, Any], model: str) -> Reported:
    """GET /v1/models: reads the entry of a model under each field that servers use for modalities."""
    for entry in _entries(document, model):
        found = _entry(entry)
        if found.vision != "unknown":
            return found
    return Reported("unknown")


def llama_props(document: Mapping[str, Any]) -> Reported:
    """GET /props of a llama.cpp server: `modalities.vision`."""
    said = _object(document, "modalities").get("vision")
    window = _object(document, "default_generation_settings").get("n_ctx")
    context = window if isinstance(window, int) and not isinstance(window, bool) else None
    if isinstance(said, bool):
        return Reported("yes" if said else "no", "yes", context, source="modalities.vision")
    return Reported("unknown", "unknown", context)


def lists_model(document: Mapping[str, Any], model: str) -> Answered:
    """Whether a listing names a model; `unknown` when there is no listing."""
    rows = [row for name in ("data", "models") for row in _rows(document.get(name))]
    if not rows:
        return "unknown"
    return "yes" if _entries(document, model) else "no"


def _entry(entry: Mapping[str, Any]) -> Reported:
    architecture = _object(entry, "architecture")
    inputs = _words(architecture.get("input_modalities")) or _words(entry.get("input_modalities"))
    if inputs is None:
        inputs = _words(_object(entry, "modalities").get("input"))
    if inputs is not None:
        return Reported("yes" if "image" in inputs else "no", source="input_modalities")
    if entry.get("type") in ("vlm", "llm"):
        return Reported("yes" if entry["type"] == "vlm" else "no", "yes", source="type")
    listed = _words(entry.get("capabilities"))
    if listed is not None:
        sees = "multimodal" in listed or "vision" in listed
        return Reported("yes" if sees else "no", "yes" if "completion" in listed else "unknown", source="capabilities")
    flags = _object(entry, "capabilities")
    if isinstance(flags.get("vision"), bool):
        return Reported("yes" if flags["vision"] else "no", source="capabilities.vision")
    return Reported("unknown")


def _entries(document: Mapping[str, Any], model: str) -> list[Mapping[str, Any]]:
    rows = [row for name in ("data", "models") for row in _rows(document.get(name))]
    return [row for row in rows if model in (row.get("id"), row.get("name"), row.get("model"))]


def _rows(value: object) -> list[Mapping[str, Any]]:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def _object(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = document.get(name)
    return found if isinstance(found, Mapping) else {}


def _words(value: object) -> tuple[str, ...] | None:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return None
    return tuple(word.lower() for word in value if isinstance(word, str))
