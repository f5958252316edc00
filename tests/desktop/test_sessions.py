"""A session from process to process: its document, the display's lock, its end; and what holds it back."""

from __future__ import annotations

import json
import stat
from typing import Any

import pytest
from paper_desktop import PaperDesktop, form

from deepseekeyes.core.lock import locked


def _click(hands: Any, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = hands("click", name="Agree", title="form", **more)
    return found


def test_nothing_is_opened_before_it_was_allowed_and_a_session_keeps_the_word(hands: Any, paper: PaperDesktop) -> None:
    hands.settings["enabled"] = False
    for verb, given in (("observe", {}), ("windows", {}), ("launch", {"program": "x", "allow_launch": True})):
        assert hands(verb, **given)["error"]["code"] == "DESKTOP_DISABLED"
    assert paper.opened == 0

    assert hands("observe", enable=True, title="form")["scope"] == "window"
    assert _click(hands)["verdict"] == "verified"
    hands("close")
    assert hands("observe")["error"]["code"] == "DESKTOP_DISABLED"


def test_each_command_opens_the_display_and_lets_go_of_it(hands: Any, paper: PaperDesktop) -> None:
    hands("observe")
    hands("windows")
    assert (paper.opened, paper.closed) == (2, True)


@pytest.mark.parametrize("name", ["..", ".", "a/b", "", "x" * 65, "ä"])
def test_a_session_name_is_a_plain_word(hands: Any, paper: PaperDesktop, name: str) -> None:
    assert hands("observe", session=name)["error"]["kind"] == "usage"
    assert paper.opened == 0


def test_the_session_document_is_private_and_holds_no_value(hands: Any, paper: PaperDesktop) -> None:
    paper.find("win-form").things[2].value = "written before"
    hands("observe", title="form")
    path = hands.place / "desktop-sessions" / "default.json"

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "written before" not in path.read_text()


def test_of_two_commands_with_one_state_the_second_is_refused(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe", title="form")
    ref = next(one["ref"] for one in seen["elements"] if one["name"] == "Agree")
    first = hands("click", ref=ref, state=seen["stateId"])
    second = hands("click", ref=ref, state=seen["stateId"])

    assert first["verdict"] == "verified"
    assert second["error"]["code"] == "DESKTOP_STATE_STALE"
    assert paper.find("win-form").things[4].checked is True


def test_a_display_in_use_is_waited_for_and_then_named_busy(hands: Any, paper: PaperDesktop) -> None:
    hands.settings["lock_timeout_ms"] = 20
    with locked(hands.place / "run" / "desktop-paper.lock"):
        assert hands("observe")["error"]["code"] == "DESKTOP_DISPLAY_BUSY"
    assert hands("observe")["scope"] == "desktop"


def test_a_process_killed_after_its_click_leaves_a_state_nobody_may_act_on(hands: Any, paper: PaperDesktop) -> None:
    seen = hands("observe", title="form")
    path = hands.place / "desktop-sessions" / "default.json"
    kept: list[str] = []
    before: list[str] = []
    doing: list[str] = []

    def killed_here() -> None:
        kept.append(path.read_text())
        (steps,) = hands.place.rglob("steps.jsonl")
        before.append(steps.read_text())
        doing.append((steps.parent / "doing.json").read_text())

    paper.hooks["click"] = killed_here
    ref = next(one["ref"] for one in seen["elements"] if one["name"] == "Agree")
    hands("click", ref=ref, state=seen["stateId"])

    assert json.loads(kept[0])["content"]["run"]["trusted"] is False
    path.write_text(kept[0])
    (steps,) = hands.place.rglob("steps.jsonl")
    steps.write_text(before[0])
    (steps.parent / "doing.json").write_text(doing[0])
    again = hands("click", ref=ref, state=seen["stateId"])
    assert (again["verdict"], again["error"]["kind"]) == ("refused", "refused-stale")
    assert again["state"]["warnings"] == ["The last command was killed during click; that may have been done in part."]
    report = hands("report")
    (killed,) = [one for one in report["steps"] if one["error"] and one["error"]["kind"] == "unresolved"]
    assert (killed["action"], killed["verdict"], killed["dispatched"]) == ("click", "unverified", "unknown")
    assert report["summary"]["passed"] is False
    assert hands("observe", title="form")["sequence"] > seen["sequence"]


def test_another_display_makes_every_state_worthless(hands: Any, paper: PaperDesktop, monkeypatch: Any) -> None:
    seen = hands("observe", title="form")
    path = hands.place / "desktop-sessions" / "default.json"
    stored = json.loads(path.read_text())
    stored["content"]["display"] = "elsewhere"
    path.write_text(json.dumps(stored))
    ref = next(one["ref"] for one in seen["elements"] if one["name"] == "Agree")
    done = hands("click", ref=ref, state=seen["stateId"])
    assert done["verdict"] == "refused"
    assert paper.sent() == []


def test_a_closed_session_acts_no_more_reports_still_and_begins_anew_with_a_look(
    hands: Any, paper: PaperDesktop
) -> None:
    seen = hands("observe", title="form")
    closed = hands("close")
    assert [one["runId"] for one in closed["sessions"]] == [seen["runId"]]
    ref = next(one["ref"] for one in seen["elements"] if one["name"] == "Agree")
    assert hands("click", ref=ref, state=seen["stateId"])["error"]["code"] == "DESKTOP_SESSION_CLOSED"
    report = hands("report")
    assert (report["runId"], report["closedAt"] is not None) == (seen["runId"], True)
    assert 'key":null' in json.dumps(
        json.loads((hands.place / "desktop-sessions" / "default.json").read_text()), separators=(",", ":")
    )
    assert hands("observe")["runId"] != seen["runId"]


def test_close_all_ends_every_session_and_what_is_under_way_stops(hands: Any, paper: PaperDesktop) -> None:
    hands("observe", session="one")
    hands("observe", session="two")
    hands("observe", title="form")
    ended: list[Any] = []
    paper.hooks["watch"] = lambda: ended.append(hands("close", all=True))
    done = _click(hands)

    assert sorted(one["name"] for one in ended[0]["sessions"]) == ["default", "one", "two"]
    assert done["error"]["code"] == "DESKTOP_SESSION_CLOSED"
    assert paper.sent() == []
    assert [one["closedAt"] is not None for one in hands("sessions")["items"]] == [True, True, True]


def test_a_script_stops_when_its_session_is_closed(hands: Any, paper: PaperDesktop) -> None:
    hands.stdin = b"\n".join(
        [
            b'{"action": "observe", "title": "form"}',
            b'{"action": "click", "name": "Agree", "title": "form"}',
            b'{"action": "click", "name": "Save", "title": "form"}',
        ]
    )
    paper.hooks["click"] = lambda: hands("close", all=True)
    done = hands("run", steps="-", keep_going=True)
    assert (done["passed"], done["done"], done["error"]["code"]) == (False, 2, "DESKTOP_SESSION_CLOSED")
    assert paper.sent() == ["click"]


def test_a_hand_in_the_corner_stops_everything_and_our_own_pointer_does_not(hands: Any, paper: PaperDesktop) -> None:
    paper.at = (0, 0)
    done = _click(hands)
    assert (done["verdict"], done["error"]["code"], done["error"]["kind"]) == ("refused", "DESKTOP_ABORTED", "policy")
    assert paper.sent() == []

    paper.at = (200, 100)
    seen = hands("observe")
    assert hands("click", x=0, y=0, state=seen["stateId"])["error"] is None
    assert paper.at == (0, 0)
    assert _click(hands)["error"] is None
    hands.settings["abort_corner"] = "off"
    paper.at = (1, 0)
    assert _click(hands)["error"] is None


@pytest.mark.parametrize(
    "app", ["KeePassXC", "org.keepassxc.KeePassXC", "org.gnome.seahorse.Application", "/usr/bin/bitwarden", "former"]
)
def test_programs_left_alone_are_neither_looked_into_nor_used(hands: Any, paper: PaperDesktop, app: str) -> None:
    hands.settings["deny"] = ("Former",)
    paper.find("win-form").app = app
    assert hands("observe", title="form")["error"]["code"] in ("DESKTOP_APPLICATION_DENIED", "DESKTOP_NO_MATCH")
    seen = hands("observe")
    window = seen["windows"][0]
    assert window["title"] == "(withheld)"
    assert seen["masks"] == [{"x": 40, "y": 30, "width": 200, "height": 160}]
    assert hands("observe", app=app)["error"]["code"] == "DESKTOP_APPLICATION_DENIED"
    done = hands("click", x=60, y=50, state=hands("observe")["stateId"])
    assert (done["verdict"], done["error"]["code"]) == ("refused", "DESKTOP_APPLICATION_DENIED")
    assert paper.sent() == []


def test_where_programs_are_listed_only_they_are_used_and_all_are_seen(hands: Any, paper: PaperDesktop) -> None:
    hands.settings["apps"] = ("editor",)
    assert hands("observe", title="form")["scope"] == "window"
    assert _click(hands)["error"]["code"] == "DESKTOP_APPLICATION_DENIED"
    hands.settings["apps"] = (
        "editor",
        "FORMER",
    )
    assert _click(hands)["verdict"] == "verified"


def test_a_program_is_launched_only_when_it_is_allowed(hands: Any, paper: PaperDesktop) -> None:
    denied = hands("launch", program="notes", arguments=["--secret-flag"])
    assert (denied["error"]["code"], denied["error"]["kind"]) == ("DESKTOP_LAUNCH_DENIED", "policy")
    assert paper.opened == 0
    hands.settings["allow"] = ("notes",)
    done = hands("launch", program="notes", arguments=["--secret-flag"])

    assert (done["verdict"], done["facts"]["pid"]) == ("verified", 4_000)
    assert done["state"]["capturedWindow"] is not None
    assert paper.calls == [("launch", "notes", "--secret-flag")]
    assert hands("report")["steps"][-1]["arguments"]["argumentCount"] == 1
    assert "--secret-flag" not in hands.written()
    hands.settings["deny"] = ("notes",)
    assert hands("launch", program="/usr/bin/notes", allow_launch=True)["error"]["code"] == "DESKTOP_APPLICATION_DENIED"


def test_protected_fields_are_painted_over_in_the_window_and_on_the_desktop(hands: Any, paper: PaperDesktop) -> None:
    window = hands("observe", title="form")
    assert window["masks"] == [{"x": 50, "y": 40, "width": 140, "height": 20}]
    desktop = hands("observe")
    assert desktop["masks"] == [{"x": 90, "y": 70, "width": 140, "height": 20}]
    assert desktop["elements"] == []


def test_a_tree_that_does_not_answer_still_gives_a_picture(hands: Any, paper: PaperDesktop) -> None:
    paper.walk_status = "timeout"
    seen = hands("observe", title="form")
    assert (seen["elements"], seen["screenshot"] is not None) == ([], True)
    assert seen["semanticStatus"]["limitReason"] == "app-timeout"
    assert seen["visualDelivery"]["delivered"] is True


def test_a_large_screen_is_cut_into_tiles_and_they_are_what_is_shown(hands: Any, paper: PaperDesktop) -> None:
    hands.settings["screenshot_side"] = 210
    seen = hands("observe", screenshot=True)
    assert [(one["x"], one["y"]) for one in seen["tiles"]] == [(0, 0), (0, 150), (200, 0), (200, 150)]
    assert all(one["image"]["sha256"] in hands.kept for one in seen["tiles"])
    assert seen["screenshot"]["sha256"] in hands.kept
    hands.settings["screenshot_tiles"] = 2
    cut = hands("observe", screenshot=True)
    told = cut["visualDelivery"]
    assert (cut["tiles"], told["trouble"][:24], cut["screenshot"] is None) == ([], "DESKTOP_SCREENSHOT_LIMIT", False)
    assert (told["delivered"], told["reason"], told["tiles"]) == (False, "screenshot-limit", 0)


def test_without_a_folder_steps_stay_in_the_session_and_the_report_is_whole(hands: Any, paper: PaperDesktop) -> None:
    hands.settings["artifacts_dir"] = False
    hands("observe", title="form")
    _click(hands)
    report = hands("report")
    assert (report["path"], len(report["steps"])) == (None, 2)
    assert not (hands.place / "desktop-runs").exists()


CLAIMS = [
    ("window_exists", {"title": "form"}, True),
    ("window_exists", {"title": "missing"}, False),
    ("window_title_contains", {"title": "form", "expected": "or"}, True),
    ("window_title_contains", {"title": "form", "expected": "OR"}, False),
    ("element_exists", {"name": "Save", "title": "form"}, True),
    ("element_exists", {"name": "Nothing", "title": "form"}, False),
    ("element_hidden", {"name": "Nothing", "title": "form"}, True),
    ("element_enabled", {"name": "Later", "title": "form"}, False),
    ("element_disabled", {"name": "Later", "title": "form"}, True),
    ("element_focused", {"name": "Name", "title": "form"}, False),
    ("element_value_equals", {"role": "text", "name": "Total", "title": "form", "expected": "12"}, True),
    ("element_name_contains", {"role": "push_button", "name": "Save", "title": "form", "expected": "av"}, True),
    ("unchecked", {"name": "Agree", "title": "form"}, True),
]


@pytest.mark.parametrize(("kind", "given", "passed"), CLAIMS)
def test_claims_about_windows_and_elements(
    hands: Any, paper: PaperDesktop, kind: str, given: dict[str, Any], passed: bool
) -> None:
    hands("observe")
    found = hands("assert", assertion=kind, **given)
    assert (found["error"], found["passed"]) == (None, passed)
    assert found["assertion"]["verifiedBy"] == "runtime"


def test_the_screen_is_compared_by_its_pixels(hands: Any, paper: PaperDesktop) -> None:
    hands("observe", title="form")
    assert hands("assert", assertion="screen_unchanged")["passed"] is True
    paper.find("win-form").things[2].value = "x"
    assert hands("assert", assertion="screen_changed")["passed"] is True


def test_a_visual_claim_passes_only_when_the_pixels_were_shown(hands: Any, paper: PaperDesktop) -> None:
    given = {"assertion": "visual", "expected": "a form", "actual": "a form", "passed": True}
    hands("observe", title="form")
    assert hands("assert", **given)["error"]["code"] == "ASSERTION_UNSEEN"
    hands("observe", title="form", screenshot=True)
    found = hands("assert", **given)
    assert (found["passed"], found["assertion"]["verifiedBy"]) == (True, "caller")
    hands("observe", title="form", screenshot=True)
    paper.find("win-form").things[2].value = "changed since"
    assert hands("assert", **given)["error"]["code"] == "ASSERTION_UNSEEN"


def test_a_failed_claim_and_a_refused_action_fail_the_report_each_by_its_own_count(
    hands: Any, paper: PaperDesktop
) -> None:
    hands("observe", title="form")
    hands("assert", assertion="element_exists", name="Nothing", title="form")
    hands("click", name="Later", title="form")
    summary = hands("report")["summary"]
    assert (summary["passed"], summary["actionFailureCount"], summary["assertionFailureCount"]) == (False, 1, 1)


def test_a_ref_that_vanishes_during_a_claim_makes_it_false_and_an_unknown_one_is_refused(
    hands: Any, paper: PaperDesktop
) -> None:
    seen = hands("observe", title="form")
    ref = next(one["ref"] for one in seen["elements"] if one["name"] == "Save")
    paper.find("win-form").things[5].gone = True
    assert hands("assert", assertion="element_exists", ref=ref)["passed"] is False
    again = hands("assert", assertion="element_exists", ref=ref)
    assert again["error"]["code"] == "DESKTOP_ELEMENT_REF_NOT_FOUND"


def test_waiting_ends_when_it_comes_true_or_says_that_it_did_not(hands: Any, paper: PaperDesktop) -> None:
    hands("observe", title="form")
    paper.hooks["elements"] = lambda: setattr(paper.find("win-form").things[6], "enabled", True)
    assert hands("wait", until="enabled", name="Later", title="form")["scope"] == "window"
    assert hands("wait", until="still", title="form")["scope"] == "window"
    late = hands("wait", until="window", title="never", timeout_ms=1)
    assert late["error"]["code"] == "DESKTOP_WAIT_TIMEOUT"
    assert hands("wait", until="no-window", title="never", timeout_ms=1)["scope"] == "desktop"
    assert hands("wait", until="title", expected="orm", title="form")["scope"] == "window"


def test_a_script_gives_the_documents_of_single_commands_and_the_report(hands: Any, paper: PaperDesktop) -> None:
    (hands.place).mkdir(parents=True, exist_ok=True)
    (hands.place / "steps.jsonl").write_text(
        "\n".join(
            json.dumps(one)
            for one in (
                {"action": "observe", "title": "form"},
                {"action": "TYPE", "name": "Name", "title": "form", "value": "scripted"},
                {"action": "set_value", "name": "Name", "title": "form", "value": "again"},
                {"action": "move_cursor", "x": 20, "y": 20, "state": "newest"},
                {"action": "assert", "assertion": "element_value_equals", "role": "text", "name": "Name",
                 "title": "form", "expected": "again"},
            )
        )
    )  # fmt: skip
    done = hands("run", steps="steps.jsonl")

    assert (done["passed"], done["total"], done["done"], done["error"]) == (True, 5, 5, None)
    assert [one["action"] for one in done["steps"]] == ["observe", "type", "set-value", "move-cursor", "assert"]
    assert "scripted" not in json.dumps(done["steps"])
    assert done["report"].endswith("report.html")
    assert hands("verify")["passed"] is True
    assert hands("sessions")["items"][0]["closedAt"] is not None


def test_a_script_with_a_mistake_is_refused_before_anything_is_done(hands: Any, paper: PaperDesktop) -> None:
    hands.stdin = b'{"action": "observe"}\n{"action": "clik"}'
    found = hands("run", steps="-")
    assert found["error"]["code"] == "SCRIPT_INVALID"
    assert "click" in found["error"]["message"]
    assert paper.opened == 0


def test_of_several_windows_of_a_program_a_look_takes_the_one_a_person_means(hands: Any, paper: PaperDesktop) -> None:
    form(paper, title="tool", at=(10, 5))
    paper.find("win-tool").box = paper.find("win-tool").box._replace(width=60, height=40)
    paper.find("win-tool").kind = "utility"
    seen = hands("observe", app="former")
    assert next(one["title"] for one in seen["windows"] if one["ref"] == seen["capturedWindow"]) == "form"
