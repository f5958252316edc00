"""From documents and failures to what a tool call returns: structured content, text, and pictures where asked for."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.document import Document, ErrorDocument
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.hints import for_caller, told
from deepseekeyes.serve.tool_text import error_text, text_of

# What every host can show; the protocol leaves the list open, hosts do not.
SHOWABLE = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that travels with a result."""

    data: str
    media_type: str


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool call returns, before it takes the protocol's form.

    Attributes:
        failed: the call did not do what was asked; such a result is never held against the tool's output schema.
    """

    structured: dict[str, Any]
    text: tuple[str, ...]
    pictures: tuple[Picture, ...] = ()
    failed: bool = False
    document: Document | None = field(default=None, compare=False)


def failed(error: EyesError, arguments: Collection[str] = ()) -> Result:
    """A failure, as the error document; its hint is in words of a tool that takes `arguments`."""
    return failed_body(ErrorBody.of(error), arguments)


def failed_body(error: ErrorBody, arguments: Collection[str] = ()) -> Result:
    error = told(error, arguments)
    document = ErrorDocument(error=error)
    return Result(document.to_json(), (error_text(error),), failed=True, document=document)


def done(
    document: Document,
    *,
    max_chars: int,
    pictures: tuple[Picture, ...] = (),
    notes: Iterable[str] = (),
    arguments: Collection[str] = (),
) -> Result:
    """A document. One that carries a failure (a refused action) is a failed call that keeps its whole content.

    Args:
        document: what the operation returned.
        max_chars: characters of the text beside the structured content.
        pictures: what travels along.
        notes: sentences about what does not.
        arguments: of the tool that was called.
    """
    trouble = document.failure()
    said = text_of(document, max_chars)
    structured = document.to_json()
    if trouble is None:
        return Result(_hinted(structured, arguments), (said, *notes), pictures, document=document)
    trouble = told(trouble, arguments)
    if isinstance(structured.get("error"), dict):
        structured = {**structured, "error": {**structured["error"], "hint": trouble.hint}}
    return Result(structured, (error_text(trouble), said, *notes), pictures, failed=True, document=document)


def _hinted(structured: dict[str, Any], arguments: Collection[str]) -> dict[str, Any]:
    hint = structured.get("hint")
    return {**structured, "hint": for_caller(hint, arguments)} if isinstance(hint, str) else structured


def collected(
    refs: Iterable[BlobRef], load: Callable[[str], bytes], *, most: int, max_bytes: int
) -> tuple[tuple[Picture, ...], tuple[str, ...]]:
    """The pictures of a document from the store, and a sentence for each that cannot travel.

    Args:
        refs: in the order of the document; each picture once.
        load: the bytes of a hash.
        most: pictures in all.
        max_bytes: bytes in all.
    """
    taken: list[Picture] = []
    notes: list[str] = []
    room = max_bytes
    for ref in dict.fromkeys(refs):
        name = f"The picture sha256:{ref.sha256}"
        if ref.media_type not in SHOWABLE:
            notes.append(f"{name} is {ref.media_type} and is not shown by hosts.")
        elif len(taken) >= most:
            notes.append(f"{name} is left out: one result carries at most {most} pictures (serve.max_images).")
        elif ref.bytes > room:
            notes.append(f"{name} is left out: one result carries at most {max_bytes} bytes (serve.max_image_bytes).")
        else:
            try:
                data = load(ref.sha256)
            except EyesError as missing:
                notes.append(f"{name} is not in the store: {missing.code.name}.")
                continue
            room -= len(data)
            taken.append(Picture(base64.b64encode(data).decode("ascii"), ref.media_type))
    return tuple(taken), tuple(notes)
