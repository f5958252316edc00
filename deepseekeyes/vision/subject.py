"""What a drawing is of: the record that a target means, and the picture of that record."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from deepseekeyes.contracts.evidence import EvidenceRecord
from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging import codes
from deepseekeyes.imaging.inputs import Loaded
from deepseekeyes.imaging.piped import check_piped_text, document_images, piped_documents
from deepseekeyes.imaging.settings import IntakeLimits
from deepseekeyes.imaging.sniff import sniff
from deepseekeyes.store.seal import intact

RECORD = "deepseekeyes.evidence-record.v1"
TRAVELLING = frozenset({"cacheHit", "run", "persistence"})

_REFERENCE = re.compile(r"[0-9a-f]{4,64}")


@dataclass(frozen=True, slots=True)
class ShowDeps:
    """What `show` touches.

    Attributes:
        limits: bounds of the intake.
        find: a stored record by key, digest or the first digits of either.
        load: the bytes of a file, of `sha256:<hex>` or of a URL.
        stdin: everything on standard input.
        read: a picture -> its record, by a route asked for or the planned ones.
        write: puts a file in its place in one step.
        folder: where a drawing goes that has no name.
    """

    limits: IntakeLimits
    find: Callable[[str], dict[str, Any]]
    load: Callable[[str], Awaitable[Loaded]]
    stdin: Callable[[], bytes]
    read: Callable[[Loaded, str | None], Awaitable[EvidenceRecord]]
    write: Callable[[Path, bytes], None]
    folder: Path


@dataclass(frozen=True, slots=True)
class Subject:
    """A record, the bytes of its picture, a title for both, and whether the record's digest matches its content."""

    record: EvidenceRecord
    data: bytes
    title: str
    sound: bool = True


async def subject_of(target: str, route: str | None, deps: ShowDeps) -> Subject:
    """Find the record that a target means, or read the picture that it means.

    Args:
        target: a record file, `-`, the hash or key of a stored record (or its first digits), or a picture.
        route: for reading a picture.
        deps: where records and pictures come from.

    Raises:
        EyesError: `DRAWING_SEVERAL_RECORDS`, `DRAWING_RECORD_INVALID`, `DRAWING_PICTURE_MISSING`, and what loading and
            reading raise.
        CarriedError: standard input holds the failure of the command before.
    """
    if target == "-":
        data = deps.stdin()
        documents = piped_documents(data)
        if documents is None:
            check_piped_text(data)
            return await _read(Loaded(data, "-", "stdin"), route, deps)
        return await _of_documents(documents, target, route, deps)
    if _REFERENCE.fullmatch(target) and not _is_file(target):
        return await _of_reference(target, route, deps)
    loaded = await deps.load(target)
    if sniff(loaded.data).media_type == "application/json":
        documents = piped_documents(loaded.data, "The file")
        return await _of_documents(documents or (), target, route, deps)
    return await _read(loaded, route, deps)


async def _of_reference(target: str, route: str | None, deps: ShowDeps) -> Subject:
    try:
        found = deps.find(target)
    except EyesError as missing:
        if missing.code.name != "RECORD_NOT_FOUND" or len(target) != 64:
            raise
        try:
            loaded = await deps.load(f"sha256:{target}")
        except EyesError:
            raise missing from None
        return await _read(loaded, route, deps)
    return await _of_record(found, target, deps)


async def _of_documents(documents: Sequence[dict[str, Any]], target: str, route: str | None, deps: ShowDeps) -> Subject:
    records = [record for document in documents for record in _records(document)]
    if len(records) > 1:
        raise EyesError(
            codes.DRAWING_SEVERAL_RECORDS,
            f"The document holds {len(records)} records; one drawing is of one.",
            first=str(records[0].get("recordSha256"))[:64],
        )
    if records:
        return await _of_record(records[0], target, deps)
    pictures = [picture for document in documents for picture in document_images(document)]
    if len(pictures) > 1:
        raise EyesError(
            codes.STDIN_SEVERAL_PICTURES,
            f"The document names {len(pictures)} pictures; one is wanted here.",
            first=pictures[0].sha256,
        )
    if not pictures:
        raise EyesError(codes.STDIN_NO_PICTURE, "The document names no picture.")
    return await _read(await deps.load(f"sha256:{pictures[0].sha256}"), route, deps)


def _records(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if document.get("schema") == RECORD:
        yield dict(document)
        return
    items = document.get("items")
    for carrier in items if isinstance(items, list) else [document]:
        if isinstance(carrier, dict) and isinstance(carrier.get("record"), dict):
            yield carrier["record"]


async def _of_record(document: dict[str, Any], target: str, deps: ShowDeps) -> Subject:
    try:
        record = EvidenceRecord.model_validate(document)
    except ValidationError as error:
        raise EyesError(
            codes.DRAWING_RECORD_INVALID,
            "This document does not have the form of an evidence record.",
            record=target,
        ) from error
    sound = intact({name: value for name, value in document.items() if name not in TRAVELLING})
    picture = await _picture(record, target, deps)
    return Subject(record, picture, title_of(record), sound)


async def _picture(record: EvidenceRecord, target: str, deps: ShowDeps) -> bytes:
    """The picture of a record: from the store, else from the file it was read from or one beside the record."""
    wanted = record.source.sha256
    named = record.run.input if record.run is not None else None
    beside = [named, str(Path(target).with_name(Path(named).name))] if named is not None and named != "-" else []
    for text in (f"sha256:{wanted}", *(name for name in beside if _is_file(name))):
        try:
            data = (await deps.load(text)).data
        except EyesError:
            continue
        if hashlib.sha256(data).hexdigest() == wanted:
            return data
    raise EyesError(codes.DRAWING_PICTURE_MISSING, "The picture of this record is not at hand.")


async def _read(loaded: Loaded, route: str | None, deps: ShowDeps) -> Subject:
    record = await deps.read(loaded, route)
    return Subject(record, loaded.data, title_of(record, loaded.label))


def title_of(record: EvidenceRecord, label: str | None = None) -> str:
    """The name of the picture without its folder, or the start of its hash where it had no name."""
    named = label if label is not None else record.run.input if record.run is not None else None
    if named is None or named == "-" or named.startswith(("sha256:", "data:")):
        return f"sha256:{record.source.sha256[:12]}"
    return named.rstrip("/").rsplit("/", 1)[-1].rsplit("\\", 1)[-1] or named


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False
