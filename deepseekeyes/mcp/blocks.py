"""From content blocks to lines that can be read and pictures that can be looked at."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.admission import decoded_size, over
from deepseekeyes.mcp.codes import (
    INVALID_IMAGE_BASE64,
    MCP_RESULT_IMAGE_COUNT_LIMIT,
    MCP_RESULT_IMAGE_DECODED_LIMIT,
)
from deepseekeyes.mcp.lifting import Hidden, find_hidden
from deepseekeyes.mcp.settings import McpSettings

_TEXTUAL = frozenset(
    {
        "json",
        "xml",
        "yaml",
        "x-yaml",
        "toml",
        "javascript",
        "x-javascript",
        "typescript",
        "x-sh",
        "x-python",
        "sql",
        "csv",
    }
)


@dataclass(frozen=True, slots=True)
class Picture:
    """Image bytes from a result. A lifted one was found inside text and may turn out to be none."""

    data: bytes
    media_type: str | None
    lifted: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One part of the preview: text, a picture by its index, or bytes that only the artifact keeps."""

    text: str = ""
    picture: int | None = None
    left_out: str | None = None


@dataclass(slots=True)
class Reading:
    """What a result's blocks hold. `plain` is false as soon as something is more than text."""

    lines: list[Line] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    plain: bool = True


class BlockReader:
    """Reads blocks one after another; the pictures of all of them are one batch under one budget."""

    def __init__(self, settings: McpSettings) -> None:
        self._settings = settings
        self._bytes = 0
        self.reading = Reading()

    def block(self, block: Any) -> None:
        """Take in one block.

        Raises:
            EyesError: INVALID_IMAGE_BASE64, MCP_RESULT_IMAGE_COUNT_LIMIT, MCP_RESULT_IMAGE_DECODED_LIMIT.
        """
        fields: Mapping[str, Any] = block if isinstance(block, dict) else {}
        kind = fields.get("type")
        if kind == "text" and isinstance(fields.get("text"), str):
            self.text(fields["text"])
            return
        self.reading.plain = False
        match kind:
            case "image" if isinstance(fields.get("data"), str):
                self.image(fields["data"], _word(fields.get("mimeType")))
            case "audio":
                self._note(f"audio: {_word(fields.get('mimeType')) or 'unknown'}")
            case "resource":
                self.resource(fields.get("resource"))
            case "resource_link":
                self._link(fields)
            case _:
                self._note(f"unsupported MCP content: {_word(kind) or 'unknown'}")

    def text(self, text: str) -> None:
        """Take in text; pictures and long base64 inside it are lifted out."""
        at = 0
        for hidden in find_hidden(text):
            if hidden.start > at:
                self.reading.lines.append(Line(text[at : hidden.start]))
            self._hidden(hidden)
            at = hidden.end
        if at < len(text) or not text:
            self.reading.lines.append(Line(text[at:]))

    def image(self, encoded: str, media_type: str | None) -> None:
        """Take in an image block's data."""
        self._room_for(decoded_size(encoded))
        self._add(Picture(decode_strictly(encoded), media_type))

    def resource(self, resource: Any) -> None:
        """Take in an embedded resource: its text, its picture, its bytes as text where they are text, else a line."""
        fields: Mapping[str, Any] = resource if isinstance(resource, dict) else {}
        media_type = _word(fields.get("mimeType"))
        uri = _word(fields.get("uri")) or "unknown"
        head = f"[MCP resource {uri}{f'; {media_type}' if media_type else ''}]"
        if isinstance(fields.get("text"), str):
            self.reading.lines.append(Line(head))
            self.text(fields["text"])
        elif isinstance(fields.get("blob"), str):
            self._blob(fields["blob"], media_type, uri, head)
        else:
            self._note(f"resource: {uri}")

    def structured(self, value: Any) -> None:
        """Lift the pictures out of structured content; one that a block already carried is not taken twice."""
        stack = [value]
        while stack:
            item = stack.pop()
            if isinstance(item, dict):
                stack.extend(reversed(item.values()))
            elif isinstance(item, list):
                stack.extend(reversed(item))
            elif isinstance(item, str):
                for hidden in find_hidden(item):
                    if hidden.picture is not None and hidden.picture not in (
                        each.data for each in self.reading.pictures
                    ):
                        self._hidden(hidden)

    def _blob(self, blob: str, media_type: str | None, uri: str, head: str) -> None:
        self.reading.plain = False
        if media_type is not None and media_type.startswith("image/") and media_type != "image/svg+xml":
            self.image(blob, media_type)
            return
        text = decoded_text(blob, media_type)
        if text is None:
            self._note(f"resource: {uri}; {media_type or 'unknown type'}; about {max(0, decoded_size(blob))} bytes")
            return
        self.reading.lines.append(Line(head))
        self.text(text)

    def _link(self, fields: Mapping[str, Any]) -> None:
        shown = [_word(fields.get(key)) for key in ("uri", "name", "mimeType")]
        self._note("resource: " + "; ".join(word for word in shown if word))

    def _note(self, text: str) -> None:
        self.reading.plain = False
        self.reading.lines.append(Line(left_out=text))

    def _hidden(self, hidden: Hidden) -> None:
        self.reading.plain = False
        fits = (
            hidden.picture is not None
            and len(self.reading.pictures) < self._settings.max_images
            and self._bytes + len(hidden.picture) <= self._settings.max_image_bytes
        )
        if hidden.picture is not None and fits:
            self._add(Picture(hidden.picture, None, lifted=True))
        else:
            self._note(f"{hidden.length:,} characters of base64")

    def _room_for(self, size: int) -> None:
        if len(self.reading.pictures) >= self._settings.max_images:
            raise over(MCP_RESULT_IMAGE_COUNT_LIMIT, "images", self._settings.max_images, "max_images")
        if self._bytes + size > self._settings.max_image_bytes:
            raise over(
                MCP_RESULT_IMAGE_DECODED_LIMIT, "bytes of images", self._settings.max_image_bytes, "max_image_bytes"
            )

    def _add(self, picture: Picture) -> None:
        self._bytes += len(picture.data)
        self.reading.pictures.append(picture)
        self.reading.lines.append(Line(picture=len(self.reading.pictures) - 1))


def decode_strictly(encoded: str) -> bytes:
    """Bytes of canonical base64.

    Raises:
        EyesError: INVALID_IMAGE_BASE64.
    """
    try:
        data = b64decode(encoded, validate=True)
    except (BadBase64, ValueError):
        data = b""
    if not data or b64encode(data).decode() != encoded:
        raise EyesError(INVALID_IMAGE_BASE64, "An image of the result is not valid base64.")
    return data


def decoded_text(blob: str, media_type: str | None) -> str | None:
    """A blob's text when its type or its bytes say that it is text, else None."""
    try:
        data = b64decode(blob, validate=True)
        text = data.decode("utf-8")
    except (BadBase64, ValueError):
        return None
    if media_type is not None and _is_textual(media_type):
        return text
    unknown = media_type is None or media_type == "application/octet-stream"
    return text if unknown and _is_prose(text) else None


def _is_textual(media_type: str) -> bool:
    kind, _, rest = media_type.partition(";")[0].strip().lower().partition("/")
    return kind == "text" or rest in _TEXTUAL or rest.rpartition("+")[2] in _TEXTUAL or rest == "svg+xml"


def _is_prose(text: str) -> bool:
    return not any(letter < " " and letter not in "\t\n\r\f" for letter in text)


def _word(value: Any) -> str | None:
    if not isinstance(value, str) or not value:
        return None
    return " ".join(value[:512].split())
