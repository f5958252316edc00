"""The part of a result that is shown, and its cost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from deepseekeyes.core.canonical import canonical
from deepseekeyes.mcp.blocks import Reading
from deepseekeyes.mcp.lifting import find_hidden
from deepseekeyes.mcp.surface import utf16_length

KEPT = "full block preserved in artifact"
ATTACHED = "delivered as a model attachment"
NOT_KEPT = "raw block omitted because MCP artifact storage is disabled"


def assemble(reading: Reading, value: Any, *, artifacts: bool, delivered: Sequence[str | None]) -> str:
    """One text out of all lines, the structured part last.

    Args:
        reading: the blocks.
        value: the raw result, for its structured content and as the fallback when nothing else is there.
        artifacts: whether whole results are kept, so that the text never claims what is not so.
        delivered: per picture of the reading, its media type if it went to the blob store.
    """
    kept = KEPT if artifacts else NOT_KEPT
    parts: list[str] = []
    for line in reading.lines:
        if line.picture is not None:
            media_type = delivered[line.picture]
            parts.append(f"[image: {media_type or 'unknown'}; {ATTACHED if media_type else kept}]")
        elif line.left_out is not None:
            parts.append(f"[{line.left_out}; {kept}]")
        else:
            parts.append(line.text)
    structured = value.get("structuredContent") if isinstance(value, dict) else None
    if structured is not None:
        parts.append(f"structuredContent: {_without_base64(canonical(structured), kept)}")
    text = "\n".join(parts)
    return text or _without_base64(canonical(value), kept)


def _without_base64(text: str, kept: str) -> str:
    parts, at = [], 0
    for hidden in find_hidden(text):
        parts += [text[at : hidden.start], f"[{hidden.length:,} characters of base64; {kept}]"]
        at = hidden.end
    return "".join((*parts, text[at:]))


def bound(text: str, limit: int) -> tuple[str, int]:
    """At most `limit` UTF-16 units of a text, an ellipsis at the end of a cut one; and how many units were left out."""
    length = utf16_length(text)
    if length <= limit:
        return text, 0
    room = max(0, limit - 1)
    if text.isascii():
        kept = text[:room]
    else:
        kept = text.encode("utf-16-le", "surrogatepass")[: room * 2].decode("utf-16-le", "surrogatepass")
        if kept and "\ud800" <= kept[-1] <= "\udbff":
            kept = kept[:-1]
    return (kept + "…" if limit > 0 else ""), length - utf16_length(kept)


def render(*, sha256: str, size: int, truncated: bool, artifact: str | None, preview: str) -> str:
    """A result as the text that a model gets."""
    lines = ["[DeepSeekEyes MCP result]", f"sha256: {sha256}", f"bytes: {size}", f"truncated: {str(truncated).lower()}"]
    if artifact is not None:
        lines.append(f"artifact: {artifact}")
    return "\n".join((*lines, "preview:", preview))


def result_tokens(rendered: str, images: Sequence[dict[str, Any]]) -> int:
    """Estimated tokens of a rendered result with its images."""
    blocks = [utf16_length(rendered), *(len(json.dumps(image, separators=(",", ":"))) for image in images)]
    return 8 + sum(-(-length // 4) + 4 for length in blocks)
