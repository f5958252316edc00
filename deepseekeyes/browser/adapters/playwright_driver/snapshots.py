"""From what was looked at to one observation, with or without a dialog in the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from deepseekeyes.automation import pixels
from deepseekeyes.automation.surface import Snapshot
from deepseekeyes.browser.adapters.playwright_driver.pages import OpenPage, page_row
from deepseekeyes.browser.adapters.playwright_driver.registry import FrameView
from deepseekeyes.browser.adapters.playwright_driver.viewing import Seeing, see, without
from deepseekeyes.browser.ports import PageView, Subtree
from deepseekeyes.browser.urls import shown
from deepseekeyes.core.geometry import Box
from deepseekeyes.core.secrets import known_values

if TYPE_CHECKING:
    from deepseekeyes.browser.adapters.playwright_driver.surface import PlaywrightSurface

SHOWN = 20
OPTIONS = {"valueChars": 2_000, "textChars": 400_000, "most": 5_000, "start": 0}
"""Ceilings of what is read from one document."""

BUDGET_MS = 5_000
INSISTS = 5
"""So many dialogs in a row are no longer taken for questions."""


def options(surface: PlaywrightSurface) -> dict[str, Any]:
    """`OPTIONS` with the time one document may take; half the timeout at most, so that there is time for the rest."""
    return {**OPTIONS, "budgetMs": min(BUDGET_MS, surface.settings.timeout_ms // 2)}


def snapshot(
    surface: PlaywrightSurface,
    active: OpenPage,
    view: FrameView,
    data: bytes | None,
    *,
    restless: bool,
    masks: Sequence[Box] = (),
) -> Snapshot:
    """A page that was looked at.

    Args:
        data: the captured PNG.
        restless: whether the page changed meanwhile.
        masks: where protected fields were after the capture, beside where they were before.
    """
    assert view.data is not None
    active.dialogs = 0
    secrets = known_values()
    seeing = see(view, surface.run.refs, secrets)
    if restless:
        seeing.warnings.append("The page kept changing while it was looked at.")
    shot = (
        None
        if data is None
        else pixels.take(data, surface.run.keys, masks=tuple(dict.fromkeys((*seeing.masks, *masks))))
    )
    body = _body(surface, active, seeing, view.data, secrets)
    return Snapshot(
        scope=active.id,
        tail=body.url,
        facts=_facts(active, body),
        text="\n".join(seeing.texts),
        elements=tuple(seeing.controls),
        shot=shot,
        body=body,
    )


def _facts(active: OpenPage, body: PageView) -> dict[str, Any]:
    return {
        "page": active.id,
        "url": body.url,
        "title": body.title,
        "scroll": [body.scroll.get("x", 0), body.scroll.get("y", 0)],
        "pages": [row["id"] for row in body.pages],
        "dialog": None if body.dialog is None else [body.dialog["type"], body.dialog["message"]],
        "downloads": len(body.downloads),
        "choosers": active.choosers,
    }


def _body(
    surface: PlaywrightSurface, active: OpenPage, seeing: Seeing, data: Mapping[str, Any], secrets: tuple[str, ...]
) -> PageView:
    width, height, ratio = data["viewport"]
    warnings = [*seeing.warnings, *_stopped(surface, active, str(data["title"])), *surface.pages.said()]
    return PageView(
        page=active.id,
        url=shown(active.page.url),
        title=without(str(data["title"]), secrets)[:500],
        viewport={"width": width, "height": height, "devicePixelRatio": ratio},
        scroll={
            "x": round(data["scroll"][0], 2),
            "y": round(data["scroll"][1], 2),
            "documentWidth": data["size"][0],
            "documentHeight": data["size"][1],
        },
        text="\n".join(seeing.texts),
        text_omitted=seeing.text_omitted,
        elements=tuple(seeing.rows),
        elements_total=seeing.total,
        frames=tuple(seeing.frames),
        pages=tuple(page_row(one, active.id) for one in surface.pages.all),
        dialog=None,
        downloads=tuple(dict(row) for row in surface.pages.downloads),
        diagnostics=_diagnostics(surface),
        warnings=tuple(warnings),
    )


def blocked(surface: PlaywrightSurface, active: OpenPage) -> Snapshot:
    """What can be told while a dialog is open: the page itself does not answer until then."""
    assert active.dialog is not None
    secrets = known_values()
    newest = surface.run.newest
    old = newest.snapshot if newest is not None and newest.snapshot.scope == active.id else None
    before = old.body if old is not None else None
    dialog = {
        "page": active.id,
        "type": active.dialog.type,
        "message": without(active.dialog.message, secrets)[:2_000],
        "default": without(active.dialog.default_value, secrets)[:500],
    }
    body = PageView(
        page=active.id,
        url=shown(active.page.url),
        title=before.title if before is not None else "",
        viewport=before.viewport if before is not None else {"width": 0, "height": 0, "devicePixelRatio": 1},
        scroll=before.scroll if before is not None else {"x": 0, "y": 0, "documentWidth": 0, "documentHeight": 0},
        text="",
        text_omitted=0,
        elements=(),
        elements_total=0,
        frames=(),
        pages=tuple(page_row(one, active.id) for one in surface.pages.all),
        dialog=dialog,
        downloads=tuple(dict(row) for row in surface.pages.downloads),
        diagnostics=_diagnostics(surface),
        warnings=(_asking(active), *surface.pages.said()),
        blocked=True,
    )
    return Snapshot(
        scope=active.id,
        tail=body.url,
        facts=_facts(active, body),
        text=old.text if old is not None else "",
        elements=old.elements if old is not None else (),
        body=body,
    )


def _stopped(surface: PlaywrightSurface, active: OpenPage, title: str) -> list[str]:
    """Why the browser shows a page of its own, which has the host for a title."""
    refused = surface.navigation.refused
    if not active.page.url.startswith("chrome-error:") or not refused or refused[-1]["kind"] != "document":
        return []
    if urlsplit(refused[-1]["url"]).hostname != title:
        return []
    return [f"The page was sent to {refused[-1]['url'][:200]}, which may not be opened: {refused[-1]['reason']}"]


def _asking(active: OpenPage) -> str:
    if active.dialogs < INSISTS:
        return "A dialog is open; the page cannot be looked at until it is answered."
    return (
        f"The page has opened {active.dialogs} dialogs in a row and cannot be looked at between them. "
        "Leave it for good: deepseekeyes browser close"
    )


def _diagnostics(surface: PlaywrightSurface) -> dict[str, Any]:
    found, told = surface.pages.complaints, surface.pages.told
    return {
        "console": told(found.console, SHOWN),
        "errors": told(found.errors, SHOWN),
        "requests": told(found.requests, SHOWN),
        "refused": list(surface.navigation.refused)[-SHOWN:],
    }


async def inside(surface: PlaywrightSurface, ref: str) -> Subtree | None:
    """What lies inside an element of the newest look; None when it is not there any more."""
    newest = surface.run.newest
    document, _, number = (surface.run.refs.identity(ref) or ":0").partition(":")
    if newest is None or newest.snapshot.control(ref) is None:
        return None
    found = await _collected(surface, document, int(number))
    if found is None:
        return None
    refs = {ref, *(surface.run.refs.ref(f"{document}:{row['n']}") for row in found["elements"])}
    texts = [str(found["text"])]
    body: PageView = newest.snapshot.body
    for frame in body.frames:
        if frame["ref"] in refs and frame["document"] is not None:
            framed = await _collected(surface, str(frame["document"]), 0)
            refs |= {row["ref"] for row in body.elements if row["frame"] == frame["path"]}
            texts += [str(framed["text"])] if framed is not None else []
    secrets = known_values()
    return Subtree(frozenset(refs), "\n".join(without(text, secrets) for text in texts if text))


async def _collected(surface: PlaywrightSurface, document: str, start: int) -> dict[str, Any] | None:
    registry = surface.registries.find(document)
    return None if registry is None else await registry.collect({**options(surface), "start": start})
