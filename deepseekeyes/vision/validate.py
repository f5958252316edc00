"""Judge a model's answer, or re-check an evidence record."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import Field

from deepseekeyes.contracts.document import Document, ErrorDocument
from deepseekeyes.contracts.evidence import Variant
from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.validation import Fault, Validation, Verification, VerificationList
from deepseekeyes.core.errors import EyesError
from deepseekeyes.evidence.bounds import DEFAULT_BOUNDS, AnswerBounds
from deepseekeyes.evidence.codes import INVALID_VISION_EVIDENCE, NOT_JUDGEABLE, TEXT_NOT_UTF8

if TYPE_CHECKING:
    from deepseekeyes.evidence.coordinates import Sent
    from deepseekeyes.vision.handed_in import Records
    from deepseekeyes.vision.verify import Rederive

MOST_RECORDS = 1000


class ValidateRequest(Contract):
    """What to judge.

    `width` and `height` are those of the picture the model was sent, in pixels; `image` names that picture instead, or
    the picture of a record. `convention` is the declared one; without it the answer's own is inferred. Without
    `variant` the answer's version or fields decide.
    """

    file: str
    variant: Variant | None = None
    width: int | None = Field(default=None, ge=1)
    height: int | None = Field(default=None, ge=1)
    convention: str | None = None
    image: str | None = None


@dataclass(frozen=True, slots=True)
class ValidateDeps:
    """What the judge touches.

    Attributes:
        text: the content of a path or of standard input (`-`).
        image: the bytes of a picture as the user names it.
        stored: the picture with that hash where the store still has it whole, else None.
        size: width and height of a picture's upright pixels.
        rederive: see `vision.rederive`.
        bounds: ceilings on an answer.
    """

    text: Callable[[str], str | bytes]
    image: Callable[[str], Awaitable[bytes]]
    stored: Callable[[str], bytes | None]
    size: Callable[[bytes], tuple[int, int]]
    rederive: Rederive
    bounds: AnswerBounds = DEFAULT_BOUNDS


async def validate(request: ValidateRequest, deps: ValidateDeps) -> Document:
    """Select, repair and validate a model's answer, or verify each record of a document of ours.

    Returns:
        `Validation`, `Verification`, `VerificationList`, or the error document that was handed in.

    Raises:
        EyesError: TEXT_NOT_UTF8, NOT_JUDGEABLE, PICTURE_SIZE_NEEDED, UNKNOWN_CONVENTION, and what reading the picture
            raises.
    """
    from deepseekeyes.vision.handed_in import Records, handed_in

    text = decoded(deps.text(request.file), request.file)
    found = handed_in(text, MOST_RECORDS)
    if isinstance(found, ErrorDocument):
        return found
    picture = None if request.image is None else await deps.image(request.image)
    if isinstance(found, Records):
        return _verified(found, picture, deps)
    return _judged(text, request, picture, deps)


def decoded(content: str | bytes, name: str) -> str:
    """Text as UTF-8, with or without a byte-order mark.

    Raises:
        EyesError: TEXT_NOT_UTF8.
    """
    if isinstance(content, str):
        return content
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = "standard input" if name == "-" else "the file"
        raise EyesError(TEXT_NOT_UTF8, f"Byte {error.start} of {where} is not UTF-8 text.", path=name) from None


def _verified(found: Records, picture: bytes | None, deps: ValidateDeps) -> Document:
    from deepseekeyes.vision.verify import verify_record

    def verified(record: Mapping[str, Any]) -> Verification:
        return verify_record(
            record, picture=picture or _stored(record, deps), rederive=deps.rederive, faults=found.faults
        )

    if not found.items:
        raise EyesError(NOT_JUDGEABLE, "The document holds no evidence record.")
    if not found.several:
        return verified(found.items[0])
    items = tuple(verified(record) for record in found.items)
    return VerificationList(
        valid=all(item.valid for item in items), items=items, truncated=found.omitted > 0, omitted=found.omitted
    )


def _stored(record: Mapping[str, Any], deps: ValidateDeps) -> bytes | None:
    source = record.get("source")
    sha256 = source.get("sha256") if isinstance(source, dict) else None
    return deps.stored(sha256) if isinstance(sha256, str) and len(sha256) == 64 else None


def _judged(text: str, request: ValidateRequest, picture: bytes | None, deps: ValidateDeps) -> Validation:
    from deepseekeyes.evidence.reading import examine

    variant = request.variant or _variant(text, deps.bounds)
    try:
        examined = examine(
            text, variant, sent=_sent(request, picture, deps), declared=request.convention, bounds=deps.bounds
        )
    except EyesError as error:
        if error.kind != "contract":
            raise
        fault = Fault(path="/", reason=error.message)
        return Validation(
            input=request.file,
            variant=variant,
            valid=False,
            code=error.code.name,
            message=error.message,
            errors=(fault,),
        )
    faults = examined.problems
    return Validation(
        input=request.file,
        variant=variant,
        valid=not faults,
        code=INVALID_VISION_EVIDENCE.name if faults else None,
        message=faults.sentence if faults else None,
        selected=examined.selected,
        repairs=examined.repairs,
        coordinates=examined.coordinates,
        notes=tuple(Fault(path=note.path, reason=note.reason) for note in examined.notes),
        errors=tuple(Fault(path=fault.path, reason=fault.reason) for fault in faults.items),
        errors_omitted=faults.omitted,
        evidence=None if faults else examined.evidence,
    )


def _sent(request: ValidateRequest, picture: bytes | None, deps: ValidateDeps) -> Sent:
    from deepseekeyes.evidence.coordinates import Sent

    if picture is not None and (request.width is None or request.height is None):
        return Sent(*deps.size(picture))
    return Sent(request.width, request.height)


def _variant(text: str, bounds: AnswerBounds) -> Variant:
    """The variant that an answer's version names, else the one whose free text it has; `base` when neither tells."""
    from deepseekeyes.evidence.schema import shape, variant_of
    from deepseekeyes.evidence.select import select

    for variant in ("base", "target"):
        try:
            value = select(text, variant, bounds=bounds).value
        except EyesError:
            continue
        named = variant_of(value.get("schemaVersion"))
        if named is not None:
            return named
        if shape(variant).headline in value:
            return variant
    return "base"
