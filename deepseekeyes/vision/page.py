"""Evidence over its picture as one self-contained HTML page.

The page loads nothing: picture, style and script are inside, and its own policy forbids everything else. Whatever came
out of pixels or models is escaped text, never markup. Without a script the boxes, the legend, the list and the text on
hover are still there; filter and keyboard need it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files

from deepseekeyes.contracts.evidence import EvidenceRecord
from deepseekeyes.core.geometry import Box, to_pixels
from deepseekeyes.vision.marks import STYLES, Mark, counted

GENERATOR = "deepseekeyes"
"""Value of the page's `generator`, by which a later run knows that it may replace the file."""

LARGE_AREA = 0.02
MOST_LISTED = 10_000

_UNSHOWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_SENTENCES = (
    ("relations", "Relations"),
    ("quantitativeFacts", "Quantities"),
    ("uncertainties", "Uncertainties"),
)


@dataclass(frozen=True, slots=True)
class PagePicture:
    """The upright picture as encoded bytes, with its size in pixels."""

    data: bytes
    media_type: str
    width: int
    height: int


def page(record: EvidenceRecord, picture: PagePicture, marks: Sequence[Mark], *, title: str, sound: bool = True) -> str:
    """One HTML document.

    Args:
        record: what is shown.
        picture: the whole upright picture, in the same pixels that the boxes are fractions of.
        marks: the record's entries (`marks_of`); at most `MOST_LISTED` are shown and the rest is counted.
        title: of the page, usually the name of the picture.
        sound: whether the record's digest matches its content; a page of a changed record says so.
    """
    style, script = asset("page.css"), asset("page.js")
    shown, omitted = marks[:MOST_LISTED], max(0, len(marks) - MOST_LISTED)
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_fingerprint(style)}'; "
        f"script-src '{_fingerprint(script)}'; base-uri 'none'; form-action 'none'"
    )
    parts = (
        "<!doctype html>\n",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
        f'<meta name="generator" content="{GENERATOR}"><meta name="referrer" content="no-referrer">',
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">',
        f"<title>{_text(title)}: evidence</title><style>{style}</style></head><body>",
        *_header(record, title, sound=sound),
        "<main>",
        *_figure(record, picture, shown),
        "</main><aside>",
        *_tools(record, shown, omitted),
        '<div class="rest">',
        *_answer(record),
        *_entries(shown),
        *_sections(record),
        "</div></aside>",
        '<div id="hint" role="tooltip" hidden></div>',
        f"<script>{script}</script></body></html>\n",
    )
    return "".join(parts)


def made_by_us(data: bytes) -> bool:
    """Whether the start of a file says that it is a page of ours."""
    return f'<meta name="generator" content="{GENERATOR}">'.encode() in data[:4096]


@cache
def asset(name: str) -> str:
    """The text of a file that lies beside this module."""
    return files("deepseekeyes.vision").joinpath(name).read_text(encoding="utf-8")


