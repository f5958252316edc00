"""Short pointers that stand for older pictures, and finding them again in a text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from deepseekeyes.core.redact import clip
from deepseekeyes.vision.inert import inert

if TYPE_CHECKING:
    from deepseekeyes.contracts.evidence import Source

PRESERVED: Final = "[DeepSeekEyes preserved image]"
POINTER_VERSION: Final = 1
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A picture that can be looked at again by its hash."""

    image_sha256: str
    media_type: str
    bytes: int | None = None
    width: int | None = None
    height: int | None = None
    name: str | None = None
    summary: str | None = None


def pointer_of(source: Source, *, name: str | None, summary: str | None, summary_chars: int) -> Pointer:
    """The pointer to a picture.

    Args:
        source: the picture.
        name: how the user called it.
        summary: what it shows; blanks are folded and it is cut to `summary_chars`, the ellipsis included.
        summary_chars: the longest summary.
    """
    told = clip(" ".join(summary.split()), summary_chars) if summary else None
    return Pointer(source.sha256, source.media_type, source.bytes, source.width, source.height, name, told or None)


def pointer_text(pointer: Pointer) -> str:
    """The pointer as a model gets it: the marker's line, then JSON."""
    attachment: dict[str, Any] = {
        "attachmentId": f"sha256:{pointer.image_sha256}",
        "mediaType": pointer.media_type,
        "bytes": pointer.bytes,
        "width": pointer.width,
        "height": pointer.height,
    }
    if pointer.name is not None:
        attachment["name"] = pointer.name
    told: dict[str, Any] = {
        "version": POINTER_VERSION,
        "imageSha256": pointer.image_sha256,
        "attachment": attachment,
    }
    if pointer.summary is not None:
        told["summary"] = pointer.summary
    return f"{PRESERVED}\n{inert(told)}"


def read_pointer(text: str) -> Pointer | None:
    """The pointer in a text; anything that is not exactly one is ordinary text and grants nothing."""
    marker, _, body = text.partition("\n")
    if marker != PRESERVED:
        return None
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or told.get("version") != POINTER_VERSION or isinstance(told["version"], bool):
        return None
    sha256, attachment = told.get("imageSha256"), told.get("attachment")
    if not isinstance(sha256, str) or not _HASH.fullmatch(sha256) or not isinstance(attachment, dict):
        return None
    if not isinstance(attachment.get("attachmentId"), str) or not isinstance(attachment.get("mediaType"), str):
        return None
    return Pointer(
        sha256,
        attachment["mediaType"],
        _count(attachment.get("bytes")),
        _count(attachment.get("width")),
        _count(attachment.get("height")),
        _text(attachment.get("name")),
        _text(told.get("summary")),
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
