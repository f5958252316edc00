"""The order of a gesture, and what each place where it can stop leaves behind."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import pytest
from paper_surface import TORN, Paper

from deepseekeyes.automation.perform import Performed, look, perform
from deepseekeyes.automation.surface import Gesture, Seen
from deepseekeyes.core.codes import DISK_FULL
from deepseekeyes.core.errors import EyesError

ACTING = ["resolve", "identity", "reach", "act", "settle", "observe", "checks"]


def gesture(paper: Paper, node: int, action: str = "click", text: str | None = None, **more: Any) -> Gesture:
    request = {"ref": paper.ref(paper.nodes[node]), "text": text}
    given = {"state_id": paper.run.state_id, "pointer": action == "click", **more}
    return Gesture(action, request=request, **given)


async def done(paper: Paper, node: int, action: str = "click", text: str | None = None, **more: Any) -> Performed:
    return await perform(gesture(paper, node, action, text, **more), paper, paper.run)


def run(work: Any) -> Any:
    return asyncio.run(work)


def lines(paper: Paper) -> list[dict[str, Any]]:
    assert paper.run.folder is not None
    return [json.loads(line) for line in (paper.run.folder / "steps.jsonl").read_bytes().splitlines()]


def test_a_gesture_runs_in_one_order_and_its_step_is_written_before_it_is_told(make: Any) -> None:
    async def story() -> None:
        paper = make()
        seen = await look(paper, paper.run)
        paper.calls.clear()
        found = await done(paper, 2)
        assert paper.calls == ACTING
        assert (found.verdict, found.error, found.step.dispatched) == ("verified", None, "yes")
        assert found.before == seen.seen
        assert found.delta.from_state_id == seen.seen.state_id
        assert found.delta.text.added == ("Send was pressed",)
        stored = lines(paper)[-1]
        assert (stored["index"], stored["stateBefore"], stored["stateId"]) == (
            2,
            seen.seen.state_id,
            found.seen.state_id,
        )
        assert stored["marker"] == {
            "x": 360.0,
            "y": 237.0,
            "box": {"x": 300.0, "y": 220.0, "width": 120.0, "height": 34.0},
            "end": None,
        }
        assert stored["target"]["name"] == "Send"

    run(story())


def test_typed_text_is_read_back_and_an_effect_that_is_not_seen_is_unverified(make: Any) -> None:
    async def story() -> None:
        paper = make()
        await look(paper, paper.run)
        assert (await done(paper, 0, "type", "Ada")).verdict == "verified"
        paper.deaf = True
        found = await done(paper, 0, "type", "Grace")
        assert (found.verdict, found.error) == ("unverified", None)
        assert (found.compared[0].after, found.compared[0].expected, found.compared[0].holds) == ("Ada", "Grace", False)
        assert (await done(paper, 2)).verdict == "unverified"

    run(story())


def test_an_old_state_never_acts_and_the_refusal_carries_the_new_one(make: Any) -> None:
    async def story() -> None:
        paper = make()
        assert (await done(paper, 2, state_id=None)).error.code == "PAPER_STATE_MISSING"
        first = paper.run.state_id
        await look(paper, paper.run)
        paper.calls.clear()
        found = await done(paper, 2, state_id=first)
        assert paper.calls == ["observe"]
        assert (found.verdict, found.error.code, found.error.details) == (
            "refused",
            "PAPER_STALE",
            {"dispatched": "no"},
        )
        assert found.seen.state_id == paper.run.state_id
        assert (await done(paper, 2, state_id=found.seen.state_id)).verdict == "verified"

    run(story())


def test_of_two_gestures_with_one_state_only_the_first_acts(make: Any) -> None:
    async def story() -> None:
        paper = make()
        await look(paper, paper.run)
        both = [gesture(paper, 2), gesture(paper, 2)]
        found = await asyncio.gather(*(perform(one, paper, paper.run) for one in both))
        assert [one.verdict for one in found] == ["verified", "refused"]
        assert paper.calls.count("act") == 1

    run(story())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda paper: paper.nodes.remove(paper.nodes[2]), "is gone"),
        (lambda paper: setattr(paper.nodes[2], "name", "Delete"), 'is now the button "Delete"'),
        (lambda paper: setattr(paper.nodes[2], "role", "link"), "is now the link"),
    ],
)
def test_a_node_that_is_not_what_was_seen_is_refused(make: Any, change: Any, reason: str) -> None:
    async def story() -> None:
        paper = make()
        await look(paper, paper.run)
        wanted = gesture(paper, 2)
        change(paper)
        found = await perform(wanted, paper, paper.run)
        assert (found.verdict, found.error.code) == ("refused", "PAPER_CHANGED")
        assert reason in found.error.message
        assert "act" not in paper.calls

    run(story())


def test_an_inserted_node_does_not_move_a_ref_to_another_control(make: Any) -> None:
    async def story() -> None:
        paper = make()
        await look(paper, paper.run)
        wanted = gesture(paper, 2)
        late = paper.add("button", "Delete everything", (440, 220, 150, 34))
        paper.nodes.insert(0, paper.nodes.pop())
        found = await perform(wanted, paper, paper.run)
        assert found.verdict == "verified"
        assert found.delta.elements.added == (paper.ref(late),)
        assert paper.lines[-1] == "Send was pressed"

    run(story())


def test_a_covered_target_is_refused_and_named(make: Any) -> None:
    async def story() -> None:
        paper = make()
        await look(paper, paper.run)
        paper.covered_by = "dialog Cookies"
        found = await done(paper, 2)
        assert (found.verdict, found.error.code) == ("refused", "PAPER_COVERED")
        assert "dialog Cookies" in found.error.message
        assert paper.calls[-2:] == ["reach", "observe"]

    run(story())


def test_a_locator_observes_first_and_acts_on_what_it_saw(make: Any) -> None:
    async def story() -> None:
        paper = make()
        found = await done(paper, 2, needs="fresh", state_id=None)
        assert paper.calls == ["observe", *ACTING]
        assert found.verdict == "verified"
        assert found.step.state_before == found.before.state_id
        assert found.step.shot_before is not None

    run(story())


@dataclass
class Attentive(Paper):
    """A surface that knows whether a look would show anything new."""

    still: bool = True

    async def unchanged(self, seen: Seen) -> bool:
        self.calls.append("unchanged")
        return self.still and seen is self.run.newest


@pytest.mark.parametrize(("still", "looks"), [(True, []), (False, ["observe"])])
def test_a_locator_acts_on_the_newest_look_where_nothing_changed_since(
    make: Any, still: bool, looks: list[str]
) -> None:
    async def story() -> None:
        made = make()
        paper = Attentive(run=made.run, nodes=made.nodes, still=still)
        newest = (await look(paper, paper.run)).seen
        paper.calls.clear()
        found = await done(paper, 2, needs="fresh", state_id=None)
        assert paper.calls == ["unchanged", *looks, *ACTING]
        assert (found.before is newest, found.verdict) == (still, "verified")

    run(story())


def test_a_target_that_the_newest_look_does_not_hold_is_looked_for_once_more(make: Any) -> None:
    async def story() -> None:
        made = make()
        paper = Attentive(run=made.run, nodes=made.nodes, _born=made._born)
        await look(paper, paper.run)
        paper.add("button", "Late", (300, 300, 60, 30))
        paper.calls.clear()
        found = await done(paper, -1, needs="fresh", state_id=None)
        assert paper.calls == ["unchanged", "resolve", "observe", *ACTING]
        assert found.verdict == "verified"

    run(story())


def test_the_budget_of_a_run_ends_actions_and_names_its_setting(make: Any) -> None:
    async def story() -> None:
        paper = make(run_actions=1)
        await look(paper, paper.run)
        await done(paper, 2)
        found = await done(paper, 2)
        assert (found.verdict, found.error.code, found.error.kind) == ("refused", "AUTOMATION_BUDGET", "policy")
        assert found.error.details["limit"] == {"name": "run_actions", "value": 1, "setting": "automation.run_actions"}
        assert "automation.run_actions" in found.error.hint
        assert paper.calls.count("act") == 1

    run(story())


def test_a_failure_after_dispatch_leaves_no_old_state_to_act_on(make: Any) -> None:
    async def story() -> None:
        paper = make()
        await look(paper, paper.run)
        old = paper.run.state_id
        paper.fail_act = EyesError(TORN, "The sheet tore.", details={"dispatched": "yes"})
        paper.fail_observe = None
        found = await done(paper, 2)
        assert (found.verdict, found.error.code, found.step.dispatched) == ("unverified", "PAPER_TORN", "yes")
        assert found.seen.state_id != old
        paper.fail_act = None
        assert (await done(paper, 2, state_id=old)).error.code == "PAPER_STALE"

    run(story())


def test_a_surface_that_cannot_be_seen_after_an_action_has_no_newest_state(make: Any) -> None:
    async def story() -> None:
        paper = make()
        await look(paper, paper.run)
        old = paper.run.state_id
        wanted = gesture(paper, 2)
        acted = paper.act

        async def act_then_blind(*given: Any) -> Any:
            paper.fail_observe = EyesError(TORN, "Nothing to see.")
            return await acted(*given)

        paper.act = act_then_blind  # type: ignore[method-assign]
        found = await perform(wanted, paper, paper.run)
        assert (found.seen, found.step.dispatched, paper.run.state_id) == (None, "yes", None)
        paper.fail_observe = None
        paper.act = acted  # type: ignore[method-assign]
        assert (await done(paper, 2, state_id=old)).error.code == "PAPER_STALE"

    run(story())


def test_a_backend_that_dispatched_nothing_refuses(make: Any) -> None:
    async def story() -> None:
        paper = make()
        await look(paper, paper.run)
        paper.fail_act = EyesError(TORN, "Input is grabbed.", details={"dispatched": "no"})
        found = await done(paper, 2)
        assert (found.verdict, found.step.dispatched) == ("refused", "no")

    run(story())


def test_what_was_sent_and_then_tells_nothing_is_unresolved(make: Any) -> None:
    async def story() -> None:
        paper = make()
        await look(paper, paper.run)
        paper.fail_act = EyesError(TORN, "The page went away.")
        assert (await done(paper, 2)).error.code == TORN.name
        paper.fail_observe = paper.fail_act
        found = await done(paper, 2)
        assert (found.error.code, found.error.kind, found.error.details) == (
            "ACTION_UNRESOLVED",
            "unresolved",
            {"dispatched": "unknown"},
        )
        assert TORN.name in found.error.message
        assert (found.verdict, paper.run.state_id) == ("unverified", None)

    run(story())


def test_a_bug_in_a_surface_is_a_step_too_and_is_not_swallowed(make: Any) -> None:
    async def story() -> None:
        paper = make()
        await look(paper, paper.run)
        paper.bug = True
        with pytest.raises(RuntimeError):
            await done(paper, 2)
        assert (lines(paper)[-1]["dispatched"], paper.run.state_id) == ("unknown", None)

    run(story())


def test_a_step_that_cannot_be_written_fails_the_action_and_says_that_it_was_done(make: Any, monkeypatch: Any) -> None:
    async def story() -> None:
        paper = make()
        await look(paper, paper.run)
        monkeypatch.setattr("os.write", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(EyesError) as caught:
            await done(paper, 2)
        assert (caught.value.code.name, caught.value.details["dispatched"]) == ("DISK_FULL", "yes")
        assert paper.run.state_id is None

    run(story())


def test_an_action_that_cannot_even_be_announced_was_not_done(make: Any, monkeypatch: Any) -> None:
    async def story() -> None:
        paper = make()
        await look(paper, paper.run)
        done_before = list(paper.calls)
        full = EyesError(DISK_FULL, "There is no room.")
        monkeypatch.setattr(paper.run.log, "begin", lambda *_: (_ for _ in ()).throw(full))
        stopped = await done(paper, 2)
        assert stopped.error is not None
        assert (stopped.error.code, stopped.step.dispatched, stopped.verdict) == ("DISK_FULL", "no", "refused")
        assert "act" not in paper.calls[len(done_before) :]

    run(story())


def test_no_typed_secret_reaches_the_run_folder(make: Any) -> None:
    from deepseekeyes.core.secrets import remember

    async def story() -> None:
        paper = make()
        secret = "hunter2-and-more"
        remember(secret)
        await look(paper, paper.run)
        told = {"value": paper.run.keys.told(secret)}
        found = await done(paper, 1, "type", secret, arguments=told)
        assert found.verdict == "verified"
        paper.lines.append(f"You typed {secret} into the field")
        await look(paper, paper.run)
        assert paper.run.folder is not None
        everything = b"".join(path.read_bytes() for path in paper.run.folder.rglob("*") if path.is_file())
        assert secret.encode() not in everything
        assert lines(paper)[2]["arguments"]["value"]["length"] == len(secret)
        assert lines(paper)[2]["shot"]["masks"] == [{"x": 20.0, "y": 270.0, "width": 260.0, "height": 34.0}]

    run(story())


def test_a_failed_look_is_a_step_and_raises(make: Any) -> None:
    async def story() -> None:
        paper = make()
        paper.fail_observe = EyesError(TORN, "Nothing to see.")
        with pytest.raises(EyesError):
            await look(paper, paper.run)
        assert (lines(paper)[-1]["error"]["code"], lines(paper)[-1]["verdict"]) == ("PAPER_TORN", None)

    run(story())