def _fingerprint(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _text(value: object) -> str:
    return escape(_UNSHOWABLE.sub("\ufffd", str(value)))


def _header(record: EvidenceRecord, title: str, *, sound: bool) -> Iterator[str]:
    source, route = record.source, record.route
    frame = f" · frame {source.frame + 1} of {source.frames}" if source.frames > 1 and source.frame >= 0 else ""
    yield f'<header><h1 dir="auto">{_text(title)}</h1>'
    reader = f"read by {_text(route.id)} ({_text(route.verification)})"
    yield f"<p>{source.width} × {source.height} pixels{frame} · {reader}</p>"
    if record.question is not None:
        yield f'<p dir="auto">Question: {_text(record.question)}</p>'
    if not sound:
        yield '<p class="bad">This record was changed after it was written: its digest does not match.</p>'
    yield "</header>"


def _figure(record: EvidenceRecord, picture: PagePicture, marks: Sequence[Mark]) -> Iterator[str]:
    width, height = picture.width, picture.height
    source = f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"
    summary = _text(record.evidence.get("summary", ""))
    yield f'<figure><img src="{source}" width="{width}" height="{height}" alt="{summary}">'
    yield f'<svg viewBox="0 0 {width} {height}" preserveAspectRatio="none" aria-hidden="true">'
    numbered = [(number, mark) for number, mark in enumerate(marks) if mark.box is not None]
    for number, mark in sorted(numbered, key=lambda pair: -_area(pair[1])):
        yield _rectangle(number, mark, width, height)
    if record.region is not None:
        asked = Box(record.region.x, record.region.y, record.region.width, record.region.height)
        yield f'<rect class="asked" {_placed(asked, width, height)}/>'
    yield "</svg></figure>"


def _area(mark: Mark) -> float:
    return mark.box.width * mark.box.height if mark.box is not None else 0.0


def _rectangle(number: int, mark: Mark, width: int, height: int) -> str:
    assert mark.box is not None
    large = " large" if _area(mark) > LARGE_AREA else ""
    place = _placed(mark.box, width, height)
    title = f"<title>{_text(mark.tag)}: {_text(mark.text)}</title>"
    return f'<rect class="{mark.kind}{large}" data-of="e{number}" {place} rx="1">{title}</rect>'


def _placed(box: Box, width: int, height: int) -> str:
    at = to_pixels(box, width, height)
    return f'x="{_n(at.x)}" y="{_n(at.y)}" width="{_n(at.width)}" height="{_n(at.height)}"'


def _n(value: float) -> str:
    """A coordinate with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _tools(record: EvidenceRecord, marks: Sequence[Mark], omitted: int) -> Iterator[str]:
    counts = counted(marks)
    yield '<div class="tools"><ul class="legend">'
    for kind, style in STYLES.items():
        listed = sum(mark.kind == kind for mark in marks)
        if listed:
            drawn = getattr(counts, kind)
            note = f' title="{listed - drawn} without a box"' if drawn < listed else ""
            yield (
                f'<li class="{kind}"{note}><button type="button" data-kind="{kind}" aria-pressed="true">'
                f"<i></i>{style.title} <b>{listed}</b></button></li>"
            )
    if record.region is not None:
        yield '<li class="asked"><button type="button" disabled><i></i>Region asked about</button></li>'
    yield '</ul><div class="view needs-script" hidden>'
    yield '<button type="button" data-view="actual" aria-pressed="false">Actual size</button>'
    yield '<button type="button" data-view="bare" aria-pressed="false">Hide boxes</button></div>'
    yield '<input class="needs-script" id="filter" type="search" placeholder="Filter by text" '
    yield 'aria-label="Filter by text" aria-controls="entries" autocomplete="off" spellcheck="false" hidden>'
    left_out = f"; {omitted} more are in the record" if omitted else ""
    yield f'<p class="status"><span><span id="count" role="status">{len(marks)} entries</span>{left_out}</span>'
    yield '<span class="needs-script" hidden><kbd>/</kbd> filter <kbd>↑</kbd> <kbd>↓</kbd> walk <kbd>Esc</kbd></span>'
    yield "</p></div>"


def _entries(marks: Sequence[Mark]) -> Iterator[str]:
    yield '<ol id="entries" role="listbox" tabindex="0" aria-label="Evidence">'
    for number, mark in enumerate(marks):
        boxless = " boxless" if mark.box is None else ""
        score = f'<span class="score">{mark.confidence:.0%}</span>' if mark.confidence is not None else ""
        more = f'<span class="more" dir="auto">{_text(" · ".join(mark.details))}</span>' if mark.details else ""
        yield (
            f'<li id="e{number}" role="option" aria-selected="false" class="{mark.kind}{boxless}" '
            f'data-kind="{mark.kind}" data-title="{STYLES[mark.kind].title}"><span class="tag">{_text(mark.tag)}</span>'
            f'<span class="text" dir="auto">{_text(mark.text)}</span>{score}{more}</li>'
        )
    yield "</ol>"


def _answer(record: EvidenceRecord) -> Iterator[str]:
    answer = record.evidence.get("answer")
    if isinstance(answer, str):
        yield f'<details class="answer" open><summary>Answer</summary><p dir="auto">{_text(answer)}</p></details>'


def _sections(record: EvidenceRecord) -> Iterator[str]:
    summary = record.evidence.get("summary")
    if isinstance(summary, str):
        yield f'<details open><summary>Summary</summary><p dir="auto">{_text(summary)}</p></details>'
    for key, heading in _SENTENCES:
        sentences = record.evidence.get(key)
        if isinstance(sentences, list) and sentences:
            yield from _section(heading, [str(sentence) for sentence in sentences])
    if record.repairs:
        yield from _section("Repairs", [f"{repair.path}: {repair.action}" for repair in record.repairs])
    yield "<details><summary>Where this comes from</summary><dl>"
    for name, value in _facts(record):
        yield f"<dt>{name}</dt><dd>{_text(value)}</dd>"
    yield "</dl></details>"


def _section(heading: str, sentences: Sequence[str]) -> Iterator[str]:
    yield f"<details><summary>{heading} <span>{len(sentences)}</span></summary><ul>"
    yield from (f'<li dir="auto">{_text(sentence)}</li>' for sentence in sentences[:MOST_LISTED])
    yield "</ul></details>"


def _facts(record: EvidenceRecord) -> Iterable[tuple[str, object]]:
    source, sent = record.source, record.rendition
    yield "Record", record.record_sha256
    yield "Picture", f"{source.sha256} ({source.media_type}, {source.bytes} bytes)"
    yield "Pixels", source.pixel_sha256
    if source.orientation != 1:
        yield "Orientation", f"EXIF {source.orientation}, turned upright"
    if source.converted:
        yield "Converted", ", ".join(source.converted)
    yield "Sent", f"{sent.width} × {sent.height}, {sent.media_type}, scale {sent.scale[0]:.4g} × {sent.scale[1]:.4g}"
    yield "Route", f"{record.route.provider}/{record.route.model}"
    convention = record.coordinates.convention + (", declared" if record.coordinates.declared else "")
    yield "Boxes", convention + (", ambiguous" if record.coordinates.ambiguous else "")
    yield "Contract", f"{record.contract.evidence}, prompt {record.contract.prompt}"
