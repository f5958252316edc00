"""From what was seen and done to the documents that callers get."""

from __future__ import annotations

from typing import Any

from deepseekeyes.automation.delta import box_row
from deepseekeyes.automation.perform import Performed, perform
from deepseekeyes.automation.rows import blob_ref
from deepseekeyes.automation.surface import Gesture, Seen
from deepseekeyes.browser.compact import tokens
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.desk import Session
from deepseekeyes.browser.ports import PageView
from deepseekeyes.browser.selection import Selection, select
from deepseekeyes.contracts.browser import BrowserAction, BrowserObservation


async def done(gesture: Gesture, session: Session, deps: BrowserDeps, *, require_verified: bool) -> BrowserAction:
    """Carry a gesture out and tell what came of it."""
    performed = await perform(gesture, session.live, session.run)
    return action(performed, session, deps, require_verified=require_verified)


def action(performed: Performed, session: Session, deps: BrowserDeps, *, require_verified: bool) -> BrowserAction:
    """The document of a gesture."""
    seen = performed.seen
    return BrowserAction(
        session=session.name,
        run_id=session.run.id,
        action=performed.action,
        verdict=performed.verdict,
        compared=performed.compared,
        target=performed.target,
        marker=performed.marker,
        facts=dict(performed.facts),
        state_id=seen.state_id if seen is not None else None,
        state=None if seen is None else observation(seen, session, deps),
        delta=performed.delta,
        step=performed.step.index,
        error=performed.error,
        require_verified=require_verified,
    )


def observation(
    seen: Seen, session: Session, deps: BrowserDeps, selection: Selection | None = None
) -> BrowserObservation:
    """The document of a state, cut to its budgets."""
    view: PageView = seen.snapshot.body
    settings = deps.settings
    chosen = select(view, selection or Selection(), most=settings.max_elements, chars=settings.max_text_chars)
    shot = seen.snapshot.shot
    values: dict[str, Any] = {
        "session": session.name,
        "run_id": session.run.id,
        "state_id": seen.state_id,
        "sequence": seen.sequence,
        "observed_at": seen.observed_at,
        "page": view.page,
        "url": view.url,
        "title": view.title,
        "viewport": view.viewport,
        "scroll": view.scroll,
        "text": chosen.text,
        "elements": chosen.elements,
        "elements_total": view.elements_total,
        "truncated": chosen.omitted_elements > 0 or chosen.omitted_chars > 0,
        "omitted": {
            "elements": chosen.omitted_elements,
            "roles": chosen.omitted_roles,
            "text_chars": chosen.omitted_chars,
            "how": chosen.how,
        },
        "frames": view.frames,
        "pages": view.pages,
        "dialog": view.dialog,
        "downloads": view.downloads,
        "diagnostics": view.diagnostics,
        "warnings": view.warnings,
        "blocked": view.blocked,
        "tokens": tokens(chosen.elements, chosen.text),
    }
    if shot is not None and shot.data is not None:
        deps.keep(shot.data)
        values["screenshot"] = blob_ref(shot)
        values["masks"] = tuple(box_row(box) for box in shot.masks)
    return BrowserObservation.model_validate(values)
