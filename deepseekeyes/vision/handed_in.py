"""Telling a document of ours from the text of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deepseekeyes.contracts.document import ErrorDocument
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import clip
from deepseekeyes.evidence.codes import NOT_JUDGEABLE
from deepseekeyes.evidence.decode import Found, ObjectDecoder
from deepseekeyes.evidence.select import BLANK

_OURS = "deepseekeyes."
_RECORD = "deepseekeyes.evidence-record.v1"
_ERROR = "deepseekeyes.error.v1"
_CARRIERS = "deepseekeyes.evidence-batch"


@dataclass(frozen=True, slots=True)
class Records:
    """Evidence records out of one document, a batch, or JSON lines.

    Attributes:
        several: whether the document was one that can hold several.
        faults: why the text is not strict JSON.
        omitted: records beyond the bound.
    """

    items: tuple[dict[str, Any], ...]
    several: bool
    faults: tuple[str, ...] = ()
    omitted: int = 0


def handed_in(text: str, most: int) -> Records | ErrorDocument | None:
    """The records in a text of ours, the failure it carries, or None when it is a model's words.

    Raises:
        EyesError: NOT_JUDGEABLE, for a document of ours that holds no evidence.
    """
    documents = _documents(text)
    if not documents:
        return None
    first = documents[0].value
    if first["schema"] == _ERROR:
        return _failure(first)
    faults = tuple(dict.fromkeys(fault for document in documents for fault in document.faults))
    if first["schema"] == _RECORD and len(documents) == 1:
        return Records((first,), several=False, faults=faults)
    records = [record for document in documents for record in _records(document.value)]
    return Records(tuple(records[:most]), several=True, faults=faults, omitted=max(0, len(records) - most))


def _failure(document: dict[str, Any]) -> ErrorDocument:
    from pydantic import ValidationError

    try:
        return ErrorDocument.model_validate(document)
    except ValidationError:
        raise EyesError(NOT_JUDGEABLE, "The error document is not one that a command of ours printed.") from None


def _documents(text: str) -> list[Found]:
    """All objects of a text whose first is a document of ours; an empty list for every other text."""
    start = len(text) - len(text.lstrip(BLANK))
    decoder = ObjectDecoder(text)
    found: list[Found] = []
    while text.startswith("{", start):
        read = decoder.read(start)
        if not isinstance(read, Found) or (not found and not _is_ours(read.value)):
            break
        found.append(read)
        start = read.end
        while start < len(text) and text[start] in BLANK:
            start += 1
    return found


def _is_ours(value: dict[str, Any]) -> bool:
    schema = value.get("schema")
    return isinstance(schema, str) and schema.startswith(_OURS)


def _records(document: dict[str, Any]) -> list[dict[str, Any]]:
    schema = document.get("schema")
    if schema == _RECORD:
        return [document]
    if isinstance(schema, str) and not schema.startswith((_CARRIERS, _ERROR)):
        raise EyesError(NOT_JUDGEABLE, f"A document of the kind {clip(schema, 80)} holds no evidence record.")
    items = document.get("items")
    carriers = items if isinstance(items, list) else [document]
    return [item["record"] for item in carriers if isinstance(item, dict) and isinstance(item.get("record"), dict)]
