"""What came in on standard input: raw bytes, or documents of ours and the pictures they name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.document import known_schemas
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.model import SHA256
from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.imaging import codes
from deepseekeyes.imaging.sniff import sniff

Document = dict[str, Any]

PREFIX = "deepseekeyes."
_OURS_CUT = re.compile(rb'^\s*(?:\xef\xbb\xbf)?\s*\{\s*"schema"\s*:\s*"deepseekeyes\.')
_TERMINAL = re.compile("\x1b\\[|[\u2500-\u259f]|^(?:error|hint|warning): ", re.MULTILINE)
_PICTURE_PATH = re.compile(
    r"[^\x00-\x1f<>|\"]{1,1024}\.(?:png|jpe?g|gif|webp|bmp|tiff?|avif|heic|svg|pdf)", re.IGNORECASE
)
_HASH = re.compile(SHA256)
_NO_PICTURES_BELOW = frozenset(
    {"rendition", "evidence", "structured", "structuredContent", "arguments", "delta", "repairs", "coordinates"}
)
_DEPTH = 12
_NAME = 80


class CarriedError(EyesError):
    """The command before the pipe failed; a door prints `document` again, unchanged, and exits by its kind."""

    def __init__(self, document: Document) -> None:
        raised = _error_of(document).raised()
        super().__init__(raised.code, raised.message, details=raised.details)
        self.document = document

    def __reduce__(self) -> tuple[Any, ...]:
        return CarriedError, (self.document,)


def piped_documents(data: bytes, place: str = "Standard input") -> tuple[Document, ...] | None:
    """The documents of ours on standard input, or None when the bytes are something else.

    One JSON object whose `schema` starts with `deepseekeyes.` is a document; further ones after it make a batch.

    Args:
        data: everything that came in.
        place: what to call the place they came from, at the start of a sentence.

    Raises:
        EyesError: `STDIN_EMPTY`, `STDIN_DOCUMENT_INVALID` (one of ours, cut or changed), `STDIN_DOCUMENT_FOREIGN`
            (JSON of someone else, or of another release).
        CarriedError: the only document has `error` set.
    """
    if not data.strip(b" \t\r\n"):
        raise EyesError(codes.STDIN_EMPTY, f"{place} is empty.")
    if sniff(data).media_type != "application/json":
        return None
    try:
        values = tuple(_values(data.decode("utf-8-sig")))
    except (ValueError, RecursionError) as error:
        if _OURS_CUT.match(data):
            raise EyesError(codes.STDIN_DOCUMENT_INVALID, f"{place} holds a document that is not whole.") from error
        raise EyesError(codes.STDIN_DOCUMENT_FOREIGN, f"{place} holds text that is not a document.") from error
    if not all(isinstance(value, dict) and str(value.get("schema")).startswith(PREFIX) for value in values):
        raise EyesError(codes.STDIN_DOCUMENT_FOREIGN, f"{place} holds JSON that is not a document of this tool.")
    _check_versions(values, place)
    failures = [value for value in values if value.get("error") is not None]
    if failures and len(failures) == len(values):
        raise CarriedError(failures[0])
    return values


def _check_versions(documents: Sequence[Document], place: str) -> None:
    for document in documents:
        if document["schema"] not in known_schemas():
            name = str(document["schema"])[:_NAME]
            raise EyesError(codes.STDIN_DOCUMENT_FOREIGN, f"{place} holds a {name}, which this release does not know.")


def check_piped_text(data: bytes) -> None:
    """Raise for text on standard input that shows a mistake in the command line before the pipe.

    Raises:
        EyesError: `STDIN_BARE_PATH` (a file name instead of its bytes), `STDIN_TEXT_OUTPUT` (our own output for
            people), `INPUT_UTF16`.
    """
    found = sniff(data)
    if found.kind == "utf16":
        raise EyesError(codes.INPUT_UTF16, "Standard input is UTF-16 text.")
    if found.media_type != "text/plain":
        return
    text = data[:8192].decode("utf-8", "replace").strip("\ufeff \t\r\n")
    if _PICTURE_PATH.fullmatch(text.splitlines()[0].strip()):
        path = text.splitlines()[0].strip()
        raise EyesError(codes.STDIN_BARE_PATH, "Standard input holds a path, not a picture.", path=_shell_word(path))
    if _TERMINAL.search(text):
        raise EyesError(codes.STDIN_TEXT_OUTPUT, "Standard input holds output meant for people.")


def document_images(document: Mapping[str, Any]) -> list[BlobRef]:
    """The pictures a document names, in its order, each once.

    A record has one, a batch those of its successes, an observation or an action its screenshots, an MCP result its
    images. Renditions, evidence and foreign structured content are never looked into.
    """
    found: dict[str, BlobRef] = {}
    for value in _mappings(document, _DEPTH):
        if _names_picture(value):
            found.setdefault(
                value["sha256"],
                BlobRef(
                    sha256=value["sha256"],
                    media_type=value["mediaType"],
                    bytes=value["bytes"],
                    width=value["width"],
                    height=value["height"],
                ),
            )
    return list(found.values())


def _values(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    position = 0
    while (position := _skip_space(text, position)) < len(text):
        value, position = decoder.raw_decode(text, position)
        yield value


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t\r\n":
        position += 1
    return position


def _mappings(value: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    if depth == 0:
        return
    if isinstance(value, Mapping):
        yield value
        for key, inner in value.items():
            if key not in _NO_PICTURES_BELOW:
                yield from _mappings(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _mappings(inner, depth - 1)


def _names_picture(value: Mapping[str, Any]) -> bool:
    sha256, media_type = value.get("sha256"), value.get("mediaType")
    sizes = [value.get(name) for name in ("bytes", "width", "height")]
    return (
        isinstance(sha256, str)
        and _HASH.fullmatch(sha256) is not None
        and isinstance(media_type, str)
        and media_type.startswith("image/")
        and all(isinstance(size, int) and not isinstance(size, bool) and size >= 0 for size in sizes)
    )


def _error_of(document: Document) -> ErrorBody:
    """The error a document carries; one that breaks its own contract counts as a damaged document."""
    from pydantic import ValidationError

    try:
        return ErrorBody.model_validate(document["error"])
    except ValidationError:
        code: Code = codes.STDIN_DOCUMENT_INVALID
        return ErrorBody(
            code=code.name, kind=code.kind, message="The failure on standard input is not whole.", hint=code.hint
        )


def _shell_word(path: str) -> str:
    import shlex

    return shlex.quote(path)
