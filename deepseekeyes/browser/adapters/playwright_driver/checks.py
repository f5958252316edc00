"""What is compared after each gesture, and what it says about the effect."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from deepseekeyes.automation.pixels import changed_near
from deepseekeyes.automation.surface import Check, Gesture, Seen, Target
from deepseekeyes.automation.verdict import differs, equal
from deepseekeyes.browser.ports import Doing
from deepseekeyes.contracts.automation import Compared, Delta
from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from deepseekeyes.browser.adapters.playwright_driver.surface import PlaywrightSurface

TOLD = frozenset({"url", "title", "dialog", "pages", "downloads", "choosers", "page", "scroll"})


async def checks_of(
    surface: PlaywrightSurface, gesture: Gesture, target: Target, before: Seen | None, after: Seen, delta: Delta
) -> Sequence[Check]:
    """Checks of one gesture; `must` where the effect can be read back, `may` where something near has to change."""
    doing: Doing = gesture.request
    action = gesture.action
    if action in ("check", "uncheck"):
        return await _checked(surface, doing, target)
    if action == "hover":
        return await _hovered(surface, target)
    if action == "scroll":
        return [*await _scrolled(surface, target), *_facts(delta, {"scroll"})]
    if action == "upload" and "files" in surface.findings:
        return _uploaded(surface, doing)
    if action in ("type", "select", "dialog"):
        rows = _read_back(action, surface, doing, delta)
        return rows if action == "dialog" or "value" in surface.findings else [*rows, *_went(before, after, delta)]
    if action in ("open", "pages", "reload"):
        return _arrived(action, surface, doing, before, after)
    return _effect(target, before, after, delta, surface.findings)


def _read_back(action: str, surface: PlaywrightSurface, doing: Doing, delta: Delta) -> Sequence[Check]:
    if action == "type":
        return _typed(surface, doing, delta)
    if action == "select":
        if "value" not in surface.findings:
            return ()
        return (equal("value", None, surface.findings["value"], surface.findings.get("expected")),)
    return (Check(Compared(what="dialog answered", before=surface.findings.get("dialog"), after=None, holds=True)),)


def _went(before: Seen | None, after: Seen, delta: Delta) -> list[Check]:
    """What a field that took its page away can still be judged by."""
    return [*_facts(delta, TOLD), differs("document", _document(before), _document(after))]


def _arrived(
    action: str, surface: PlaywrightSurface, doing: Doing, before: Seen | None, after: Seen
) -> Sequence[Check]:
    if action == "open":
        return _opened(before, after, stayed=surface.findings.get("stayed", False))
    if action == "pages":
        return _switched(doing, after)
    return (differs("document", _document(before), _document(after), weight="must"),)


def _typed(surface: PlaywrightSurface, doing: Doing, delta: Delta) -> Sequence[Check]:
    """The text that the field holds, by keyed digests of this run."""
    found, expected = surface.findings.get("value"), surface.findings.get("expected")
    keys = surface.run.keys

    def told(text: str | None) -> Any:
        return None if text is None else keys.told(text)

    row = Compared(
        what="value",
        before=told(surface.findings.get("before")),
        after=told(found),
        expected=told(expected),
        holds=None if "value" not in surface.findings else found == expected,
    )
    checks = [Check(row, "must" if "value" in surface.findings else "may")]
    if doing.more.get("submit"):
        checks += [Check(one.compared, "may") for one in _facts(delta, TOLD)]
    return checks


async def _checked(surface: PlaywrightSurface, doing: Doing, target: Target) -> Sequence[Check]:
    state = await _state(surface, target)
    now = state.get("checked") if state is not None else None
    before, wanted = surface.findings.get("checkedBefore"), bool(doing.more["checked"])
    if now is None:
        return (Check(Compared(what="checked", before=before, after=None, expected=wanted, holds=None)),)
    return (equal("checked", before, now, wanted),)


def _uploaded(surface: PlaywrightSurface, doing: Doing) -> Sequence[Check]:
    from pathlib import Path

    names = [Path(path).name for path in doing.more["files"]]
    return (equal("files", None, surface.findings["files"], names),)


async def _hovered(surface: PlaywrightSurface, target: Target) -> Sequence[Check]:
    state = await _state(surface, target)
    return (
        Check(
            Compared(
                what="pointer is over it",
                before=None,
                after=state and state.get("hover"),
                holds=bool(state and state.get("hover")),
            )
        ),
    )


def _opened(before: Seen | None, after: Seen, *, stayed: bool) -> Sequence[Check]:
    """Whether the page is elsewhere now; the server may have sent nothing, or a file."""
    url = str(after.snapshot.facts.get("url"))
    asked = after.snapshot.facts["dialog"]
    kept = stayed or (asked is not None and asked[0] == "beforeunload")
    arrived = not url.startswith("chrome-error:") and not kept
    rows = [Check(Compared(what="url", before=None, after=url, holds=arrived), "may")]
    downloads = after.snapshot.facts["downloads"]
    earlier = before.snapshot.facts["downloads"] if before is not None else 0
    if downloads > earlier:
        rows.append(Check(Compared(what="downloads", before=earlier, after=downloads, holds=True), "may"))
    return rows


def _switched(doing: Doing, after: Seen) -> Sequence[Check]:
    if doing.more.get("close"):
        gone = doing.value not in after.snapshot.facts["pages"]
        return (
            Check(Compared(what="page closed", before=doing.value, after=None if gone else doing.value, holds=gone)),
        )
    return (equal("page", None, after.snapshot.facts["page"], doing.value),)


async def _scrolled(surface: PlaywrightSurface, target: Target) -> list[Check]:
    if target.control is None:
        return []
    state = await _state(surface, target)
    return [differs("scroll of the control", surface.findings.get("scrollBefore"), state and state.get("scroll"))]


def _effect(
    target: Target, before: Seen | None, after: Seen, delta: Delta, findings: Mapping[str, Any]
) -> Sequence[Check]:
    """Anything that speaks for an effect: somewhere else, a dialog, a page, a download, or a change near the target."""
    rows = _facts(delta, TOLD)
    old, new = _document(before), _document(after)
    if old is not None and new is not None and old != new:
        rows.append(differs("document", old, new))
    rows += _own(target, after)
    rows.append(_near(target, before, after, findings))
    added, removed = delta.elements.added, delta.elements.removed
    rows.append(
        Check(
            Compared(
                what="controls", before=f"{len(removed)} went", after=f"{len(added)} came", holds=bool(added or removed)
            ),
            "may",
        )
    )
    if delta.text is not None:
        told = _words(delta.text.added) != _words(delta.text.removed)
        rows.append(Check(Compared(what="text", after="changed" if told else "numbers only", holds=told), "may"))
    return rows


def _own(target: Target, after: Seen) -> list[Check]:
    """Fields of the control itself that are not what they were."""
    if target.control is None:
        return []
    now = after.snapshot.control(target.control.ref)
    if now is None:
        return [Check(Compared(what="control", before=target.control.role, after=None, holds=True), "may")]
    names = sorted(target.control.fields.keys() | now.fields.keys())
    return [
        differs(f"{name} of the control", _plain(target.control.fields.get(name)), _plain(now.fields.get(name)))
        for name in names
        if name not in _unconvincing(target) and target.control.fields.get(name) != now.fields.get(name)
    ]


def _words(lines: Sequence[str]) -> list[str]:
    """Lines without their numbers: clocks and counters run by themselves."""
    return sorted(re.sub(r"\d+", "#", line) for line in lines)


def _unconvincing(target: Target) -> frozenset[str]:
    """Fields whose change says nothing: whatever is clicked takes the focus, but for a field that is the point."""
    editable = target.control is not None and target.control.fields.get("editable") is not None
    return frozenset({"value", "href"} if editable else {"value", "href", "focused"})


def _near(target: Target, before: Seen | None, after: Seen, findings: Mapping[str, Any]) -> Check:
    """Pixels around the control, against how it looked with the pointer on it already."""
    old = before.snapshot.shot if before is not None else None
    new = after.snapshot.shot
    box = findings.get("box") or (target.control.box if target.control is not None else None)
    found = None
    if old is not None and new is not None:
        grid = findings.get("hovered") or old.grid
        found = changed_near(grid, new.grid, box) if box is not None else old.pixel_digest != new.pixel_digest
    what = "pixels near the control" if box is not None else "pixels"
    return Check(
        Compared(what=what, after=None if found is None else "changed" if found else "same", holds=found), "may"
    )


def _facts(delta: Delta, names: frozenset[str] | set[str]) -> list[Check]:
    return [
        Check(Compared(what=one.what, before=one.before, after=one.after, holds=True), "may")
        for one in delta.facts
        if one.what in names
    ]


def _document(seen: Seen | None) -> str | None:
    frames = seen.snapshot.body.frames if seen is not None else ()
    return frames[0]["document"] if frames else None


async def _state(surface: PlaywrightSurface, target: Target) -> dict[str, Any] | None:
    registry, number = target.handle
    try:
        found: dict[str, Any] | None = await surface.bounded(registry.call("state", number))
    except EyesError:
        return None
    return found


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
