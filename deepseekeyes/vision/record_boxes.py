"""Whether the boxes of a record lie where they can, and whether its audit trail leads to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from deepseekeyes.contracts.evidence import Transform
from deepseekeyes.core.geometry import Affine, Box, contained, to_normalised
from deepseekeyes.evidence.coordinates import Sent, replay
from deepseekeyes.evidence.repair import is_number
from deepseekeyes.evidence.schema import shape

_SLACK = 1e-6
_EQUAL = 2e-9
_LEAVES = frozenset({"number", "bbox-array", "clamped-box", "grounding-tokens", "shape-by-length", "lone-surrogate"})


def misplaced(record: Mapping[str, Any]) -> tuple[list[str], int]:
    """Boxes outside of the picture, or outside of the part of it that was sent; and how many boxes there are.

    Args:
        record: a record of the right shape; its evidence may still break the schema.
    """
    visible = _visible(record)
    wrong: list[str] = []
    total = 0
    for path, box in _boxes(record):
        total += 1
        if not (isinstance(box, list) and len(box) == 4 and all(is_number(value) for value in box)):
            wrong.append(f"{path} is no box")
        elif not contained(box):
            wrong.append(f"{path} leaves the picture")
        elif not _inside(Box(*box), visible):
            wrong.append(f"{path} lies outside of what was sent")
    return wrong, total


def disagreements(record: Mapping[str, Any]) -> tuple[list[str], int]:
    """Recorded changes that do not lead to what the evidence says; and how many were followed."""
    if _visible(record) is None:
        return ["the recorded rendition shows nothing of the picture"], 0
    sent = _sent(record)
    expected: dict[str, Any] = {
        repair["path"]: repair["canonical"] for repair in record["repairs"] if repair["action"] in _LEAVES
    }
    wrong: list[str] = []
    for item in record["coordinates"]["transforms"]:
        again = replay(Transform.model_validate(item), sent)
        if again is None or not _close(again, item["normalized"]):
            wrong.append(f"{item['path']} does not follow from {item['original']} read as {item['convention']}")
        expected[item["path"]] = item["normalized"]
    shifts = _shifts(record)
    for path, value in expected.items():
        place = _after_drops(path, shifts)
        if place is not None and not _same(_at(record["evidence"], place), value):
            wrong.append(f"{path} was recorded with another value than the evidence holds")
    return wrong, len(expected)


def _sent(record: Mapping[str, Any]) -> Sent:
    rendition, source = record["rendition"], record["source"]
    affine = Affine(*rendition["scale"], *rendition["offset"])
    return Sent(rendition["width"], rendition["height"], affine, (source["width"], source["height"]))


def _visible(record: Mapping[str, Any]) -> Box | None:
    """The part of the upright source that was sent, normalised; None when the numbers allow none."""
    sent = _sent(record)
    if sent.size is None or sent.source is None or min(*sent.size, *sent.source) <= 0:
        return None
    if sent.affine.scale_x <= 0 or sent.affine.scale_y <= 0:
        return None
    return to_normalised(sent.affine.inverse(Box(0, 0, *sent.size)), *sent.source)


def _inside(box: Box, area: Box | None) -> bool:
    return (
        area is not None
        and box.x >= area.x - _SLACK
        and box.y >= area.y - _SLACK
        and box.right <= area.right + _SLACK
        and box.bottom <= area.bottom + _SLACK
    )


def _boxes(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for listed in shape(record["kind"]).boxed:
        entries = record["evidence"].get(listed.name)
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, dict) and "bbox" in entry:
                yield f"/{listed.name}/{index}/bbox", entry["bbox"]


def _shifts(record: Mapping[str, Any]) -> dict[str, list[int]]:
    """By list, the positions in the answer of entries that were dropped."""
    gone: dict[str, list[int]] = {}
    for repair in record["repairs"]:
        _, _, rest = repair["path"].partition("/")
        name, _, index = rest.partition("/")
        if repair["action"] == "dropped-entry" and index.isdecimal():
            gone.setdefault(name, []).append(int(index))
    return gone


def _after_drops(path: str, gone: Mapping[str, list[int]]) -> list[str] | None:
    """The steps to a value after entries before it were dropped; None when its own entry was."""
    steps = path.split("/")[1:]
    if len(steps) < 2 or not steps[1].isdecimal():
        return steps
    index, dropped = int(steps[1]), gone.get(steps[0], [])
    if index in dropped:
        return None
    return [steps[0], str(index - sum(other < index for other in dropped)), *steps[2:]]


def _at(value: Any, steps: list[str]) -> Any:
    for step in steps:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value


def _same(found: Any, wanted: Any) -> bool:
    return _close(found, wanted) if isinstance(wanted, list) else bool(found == wanted)


def _close(found: Any, wanted: Any) -> bool:
    if not isinstance(found, list) or not isinstance(wanted, list) or len(found) != len(wanted):
        return False
    pairs = zip(found, wanted, strict=True)
    return all(a == b or (is_number(a) and is_number(b) and abs(a - b) <= _EQUAL) for a, b in pairs)
