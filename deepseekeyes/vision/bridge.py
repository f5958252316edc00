"""Evidence as the text that a reasoning model gets in the place of pictures: bounded, text first, only ever data."""

from __future__ import annotations

import ntpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from deepseekeyes.core.redact import clip
from deepseekeyes.vision.inert import inert

if TYPE_CHECKING:
    from deepseekeyes.contracts.evidence import EvidenceRecord

IMAGE_EVIDENCE: Final = "[DeepSeekEyes image evidence]"
CLARIFICATION_EVIDENCE: Final = "[DeepSeekEyes clarification evidence]"
OPEN: Final = "<deepseekeyes-evidence>"
CLOSE: Final = "</deepseekeyes-evidence>"

HEADLINES: Final = ("answer", "summary")
LISTS: Final = ("ocr", "observations", "quantitativeFacts", "uncertainties", "regions", "objects", "relations")
HEADLINE_SHARE: Final = 0.15
TEXT_SHARE: Final = 0.7
BOX_DIGITS: Final = 4
NAME_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class Bounded:
    """Evidence cut to a size.

    Attributes:
        evidence: the text that was read comes first, every list in its own order.
        left_out: how many entries of a list, or characters of a headline, did not fit.
    """

    evidence: dict[str, Any]
    left_out: dict[str, int] = field(default_factory=dict)


def evidence_text(record: EvidenceRecord, *, name: str | None, limit: int) -> str:
    """What is known about a picture, for a model that does not see it.

    Args:
        record: validated evidence of the whole picture.
        name: how the user called the picture.
        limit: characters of the evidence itself.
    """
    source = record.source
    told = {
        "imageSha256": source.sha256,
        "attachmentId": f"sha256:{source.sha256}",
        "name": clip(_without_folders(name), NAME_CHARS) if name else None,
        "original": {
            "mediaType": source.media_type,
            "width": source.width,
            "height": source.height,
            "bytes": source.bytes,
            "frames": source.frames,
        },
        **_vouched(record, limit),
    }
    return _wrapped(IMAGE_EVIDENCE, told)


def _without_folders(name: str) -> str:
    """The name of a picture; where it lies on this machine is nothing that a model has to know."""
    absolute = name.startswith(("/", "\\\\")) or ntpath.isabs(name)
    return ntpath.basename(name) or name if absolute else name


def look_text(record: EvidenceRecord, *, limit: int) -> str:
    """What a second look at a picture found."""
    told: dict[str, Any] = {"imageSha256": record.source.sha256, "question": record.question}
    if record.region is not None:
        told["region"] = record.region.model_dump(mode="json")
    return _wrapped(CLARIFICATION_EVIDENCE, {**told, **_vouched(record, limit)})


def bounded(evidence: Mapping[str, Any], limit: int) -> Bounded:
    """Evidence of at most `limit` characters (of its JSON text).

    Text that was read has the first claim, up to 70 %; an answer or a summary has 15 % of its own; what the other lists
    leave goes to the text again.
    """
    left_out: dict[str, int] = {}
    room = limit
    headlines = {}
    for name in HEADLINES:
        text = evidence.get(name)
        if isinstance(text, str):
            headlines[name] = clip(text, max(1, int(limit * HEADLINE_SHARE)))
            if len(headlines[name]) < len(text):
                left_out[name] = len(text) - len(headlines[name]) + 1
            room -= _size(headlines[name])
    entries = {name: [_short(entry) for entry in evidence.get(name) or ()] for name in LISTS}
    sizes = {name: [_size(entry) for entry in entries[name]] for name in LISTS}
    first = LISTS[0]
    text_room = min(room, int(limit * TEXT_SHARE))
    kept = {first: _fitting(sizes[first], text_room)}
    rest = room - sum(sizes[first][: kept[first]])
    for name in LISTS[1:]:
        kept[name] = _fitting(sizes[name], rest)
        rest -= sum(sizes[name][: kept[name]])
    kept[first] = _fitting(sizes[first], rest + sum(sizes[first][: kept[first]]))
    left_out |= {name: len(entries[name]) - kept[name] for name in LISTS if kept[name] < len(entries[name])}
    lists = {name: entries[name][: kept[name]] for name in LISTS if name in evidence}
    return Bounded({first: lists.pop(first, []), **headlines, **lists}, left_out)


def _vouched(record: EvidenceRecord, limit: int) -> dict[str, Any]:
    cut = bounded(record.evidence, limit)
    told: dict[str, Any] = {
        "route": f"{record.route.provider}/{record.route.model}",
        "validation": f"{record.contract.evidence}, sight {record.route.verification}",
    }
    if cut.left_out:
        told["leftOut"] = cut.left_out
    return {**told, "evidence": cut.evidence}


def _wrapped(marker: str, told: Mapping[str, Any]) -> str:
    return f"{marker}\n{OPEN}\n{inert(told)}\n{CLOSE}"


def _short(value: Any) -> Any:
    """An entry with its numbers rounded to what a picture can show."""
    if isinstance(value, float):
        return round(value, BOX_DIGITS)
    if isinstance(value, Mapping):
        return {key: _short(item) for key, item in value.items()}
    return [_short(item) for item in value] if isinstance(value, list | tuple) else value


def _size(value: Any) -> int:
    return len(inert(value)) + 1


def _fitting(sizes: Sequence[int], room: int) -> int:
    """How many entries from the first on fit; a list is never thinned out in the middle."""
    for count, size in enumerate(sizes):
        room -= size
        if room < 0:
            return count
    return len(sizes)
