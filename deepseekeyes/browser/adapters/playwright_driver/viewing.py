"""From what the walkers saw to controls and rows of an observation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from deepseekeyes.automation.refs import RefBook, ref_key
from deepseekeyes.automation.surface import Control
from deepseekeyes.browser.adapters.playwright_driver.registry import FrameView
from deepseekeyes.browser.urls import place, shown, unspelled
from deepseekeyes.core.geometry import Box
from deepseekeyes.core.redact import REDACTED

FLAGS = (
    "type",
    "href",
    "value",
    "checked",
    "mixed",
    "expanded",
    "selected",
    "pressed",
    "enabled",
    "editable",
    "required",
    "invalid",
    "focused",
    "files",
    "options",
    "optionsOmitted",
)
COMPARED = frozenset(FLAGS) - {"options", "optionsOmitted"}


@dataclass(slots=True)
class Seeing:
    """What an observation is made of, in document order."""

    controls: list[Control] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    frames: list[dict[str, Any]] = field(default_factory=list)
    masks: list[Box] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    total: int = 0
    text_omitted: int = 0
    warnings: list[str] = field(default_factory=list)


def see(view: FrameView, refs: RefBook, secrets: tuple[str, ...]) -> Seeing:
    """Everything a page showed, with refs given out.

    Args:
        view: the main frame, offsets settled.
        refs: of the run.
        secrets: texts that appear nowhere.
    """
    seeing = Seeing()
    counted: Counter[tuple[str, ...]] = Counter()
    for frame, row in _in_order(view):
        _add(seeing, frame, row, refs, secrets, counted)
    for frame in view.all():
        _frame(seeing, frame, refs, secrets)
    if view.data is not None and not seeing.controls and not any(seeing.texts) and view.data["painted"] >= 3:
        seeing.warnings.append("The page is painted but has neither text nor controls; read its screenshot.")
    return seeing


def without(text: str, secrets: Iterable[str]) -> str:
    """A text in which no secret stands."""
    known = tuple(secrets)
    for secret in known:
        if secret in text:
            text = text.replace(secret, REDACTED)
    return unspelled(text, known)


def _in_order(view: FrameView) -> Iterator[tuple[FrameView, Mapping[str, Any]]]:
    """Elements of a frame and of the frames inside it, where they stand."""
    if view.data is None:
        return
    waiting = list(view.children)
    for index, row in enumerate(view.data["elements"]):
        while waiting and waiting[0].at <= index:
            yield from _in_order(waiting.pop(0))
        yield view, row
    for child in waiting:
        yield from _in_order(child)


def _add(
    seeing: Seeing,
    frame: FrameView,
    raw: Mapping[str, Any],
    refs: RefBook,
    secrets: tuple[str, ...],
    counted: Counter[tuple[str, ...]],
) -> None:
    assert frame.registry is not None
    document = frame.registry.document
    ref = refs.ref(f"{document}:{raw['n']}")
    role, name = str(raw["role"]), without(str(raw["name"]), secrets)
    parts = (place(frame.frame.url), role, name, str(raw.get("type", "")), str(raw.get("mark", "")))
    key = ref_key("br", role, name, parts[0], *parts[3:], ordinal=counted[parts])
    counted[parts] += 1
    box = _box(raw["box"], frame.offset)
    if name != str(raw["name"]) or any(secret in str(raw.get("value", "")) for secret in secrets):
        seeing.masks.append(box)
    flags = {name: _clean(name, raw[name], secrets) for name in FLAGS if name in raw}
    seeing.controls.append(
        Control(
            ref=ref,
            key=key,
            role=role,
            name=name,
            place=frame.path,
            document=document,
            protected=bool(raw["protected"]),
            box=box if box.width > 0 and box.height > 0 else None,
            fields={name: _fixed(value) for name, value in flags.items() if name in COMPARED},
        )
    )
    seeing.rows.append(
        {
            "ref": ref,
            "refKey": key,
            "role": role,
            "name": name,
            "tag": raw["tag"],
            "frame": frame.path,
            "document": document,
            "protected": bool(raw["protected"]),
            "inViewport": bool(raw["inViewport"]),
            "bbox": {
                "x": round(box.x, 2),
                "y": round(box.y, 2),
                "width": round(box.width, 2),
                "height": round(box.height, 2),
            },
            **flags,
        }
    )


def _frame(seeing: Seeing, frame: FrameView, refs: RefBook, secrets: tuple[str, ...]) -> None:
    data = frame.data
    host = None
    if frame.host is not None:
        parent = next((one for one in seeing.frames if one["path"] == frame.path.rpartition("/")[0]), None)
        host = refs.ref(f"{parent['document']}:{frame.host}") if parent is not None else None
    seeing.frames.append(
        {
            "path": frame.path,
            "url": shown(frame.frame.url),
            "document": frame.registry.document if frame.registry is not None else None,
            "ref": host,
            "opaque": data is None,
        }
    )
    if data is None:
        seeing.warnings.append(f"Frame {frame.path} could not be looked into; its controls are not listed.")
        return
    if data["late"]:
        seeing.warnings.append(f"Frame {frame.path} is too large to be read in time; only its beginning is listed.")
    seeing.total += int(data["total"])
    seeing.text_omitted += int(data["textCut"])
    seeing.masks += [_box(box, frame.offset) for box in data["masks"]]
    text = without(str(data["text"]), secrets)
    if text:
        seeing.texts.append(text if frame.path == "main" else f"[{frame.path}]\n{text}")


def _box(values: Iterable[float], offset: tuple[float, float]) -> Box:
    x, y, width, height = values
    return Box(x + offset[0], y + offset[1], width, height)


def _clean(name: str, value: Any, secrets: tuple[str, ...]) -> Any:
    if name == "href":
        return shown(str(value), secrets)
    if isinstance(value, str):
        return without(value, secrets)
    return [without(str(one), secrets) for one in value] if isinstance(value, list) else value


def _fixed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
