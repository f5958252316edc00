"""What a session does in which order, what it looks at next, and what it writes down of it."""

from __future__ import annotations

import string
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from laws import examples
from paper_desktop import PaperDesktop, form

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.click import ClickRequest
from deepseekeyes.desktop.requests import on_target


def _ref(seen: dict[str, Any], name: str) -> str:
    return str(next(one["ref"] for one in seen["elements"] if one["name"] == name and one["role"] != "label"))


def test_an_old_state_costs_one_look_and_no_click(
    hands: Any, paper: PaperDesktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = hands("observe", title="form")
    hands("click", ref=_ref(seen, "Agree"), state=seen["stateId"])
    sent, looks, captured = list(paper.calls), [], paper.capture
    monkeypatch.setattr(paper, "capture", lambda target=None: (looks.append(target), captured(target))[1])
    stale = hands("click", ref=_ref(seen, "Save"), state=seen["stateId"])
    assert (stale["verdict"], stale["error"]["code"]) == ("refused", "DESKTOP_STATE_STALE")
    assert (paper.calls, looks) == (sent, ["win-form"])


def test_after_an_action_the_delta_is_from_the_state_that_was_given_and_names_the_fields(
    hands: Any, paper: PaperDesktop
) -> None:
    seen = hands("observe", title="form")
    done = hands("type", ref=_ref(seen, "Name"), value="Ada", state=seen["stateId"])
    assert (done["delta"]["fromStateId"], done["stateId"]) == (seen["stateId"], done["state"]["stateId"])
    changed = [(one["ref"], one["fields"]) for one in done["delta"]["elements"]["changed"]]
    assert changed == [(_ref(seen, "Name"), ["focused", "value"])]


NOT_FOUND: list[tuple[str, dict[str, Any], str]] = [
    ("observe", {"window": "win_000000000000"}, "DESKTOP_WINDOW_REF_NOT_FOUND"),
    ("observe", {"title": "missing"}, "DESKTOP_NO_MATCH"),
    ("assert", {"assertion": "element_exists", "ref": "el_000000000000"}, "DESKTOP_ELEMENT_REF_NOT_FOUND"),
    ("wait", {"until": "window", "title": "missing", "timeout_ms": 1}, "DESKTOP_WAIT_TIMEOUT"),
    ("wait", {"until": "time", "state": "desktop-state:0"}, "DESKTOP_STATE_STALE"),
]


@pytest.mark.parametrize(("verb", "what", "code"), NOT_FOUND, ids=[row[2] for row in NOT_FOUND])
def test_what_is_refused_before_anything_is_looked_at_is_a_step_and_fails_the_report(
    hands: Any, paper: PaperDesktop, verb: str, what: dict[str, Any], code: str
) -> None:
    hands("observe", title="form")
    assert hands(verb, **what)["error"]["code"] == code
    hands("observe", title="form")
    report = hands("report")
    assert [(one["action"], (one["error"] or {}).get("code")) for one in report["steps"]] == [
        ("observe", None), (verb, code), ("observe", None),
    ]  # fmt: skip
    assert (report["summary"]["passed"], report["summary"]["actionFailureCount"]) == (False, 1)


def test_a_program_that_is_named_comes_before_the_window_that_was_looked_at(hands: Any, paper: PaperDesktop) -> None:
    form(paper, title="other", at=(10, 5))
    paper.find("win-other").app = "writer"
    first = hands("observe", title="form")
    second = hands("observe", app="writer")
    titles = {one["ref"]: one["title"] for one in second["windows"]}
    assert (titles[first["capturedWindow"]], titles[second["capturedWindow"]]) == ("form", "other")
    stays = hands("click", ref=_ref(second, "Agree"), state=second["stateId"])
    assert stays["state"]["capturedWindow"] == second["capturedWindow"]


def test_closing_a_window_and_asking_for_one_look_at_the_whole_desktop(hands: Any, paper: PaperDesktop) -> None:
    form(paper, title="other", at=(10, 5))
    hands("observe", title="form")
    asked = hands("assert", assertion="window_exists", title="other")
    assert asked["passed"] is True
    assert hands("report")["steps"][-1]["action"] == "assert"
    closed = hands("close_window", title="other")
    assert (closed["verdict"], closed["state"]["scope"]) == ("verified", "desktop")


def test_boxes_are_those_of_the_windows_picture(hands: Any, paper: PaperDesktop) -> None:
    pane = paper.find("win-form")
    pane.box = Box(100, 50, 200, 160)
    pane.things[1].box = (1, 1, 10, 10)
    seen = hands("observe", title="form")
    label = next(one for one in seen["elements"] if one["role"] == "label")
    assert label["bbox"] == {"x": 1, "y": 1, "width": 10, "height": 10}


def test_a_visual_claim_that_fails_is_a_failed_claim_and_no_failed_action(hands: Any, paper: PaperDesktop) -> None:
    hands("observe", title="form", screenshot=True)
    hands("assert", assertion="visual", expected="a chart", actual="a form", passed=False)
    summary = hands("report")["summary"]
    assert (summary["passed"], summary["actionFailureCount"], summary["assertionFailureCount"]) == (False, 0, 1)


PLACES = st.fixed_dictionaries(
    {},
    optional={
        "ref": st.just("el_1"),
        "x": st.integers(0, 9),
        "y": st.integers(0, 9),
        "role": st.just("push_button"),
        "name": st.just("Save"),
        "state": st.just("s"),
    },
)


@given(PLACES)
def test_of_ref_point_and_name_exactly_one_is_a_target(given_: dict[str, Any]) -> None:
    kinds = [{"ref"} & given_.keys(), {"x", "y"} & given_.keys(), {"role", "name"} & given_.keys()]
    whole = not {"x", "y"} & given_.keys() or {"x", "y"} <= given_.keys()
    may = sum(map(bool, kinds)) == 1 and whole
    if may:
        assert on_target("click", ClickRequest(**given_)).action == "click"
        return
    with pytest.raises(EyesError) as caught:
        on_target("click", ClickRequest(**given_))
    assert (caught.value.kind, caught.value.details["dispatched"]) == ("usage", "no")


@examples(15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(string.ascii_letters + string.digits, min_size=9, max_size=24), protected=st.booleans())
def test_no_typed_text_is_in_any_file(hands: Any, text: str, protected: bool) -> None:
    paper = PaperDesktop()
    form(paper)
    paper.find("win-form").things[2].protected = True
    with tempfile.TemporaryDirectory() as place:
        own = type(hands)(Path(place), lambda _: paper, {})
        done = own("type", value=text, name="Password" if protected else "Name", title="form")
        own("report")
        assert done["error"] is None
        files = [path for path in Path(place).rglob("*") if path.is_file()]
        assert len(files) > 2
        assert [path.name for path in files if text.encode() in path.read_bytes()] == []
