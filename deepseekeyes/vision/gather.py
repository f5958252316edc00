"""What a question is about: pictures as they were named, and records that were handed in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.evidence import EvidenceRecord
from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging import codes
from deepseekeyes.imaging.inputs import Failed
from deepseekeyes.imaging.piped import document_images, piped_documents
from deepseekeyes.store.seal import intact
from deepseekeyes.vision.codes import PIPED_RECORD_INVALID

if TYPE_CHECKING:
    from deepseekeyes.vision.ask_deps import AskDeps
    from deepseekeyes.vision.deps import VisionDeps

RECORD: Final = "deepseekeyes.evidence-record.v1"
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Subject:
    """One picture of a question.

    Attributes:
        sha256: of the picture as it came.
        label: how the user named it.
        data: its bytes; None where only the store may have them.
        base: evidence of the whole picture that was handed in and holds.
        looks: answers to earlier questions about it that were handed in and hold.
        note: what became of a record that was handed in, where the user should know.
    """

    sha256: str
    label: str
    data: bytes | None = None
    base: EvidenceRecord | None = None
    looks: tuple[EvidenceRecord, ...] = ()
    note: str | None = None


async def gather(images: Sequence[str], deps: AskDeps, *, allow_url: bool) -> tuple[Subject, ...]:
    """Every picture once, in the order of the arguments.

    Raises:
        EyesError: the first input that cannot be had, the first failure that a batch on standard input carries;
            `PIPED_RECORD_INVALID`, `STDIN_*`.
        CarriedError: standard input holds the failure of the command before.
    """
    found: dict[str, Subject] = {}
    for text in images:
        documents = piped_documents(deps.stdin()) if text == "-" else None
        if documents is None:
            for subject in await _pictures(text, deps.vision, allow_url=allow_url):
                _join(found, subject)
            continue
        parts = list(_parts(documents))
        for part in parts:
            _join(found, await _of_part(part, deps.vision))
        if not parts:
            raise EyesError(codes.STDIN_NO_PICTURE, "The document on standard input names no picture.")
    return tuple(found.values())


async def picture_of(subject: Subject, deps: VisionDeps) -> Subject:
    """The same subject with its bytes, from the store where it came without any.

    Raises:
        EyesError: `BLOB_*`.
    """
    if subject.data is not None:
        return subject
    loaded = (await _pictures(f"sha256:{subject.sha256}", deps, allow_url=False))[0]
    return replace(subject, data=loaded.data)


def has_pixels(subject: Subject, deps: VisionDeps) -> bool:
    """Whether the picture itself can be had."""
    return subject.data is not None or deps.blobs.has(subject.sha256)


async def _pictures(text: str, deps: VisionDeps, *, allow_url: bool) -> list[Subject]:
    subjects = []
    async for loaded in deps.load((text,), allow_url):
        if isinstance(loaded, Failed):
            raise loaded.error
        subjects.append(Subject(hashlib.sha256(loaded.data).hexdigest(), loaded.label, loaded.data))
    return subjects


def _join(found: dict[str, Subject], subject: Subject) -> None:
    before = found.get(subject.sha256)
    if before is None:
        found[subject.sha256] = subject
        return
    found[subject.sha256] = replace(
        before,
        data=before.data if before.data is not None else subject.data,
        base=before.base or subject.base,
        looks=(*before.looks, *subject.looks),
        note=before.note or subject.note,
    )


def _parts(documents: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Records and failures out of documents, and every other document as it is."""
    for document in documents:
        items = document.get("items")
        carriers = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else [document]
        records = [item for item in carriers if isinstance(item.get("record"), dict) or item.get("error") is not None]
        if document.get("schema") == RECORD or not records:
            yield document
            continue
        for item in records:
            yield item["record"] if isinstance(item.get("record"), dict) else {"error": item["error"]}


async def _of_part(part: Mapping[str, Any], deps: VisionDeps) -> Subject:
    if part.get("error") is not None:
        raise ErrorBody.model_validate(part["error"]).raised()
    if part.get("schema") == RECORD:
        return await _of_record(part, deps)
    pictures = document_images(part)
    if len(pictures) != 1:
        code = codes.STDIN_SEVERAL_PICTURES if pictures else codes.STDIN_NO_PICTURE
        raise EyesError(
            code,
            f"The document on standard input names {len(pictures)} pictures and no record.",
            first=pictures[0].sha256 if pictures else "",
        )
    return (await _pictures(f"sha256:{pictures[0].sha256}", deps, allow_url=False))[0]


async def _of_record(part: Mapping[str, Any], deps: VisionDeps) -> Subject:
    record, note = accepted(part, deps)
    if record is None:
        sha256 = _text(part.get("source"), "sha256")
        if not _HASH.fullmatch(sha256) or not deps.blobs.has(sha256):
            raise EyesError(
                PIPED_RECORD_INVALID, "A record on standard input does not hold, and its picture is not here."
            )
        subject = (await _pictures(f"sha256:{sha256}", deps, allow_url=False))[0]
        return replace(subject, note=note)
    label = _text(part.get("run"), "input") or f"sha256:{record.source.sha256}"
    if record.kind == "base":
        return Subject(record.source.sha256, label, base=record, note=note)
    return Subject(record.source.sha256, label, looks=(record,), note=note)


def accepted(part: Mapping[str, Any], deps: VisionDeps) -> tuple[EvidenceRecord | None, str | None]:
    """A record that was handed in, if it may serve as evidence, and what is to be said about it.

    Where the store has the record of that digest, the stored one serves. One that this home does not have must hold
    against its own digest and against the contract; one that does not is no evidence.
    """
    from deepseekeyes.vision.verify import TRAVELLING, verify_record

    digest = _text(part, "recordSha256")
    content = {name: value for name, value in part.items() if name not in TRAVELLING}
    stored = _stored(_text(part, "cacheKey"), digest, deps)
    if stored is not None:
        changed = None if intact(content) else f"Record {digest[:12]} was changed on its way; the stored one serves."
        return EvidenceRecord.model_validate({**stored, "cacheHit": True}), changed
    if not verify_record(content).valid:
        return None, "A record on standard input does not hold against its digest and contract; its picture was read."
    note = f"Record {digest[:12]} is not of this home; it holds against its own digest."
    return EvidenceRecord.model_validate(content), note


def _stored(key: str, digest: str, deps: VisionDeps) -> dict[str, Any] | None:
    if not _HASH.fullmatch(key) or not _HASH.fullmatch(digest):
        return None
    found = (deps.records.read(key, number) for number in reversed(deps.records.numbers(key)))
    return next((record for record in found if record is not None and record["recordSha256"] == digest), None)


def _text(value: object, name: str) -> str:
    """A text member of a mapping; empty where there is none."""
    found = value.get(name) if isinstance(value, Mapping) else None
    return found if isinstance(found, str) else ""
