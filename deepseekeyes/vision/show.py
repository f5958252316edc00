"""Draw evidence over its upright picture, as PNG or as one self-contained HTML page."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from deepseekeyes.contracts.evidence import EvidenceRecord
from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.shown import Shown
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.names import safe_name
from deepseekeyes.imaging import codes
from deepseekeyes.vision.subject import ShowDeps, Subject, subject_of

if TYPE_CHECKING:
    from deepseekeyes.imaging.decode import Decoded

Format = Literal["png", "html"]

FORMATS: Mapping[str, Format] = {".png": "png", ".html": "html", ".htm": "html"}


class ShowRequest(Contract):
    """What to draw and where to.

    Attributes:
        target: a record file, `-`, the hash or key of a stored record (or its first digits), or a picture, which is
            read first.
        out: a file whose name ends in .png or .html; beside the caller when absent.
        force: replace a file that is no earlier drawing.
        route: for reading a picture.
    """

    target: str = Field(min_length=1)
    out: str | None = Field(default=None, min_length=1)
    force: bool = False
    route: str | None = Field(default=None, min_length=1, max_length=1024)


async def show(request: ShowRequest, deps: ShowDeps) -> Shown:
    """Write a drawing of evidence and say what was written.

    An earlier drawing of ours is replaced; any other file only with `force`, and the original picture never.

    Raises:
        EyesError: `DRAWING_*`, what loading and decoding raise, and what reading a picture raises.
    """
    from deepseekeyes.imaging.decode import SHEET, decode
    from deepseekeyes.vision.marks import counted, marks_of

    if request.out is not None:
        _format(Path(request.out))
    subject = await subject_of(request.target, request.route, deps)
    record = subject.record
    path = Path(request.out) if request.out is not None else deps.folder / _name(subject)
    replaced = _may_write(path, record, force=request.force)
    frame = record.source.frame
    decoded = decode(subject.data, deps.limits, "sheet" if frame == SHEET else frame)
    if (decoded.source.width, decoded.source.height) != (record.source.width, record.source.height):
        raise EyesError(
            codes.DRAWING_RECORD_INVALID, "The record gives another size than its picture has.", record=request.target
        )
    form = _format(path)
    content = _overlay(subject, decoded) if form == "png" else _page(subject, decoded)
    deps.write(path, content)
    marks = marks_of(record)
    return Shown(
        path=str(path),
        format=form,
        sha256=hashlib.sha256(content).hexdigest(),
        bytes=len(content),
        width=decoded.source.width,
        height=decoded.source.height,
        boxes=counted(marks),
        undrawn=sum(mark.box is None for mark in marks),
        replaced=replaced,
        record_sha256=record.record_sha256,
        picture=record.source.blob(),
    )


def _name(subject: Subject) -> str:
    stem = Path(subject.title).stem if not subject.title.startswith("sha256:") else subject.record.source.sha256[:12]
    return f"{safe_name(stem)}.evidence.html"


def _format(path: Path) -> Format:
    form = FORMATS.get(path.suffix.lower())
    if form is None:
        raise EyesError(codes.DRAWING_FORMAT_UNSUPPORTED, "A drawing is written as .png or .html.")
    return form


def _may_write(path: Path, record: EvidenceRecord, *, force: bool) -> bool:
    """Whether an earlier file gives way; refuses where it must not.

    Raises:
        EyesError: `DRAWING_FOLDER_MISSING`, `DRAWING_OVER_SOURCE`, `DRAWING_EXISTS`.
    """
    from deepseekeyes.imaging.draw import drawn_by_us
    from deepseekeyes.vision.page import made_by_us

    if not path.parent.is_dir():
        raise EyesError(
            codes.DRAWING_FOLDER_MISSING, f"There is no folder {path.parent}.", folder=_shell_word(str(path.parent))
        )
    if not path.exists():
        return False
    if not path.is_file():
        raise EyesError(codes.DRAWING_EXISTS, f"{path} is there and is not a file.")
    if path.stat().st_size == record.source.bytes and _digest(path) == record.source.sha256:
        raise EyesError(codes.DRAWING_OVER_SOURCE, f"{path} is the original picture.")
    with path.open("rb") as file:
        start = file.read(4096)
    if not (force or drawn_by_us(start) or made_by_us(start)):
        raise EyesError(codes.DRAWING_EXISTS, f"{path} is there and is no drawing of this tool.")
    return True


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _shell_word(text: str) -> str:
    import shlex

    return shlex.quote(text)


def _overlay(subject: Subject, decoded: Decoded) -> bytes:
    from deepseekeyes.imaging.draw import draw, png
    from deepseekeyes.vision.marks import legend_of, marks_of, outlines_of

    marks = marks_of(subject.record)
    return png(draw(decoded.image, outlines_of(marks, subject.record), legend_of(marks, subject.record)))


def _page(subject: Subject, decoded: Decoded) -> bytes:
    from deepseekeyes.imaging.rendition import RenditionSpec, render
    from deepseekeyes.vision.marks import marks_of
    from deepseekeyes.vision.page import PagePicture, page

    shown = render(decoded, RenditionSpec()).pictures[0]
    picture = PagePicture(shown.data, shown.media_type, shown.width, shown.height)
    text = page(subject.record, picture, marks_of(subject.record), title=subject.title, sound=subject.sound)
    return text.encode()
