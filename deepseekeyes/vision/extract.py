"""The pieces of evidence that a question is about, quoted. Nothing is inferred and nothing is worded anew.

A piece counts by the words it shares with the question, rare words more than common ones. What stands on one level
with a hit, or right below it, is likely its value and counts half. Chinese, Japanese and Korean text is compared by
pairs of characters, since it has no blanks between its words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import TYPE_CHECKING, Any, Final, Literal

from deepseekeyes.contracts.answer import Extract
from deepseekeyes.core.geometry import Box
from deepseekeyes.vision.stopwords import STOPWORDS

if TYPE_CHECKING:
    from deepseekeyes.contracts.evidence import EvidenceRecord

MOST: Final = 12
LEAST_SHARE: Final = 0.3
NEIGHBOUR_SHARE: Final = 0.5
DIGITS: Final = 4

_DENSE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(r"\d+(?:[.,:/-]\d+)+|[^\W_]+")
_RUN = re.compile(f"[{_DENSE}]+")
_SPLIT = re.compile(f"([{_DENSE}]+)")

_Kind = Literal["summary", "ocr", "region", "object", "relation", "fact", "observation"]
_PLACED: Final[Mapping[str, tuple[_Kind, str]]] = {
    "ocr": ("ocr", "text"),
    "observations": ("observation", "fact"),
    "objects": ("object", "name"),
    "regions": ("region", "description"),
}
_BARE: Final[Mapping[str, _Kind]] = {"quantitativeFacts": "fact", "relations": "relation"}


@dataclass(frozen=True, slots=True)
class _Piece:
    picture: int
    kind: _Kind
    text: str
    words: frozenset[str]
    box: Box | None = None
    confidence: float | None = None
    score: float = 0.0


def extracts(records: Sequence[EvidenceRecord], question: str, most: int = MOST) -> tuple[Extract, ...]:
    """The most telling pieces, the best first; without any shared word the first lines as they were read, scored 0.

    Args:
        records: validated evidence of the whole pictures.
        question: the user's words.
        most: how many pieces at most.
    """
    pieces = [piece for number, record in enumerate(records) for piece in _pieces(number, record)]
    scored = _with_neighbours(_scored(pieces, words(question)))
    best = max((piece.score for piece in scored), default=0.0)
    if best > 0:
        order = [at for at in range(len(scored)) if scored[at].score >= LEAST_SHARE * best]
        order.sort(key=lambda at: (-scored[at].score, at))
        chosen = _once(scored[at] for at in order)[:most]
    else:
        chosen = [piece for piece in scored if piece.kind in ("ocr", "summary")][:most]
    return tuple(_quoted(piece, records[piece.picture]) for piece in chosen)


def _once(pieces: Iterable[_Piece]) -> list[_Piece]:
    """Without pieces that say nothing but what a better one about the same picture says."""
    kept: list[_Piece] = []
    for piece in pieces:
        told = [one for one in kept if one.picture == piece.picture and one.text == piece.text]
        if not told or (piece.box is not None and all(one.box is not None for one in told)):
            kept.append(piece)
    return kept


def words(text: str) -> frozenset[str]:
    """The telling words of a text: folded, without the commonest, dense scripts as pairs of characters."""
    found: set[str] = set()
    for token in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        for part in _SPLIT.split(token):
            if _RUN.fullmatch(part):
                found |= {part[at : at + 2] for at in range(max(1, len(part) - 1))}
            elif part and part not in STOPWORDS:
                found.add(_stem(part))
    return frozenset(found - STOPWORDS)


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") and word.isascii() else word


def _pieces(number: int, record: EvidenceRecord) -> Iterator[_Piece]:
    evidence = record.evidence
    for name, (kind, field) in _PLACED.items():
        for entry in evidence.get(name) or ():
            told = " ".join([str(entry[field]), *map(str, entry.get("attributes") or ())])
            box, sure = Box(*entry["bbox"]), entry.get("confidence")
            yield _Piece(number, kind, str(entry[field]), words(told), box, sure)
    for name, kind in _BARE.items():
        for text in evidence.get(name) or ():
            yield _Piece(number, kind, str(text), words(str(text)))
    summary = evidence.get("summary")
    if isinstance(summary, str) and summary.strip():
        yield _Piece(number, "summary", summary, words(summary))


def _scored(pieces: Sequence[_Piece], asked: frozenset[str]) -> list[_Piece]:
    """Each shared word counts by its rarity; long pieces weigh their words less."""
    spread = {word: sum(word in piece.words for piece in pieces) for word in asked}
    weight = {word: log(1 + len(pieces) / count) for word, count in spread.items() if count}

    def score(piece: _Piece) -> float:
        shared = sum(weight[word] for word in asked & piece.words)
        return shared / (1 + 0.02 * len(piece.words)) if shared else 0.0

    return [replace(piece, score=score(piece)) for piece in pieces]


def _with_neighbours(pieces: list[_Piece]) -> list[_Piece]:
    best = max((piece.score for piece in pieces), default=0.0)
    hits = [piece for piece in pieces if piece.kind == "ocr" and piece.box and best > 0 and piece.score >= 0.5 * best]

    def lent(piece: _Piece) -> float:
        if piece.kind != "ocr":
            return 0.0
        near = (hit.score for hit in hits if hit is not piece and hit.picture == piece.picture and _beside(hit, piece))
        return NEIGHBOUR_SHARE * max(near, default=0.0)

    return [replace(piece, score=max(piece.score, lent(piece))) for piece in pieces]


def _beside(hit: _Piece, other: _Piece) -> bool:
    """Whether `other` stands on one level with the hit, or directly below it."""
    first, second = hit.box, other.box
    if first is None or second is None:
        return False
    distance = abs((first.y + first.height / 2) - (second.y + second.height / 2))
    if distance <= 0.4 * min(first.height, second.height):
        return True
    below = 0 <= second.y - first.bottom + 1e-6 <= 1.2 * first.height
    return below and min(first.right, second.right) - max(first.x, second.x) > 0


def _quoted(piece: _Piece, record: EvidenceRecord) -> Extract:
    box: Any = tuple(piece.box) if piece.box is not None else None
    return Extract(
        image_sha256=record.source.sha256,
        kind=piece.kind,
        text=piece.text,
        bbox=box,
        confidence=piece.confidence,
        score=round(piece.score, DIGITS),
    )
