"""One story on paper, told into a run log, and its report."""

from __future__ import annotations

from typing import Any

from paper_surface import Paper

from deepseekeyes.automation import report
from deepseekeyes.automation.asserting import assert_that
from deepseekeyes.automation.assertions import Assertion, Subject
from deepseekeyes.automation.perform import look, perform
from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.automation.surface import Gesture

HOSTILE = '</script><img src=x onerror="document.title=1">'


async def story(paper: Paper, hostile: str = "") -> None:
    """Look, type, press, press with an old state, assert once well and once not."""
    run = paper.run
    name, password, send = paper.nodes

    def gesture(node: Any, action: str, text: str | None = None, **more: Any) -> Gesture:
        request = {"ref": paper.ref(node), "text": text}
        given = {"state_id": run.state_id, "pointer": action == "click", **more}
        return Gesture(action, request=request, **given)

    async def whole(snapshot: Any, delta: Any) -> Subject:
        return Subject(count=1, text=snapshot.text)

    if hostile:
        name.name = hostile
        paper.lines.append(hostile)
    first = await look(paper, run)
    await perform(gesture(name, "type", "Ada"), paper, run)
    await perform(gesture(password, "type", "hunter2", arguments={"value": run.keys.told("hunter2")}), paper, run)
    await perform(gesture(send, "click"), paper, run)
    await perform(gesture(send, "click", state_id=first.seen.state_id if first.seen else None), paper, run)
    await assert_that(Assertion("text_contains", "page", "was pressed"), paper, run, whole)
    await assert_that(Assertion("text_equals", "page", hostile or "nothing"), paper, run, whole)


def built(paper: Paper, **settings: Any) -> Any:
    return report.build(
        paper.run.log, AutomationSettings(**settings), now="2026-12-01T11:00:00.000Z", surface={"program": "paper"}
    )
