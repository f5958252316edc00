"""What differs between two observations; of two equal ones, nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from deepseekeyes.automation import pixels
from deepseekeyes.automation.surface import Control, Seen, Snapshot
from deepseekeyes.contracts.automation import Compared, Delta, ItemChange, PixelBox, SetDelta, TextDelta
from deepseekeyes.core.geometry import Box
from deepseekeyes.core.redact import clip

MOST_ITEMS = 200
MOST_LINES = 40
LINE_CHARS = 200


def delta(before: Seen | None, after: Snapshot) -> Delta:
    """The difference from one observation to the next.

    Refs name controls; values of their fields are not repeated, so nothing protected can slip in here.
    """
    if before is None:
        return Delta(
            initial=True,
            screenshot_changed=True if after.shot is not None else None,
            elements=_set({}, _by_ref(after.elements)),
            windows=_set({}, _by_ref(after.windows)) if after.windows else None,
        )
    old = before.snapshot
    return Delta(
        from_state_id=before.state_id,
        screenshot_changed=_pixels_differ(old, after),
        scope_changed=old.scope != after.scope,
        facts=tuple(_facts(old.facts, after.facts)),
        text=_text(old.text, after.text),
        elements=_set(_by_ref(old.elements), _by_ref(after.elements)),
        windows=_set(_by_ref(old.windows), _by_ref(after.windows)) if old.windows or after.windows else None,
        areas=_areas(old, after),
    )


def is_empty(found: Delta) -> bool:
    """Whether a delta says that nothing differs."""
    sets = (found.elements, found.windows or SetDelta())
    return not (
        found.initial
        or found.screenshot_changed
        or found.scope_changed
        or found.facts
        or found.text
        or any(one.added or one.removed or one.changed for one in sets)
    )


def changed_fields(old: Control, new: Control) -> tuple[str, ...]:
    """Names of what differs between two sightings of one control, sorted."""
    was, now = _compared(old), _compared(new)
    return tuple(sorted(name for name in was.keys() | now.keys() if was.get(name) != now.get(name)))


def box_row(box: Box) -> PixelBox:
    """A box as documents carry it, rounded to hundredths of a pixel."""
    return PixelBox(
        x=round(box.x, 2), y=round(box.y, 2), width=round(max(0.0, box.width), 2), height=round(max(0.0, box.height), 2)
    )


def _compared(control: Control) -> dict[str, Any]:
    return {
        **control.fields,
        "role": control.role,
        "name": control.name,
        "protected": control.protected,
        "bbox": None if control.box is None else tuple(round(value, 2) for value in control.box),
    }


def _by_ref(controls: Iterable[Control]) -> dict[str, Control]:
    return {control.ref: control for control in controls}


def _set(old: Mapping[str, Control], new: Mapping[str, Control]) -> SetDelta:
    added = tuple(ref for ref in new if ref not in old)
    removed = tuple(ref for ref in old if ref not in new)
    changed = tuple(
        ItemChange(ref=ref, fields=fields)
        for ref in new
        if ref in old and (fields := changed_fields(old[ref], new[ref]))
    )
    omitted = sum(max(0, len(one) - MOST_ITEMS) for one in (added, removed, changed))
    return SetDelta(
        added=added[:MOST_ITEMS], removed=removed[:MOST_ITEMS], changed=changed[:MOST_ITEMS], omitted=omitted
    )


def _facts(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterable[Compared]:
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield Compared(what=name, before=old.get(name), after=new.get(name))


def _text(old: str, new: str) -> TextDelta | None:
    if old == new:
        return None
    before, after = Counter(_lines(old)), Counter(_lines(new))
    added, removed = list((after - before).elements()), list((before - after).elements())
    if not added and not removed:
        return None
    return TextDelta(
        added=tuple(clip(line, LINE_CHARS) for line in added[:MOST_LINES]),
        removed=tuple(clip(line, LINE_CHARS) for line in removed[:MOST_LINES]),
        omitted=max(0, len(added) - MOST_LINES) + max(0, len(removed) - MOST_LINES),
    )


def _lines(text: str) -> list[str]:
    return [line for line in (raw.strip() for raw in text.splitlines()) if line]


def _pixels_differ(old: Snapshot, new: Snapshot) -> bool | None:
    if old.shot is None or new.shot is None:
        return None
    return old.shot.pixel_digest != new.shot.pixel_digest


def _areas(old: Snapshot, new: Snapshot) -> tuple[PixelBox, ...]:
    if not _pixels_differ(old, new):
        return ()
    assert old.shot is not None
    assert new.shot is not None
    width, height = new.shot.width, new.shot.height
    whole = Box(0, 0, width, height)
    found = (box.intersection(whole) for box in pixels.areas(old.shot.grid, new.shot.grid))
    return tuple(box_row(box) for box in found if box is not None)
