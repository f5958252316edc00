"""A scene as evidence of the target variant: the literal text that shares words with the question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from deepseekeyes.core.geometry import Box
from deepseekeyes.routing.adapters.local.base_document import ocr_entries
from deepseekeyes.routing.adapters.local.doubts import ALPHABET, SCOPE, TURNS, left_out, orders_found, unsure
from deepseekeyes.routing.adapters.local.lines import Line
from deepseekeyes.routing.adapters.local.scene import Scene, righted
from deepseekeyes.routing.adapters.local.wording import clean, normalised, quote

VERSION = "deepseekeyes.target.v1"
ANSWER_CHARACTERS = 4000
OBSERVATIONS = 200
METHOD = "The answer is text from the picture chosen by words it shares with the question; nothing was inferred."

_STOP = frozenset(
    word
    for words in (
        "a an and any are as at be by can do does for from has have how in into is it its of on or read say says",
        "show shown shows tell text that the there this to was were what when where which who whose why will with",
        "written you",
    )
    for word in words.split()
)
_COLOUR = re.compile(r"colou?r|颜色|顏色|色", re.IGNORECASE)


def answer_document(scene: Scene, question: str) -> dict[str, Any]:
    """The evidence for one question about the picture or crop that was sent."""
    chosen = relevant(scene, question)
    shown = chosen or scene.lines
    facts = _facts(scene, shown)
    if _COLOUR.search(question):
        facts.extend(_colours(scene))
    spoken = [line.text for line in shown] + [f"{symbol.standard} holds: {symbol.text}" for symbol in scene.symbols]
    if _COLOUR.search(question) and not chosen:
        spoken.extend(fact for fact, _, _ in _colours(scene))
    return {
        "schemaVersion": VERSION,
        "answer": clean("\n".join(spoken), ANSWER_CHARACTERS) or "No text was read in this area.",
        "observations": [
            {
                "fact": clean(fact),
                "bbox": normalised(box, scene.width, scene.height),
                "confidence": round(confidence, 4),
            }
            for fact, box, confidence in facts[:OBSERVATIONS]
        ],
        "ocr": ocr_entries(scene),
        "uncertainties": [clean(text) for text in dict.fromkeys(_doubts(scene, bool(chosen)))],
    }


def relevant(scene: Scene, question: str) -> tuple[Line, ...]:
    """Lines that share the most telling words with the question, and what stands on one level with them."""
    asked = words(question)
    told = [words(line.text) for line in scene.lines]
    spread = {word: sum(any(_alike(word, other) for other in line) for line in told) for word in asked}
    scores = [
        sum(1 / spread[word] for word in asked if any(_alike(word, other) for other in line)) if line else 0.0
        for line in told
    ]
    best = max(scores, default=0.0)
    if best == 0.0:
        return ()
    hits = [index for index, score in enumerate(scores) if score >= 0.5 * best]
    boxes = [righted(line.box, scene.turn, scene.width, scene.height) for line in scene.lines]
    kept = {index for index in range(len(boxes)) if any(_level(boxes[index], boxes[hit]) for hit in hits)}
    return tuple(line for index, line in enumerate(scene.lines) if index in kept)


def words(text: str) -> frozenset[str]:
    """Words and numbers without the common ones; Chinese and Japanese by pairs of characters."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    found = {word for word in re.findall(r"[^\W_]+", plain) if word not in _STOP and (len(word) > 1 or word.isdigit())}
    pairs = set()
    for run in re.findall(r"[\u3040-\u30ff\u3400-\u9fff]+", plain):
        pairs |= {run[start : start + 2] for start in range(max(1, len(run) - 1))}
        found.discard(run)
    return frozenset(found | pairs)


def _alike(first: str, second: str) -> bool:
    if first == second:
        return True
    return first.isalpha() and second.isalpha() and _stem(first) == _stem(second)


def _stem(word: str) -> str:
    """An English word without its ending, when at least four letters stay."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _level(first: Box, second: Box) -> bool:
    distance = abs((first.y + first.height / 2) - (second.y + second.height / 2))
    return distance <= 0.4 * min(first.height, second.height)


def _facts(scene: Scene, lines: Sequence[Line]) -> list[tuple[str, Box, float]]:
    found = [(f"Text: {quote(line.text, 2000)}", line.box, line.confidence) for line in lines]
    found.extend((f"{symbol.standard} holds: {symbol.text}", symbol.box, 1.0) for symbol in scene.symbols)
    return found


def _colours(scene: Scene) -> list[tuple[str, Box, float]]:
    whole = Box(0, 0, scene.width, scene.height)
    return [(f"Colour {colour.code} covers {colour.share:.0%} of the area.", whole, 1.0) for colour in scene.colours]


def _doubts(scene: Scene, matched: bool) -> list[str]:
    found = [METHOD, SCOPE]
    if not matched and scene.lines:
        found.append("No line shares a word with the question; all text of the area is given.")
    if scene.lines:
        found.append(ALPHABET)
    if scene.turn:
        found.append(TURNS[scene.turn])
    if scene.illegible:
        found.append(f"Places that look like text but could not be read: {len(scene.illegible)}.")
    return [*found, *left_out(scene), *unsure(scene), *orders_found(scene)]
