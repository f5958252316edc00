"""From a raw result to what is shown, stored and accounted."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.core.canonical import canonical
from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.mcp.admission import admit_result
from deepseekeyes.mcp.artifact_files import ArtifactFiles
from deepseekeyes.mcp.blocks import BlockReader
from deepseekeyes.mcp.codes import MCP_RESULT_INVALID
from deepseekeyes.mcp.images import store_batch
from deepseekeyes.mcp.preview import assemble, bound, render, result_tokens
from deepseekeyes.mcp.settings import McpSettings
from deepseekeyes.store.blobs import Blobs

LARGEST = 2**1023

Interpret = Callable[[Any, BlockReader], None]


@dataclass(frozen=True, slots=True)
class Sink:
    """Where a result goes, and under which bounds."""

    settings: McpSettings
    limits: IntakeLimits
    artifacts: ArtifactFiles
    blobs: Blobs | None


@dataclass(frozen=True, slots=True)
class Bounded:
    """A result within its limits.

    Attributes:
        preview: the text that is shown; `omitted_chars` UTF-16 units were left out of it.
        sha256, bytes: of the canonical JSON of the raw result, which are the artifact's bytes.
        artifact: where those bytes lie, or None when they were not kept.
        images: pictures in the blob store, in order.
        structured: the structured content when it fits the preview's limit.
        tokens: estimated tokens of the rendered result.
    """

    preview: str
    truncated: bool
    omitted_chars: int
    sha256: str
    bytes: int
    artifact: Path | None
    images: tuple[BlobRef, ...]
    structured: Any
    tokens: int


def process(value: Any, sink: Sink, *, server: str, label: str, interpret: Interpret) -> Bounded:
    """Admit a raw result, then read, store and bound it. Nothing is hashed, decoded or written before admission.

    Args:
        value: the result as it came over the wire.
        sink: where it goes.
        server, label: name the artifact.
        interpret: feeds the value's blocks to the reader.

    Raises:
        EyesError: MCP_RESULT_*, INVALID_IMAGE_BASE64, UNSUPPORTED_IMAGE_TYPE, MCP_TOOL_RESULT_FAILED.
    """
    admit_result(value, sink.settings)
    value, text = _canonical(value)
    data = text.encode()
    sha256 = hashlib.sha256(data).hexdigest()
    reader = BlockReader(sink.settings)
    interpret(value, reader)
    stored = store_batch(reader.reading.pictures, sink.blobs, sink.limits)
    delivered = [None if ref is None else ref.media_type for ref in stored]
    whole = assemble(reader.reading, value, artifacts=sink.artifacts.enabled, delivered=delivered)
    preview, omitted = bound(whole, sink.settings.max_result_chars)
    kept = omitted > 0 or not reader.reading.plain
    artifact = sink.artifacts.write(server, label, sha256, data) if kept else None
    images = tuple(dict.fromkeys(ref for ref in stored if ref is not None))
    rendered = render(
        sha256=sha256,
        size=len(data),
        truncated=omitted > 0,
        artifact=None if artifact is None else str(artifact),
        preview=preview,
    )
    return Bounded(
        preview=preview,
        truncated=omitted > 0,
        omitted_chars=omitted,
        sha256=sha256,
        bytes=len(data),
        artifact=artifact,
        images=images,
        structured=_small(value, sink.settings.max_result_chars),
        tokens=result_tokens(rendered, [image.model_dump(by_alias=True) for image in images]),
    )


def tool_blocks(value: Any, reader: BlockReader) -> None:
    """The blocks of a `tools/call` result and the pictures of its structured content.

    Raises:
        EyesError: MCP_RESULT_INVALID when the result is no object.
    """
    if not isinstance(value, dict):
        raise EyesError(MCP_RESULT_INVALID, "The result is not an object.", details={"dispatched": "yes"})
    content = value.get("content")
    for block in content if isinstance(content, list) else ():
        reader.block(block)
    if "structuredContent" in value:
        reader.structured(value["structuredContent"])


def sendable(value: Any) -> Any:
    """The value with numbers that JSON cannot hold written as text: `"NaN"`, `"Infinity"`, digits beyond a double."""
    if isinstance(value, dict):
        return {key: sendable(member) for key, member in value.items()}
    if isinstance(value, list):
        return [sendable(member) for member in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, int) and abs(value) >= LARGEST:
        return str(value)
    return value


def _canonical(value: Any) -> tuple[Any, str]:
    """The value and its canonical text. It was admitted, so its nesting is bounded."""
    try:
        return value, canonical(value)
    except EyesError:
        pass
    try:
        made = sendable(value)
        return made, canonical(made)
    except (EyesError, ValueError) as refused:
        raise EyesError(
            MCP_RESULT_INVALID, "The result holds a number that cannot be written.", details={"dispatched": "yes"}
        ) from refused


def _small(value: Any, limit: int) -> Any:
    structured = value.get("structuredContent") if isinstance(value, dict) else None
    if structured is None or len(canonical(structured)) > limit:
        return None
    return structured
