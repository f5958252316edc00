"""What outlasts a command: runs nobody can change unnoticed, secrets that are nowhere, displays that stay usable."""

from __future__ import annotations

import json
import signal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from desktop_driving import Hands
from desktop_session import Program, until

pytestmark = [pytest.mark.service, pytest.mark.timeout(600)]

SECRET = "open-sesame-42"
TYPED = "a sentence that stays where it was typed"
ENTRY = ("--x", "240", "--y", "44")


def text_of(program: Program) -> str:
    """What the form's entry holds by now."""
    return str(next((each["value"] for each in reversed(program.told()) if each["event"] == "name"), ""))


def run_folder(hands: Hands) -> Path:
    (steps,) = (hands.home / "desktop-runs").rglob("steps.jsonl")
    return steps.parent


def test_a_secret_is_typed_and_found_nowhere(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    program = hands.desktop.run("gtk3")
    title = ("--title", "gtk3 form")
    field = ("--role", "password_text", "--name", "Password")
    assert hands.status("type", *title, *field, "--secret", "--value", SECRET)[0] == 2
    hands.answers.clear()
    typed = hands("type", *title, *field, "--secret", "--value-env", "WORD", "--screenshot", WORD=SECRET)
    program.tells("password", value=SECRET)
    (row,) = [row for row in typed["state"]["elements"] if row["name"] == "Password" and row["protected"]]
    assert (row.get("value"), typed["target"]["protected"]) == (None, True)
    box = row["bbox"]
    inside = hands.picture(typed["state"]).crop(
        (
            round(box["x"]) + 1,
            round(box["y"]) + 1,
            round(box["x"] + box["width"]) - 1,
            round(box["y"] + box["height"]) - 1,
        )
    )
    assert len(inside.getcolors(1 << 20) or []) == 1
    hands("type", *title, "--role", "text", "--name", "Name", "--value", TYPED)
    program.tells("name", value=TYPED)
    hands("report")
    hands("close")
    assert [answer for answer in hands.answers if SECRET.encode() in answer] == []
    assert hands.holding(SECRET) == []
    folder = run_folder(hands)
    assert [path for path in hands.holding(TYPED) if folder in path.parents] == []


def test_a_changed_run_is_noticed(hands: Hands) -> None:
    hands.desktop.run("gtk3")
    hands("click", "--title", "gtk3 form", "--role", "push_button", "--name", "Greet")
    hands("assert", "window_exists", "--title", "gtk3 form")
    report = hands("report")
    assert report["schema"] == "deepseekeyes.desktop-report.v2"
    assert (report["summary"]["passed"], report["summary"]["assertionCount"]) == (True, 1)
    assert Path(report["page"]).is_file()
    assert hands.status("report", "--verify")[0] == 0
    steps = run_folder(hands) / "steps.jsonl"
    kept = steps.read_bytes()
    steps.write_bytes(kept.replace(b"push_button", b"menu_button", 1))
    status, found = hands.status("report", "--verify")
    assert (status, found["passed"]) == (1, False)
    steps.write_bytes(kept)
    assert hands.status("report", "--verify")[0] == 0


def test_a_command_killed_in_the_middle_leaves_a_display_that_works(hands: Hands) -> None:
    program = hands.desktop.run("tk")
    spare = hands.desktop.display.spare_keycodes()
    state = hands("observe", "--title", "tk form")["stateId"]
    going = hands.start("type", *ENTRY, "--state", state, "--value", "你好世界" * 100)
    until("the first characters", lambda: text_of(program))
    going.send_signal(signal.SIGKILL)
    going.communicate()
    seen = hands("observe", "--title", "tk form")
    assert seen["warnings"][0].startswith("The last command was killed during type;")
    before = text_of(program)
    typed = hands("type", *ENTRY, "--state", seen["stateId"], "--value", "done €")
    until("the text", lambda: len(text_of(program)) == len(before) + 6)
    assert (typed["verdict"] in ("verified", "unverified"), "done €" in text_of(program)) == (True, True)
    assert hands.desktop.display.spare_keycodes() == spare
    status, report = hands.status("report")
    killed = [one for one in report["steps"] if one["error"] and one["error"]["code"] == "DESKTOP_ACTION_INTERRUPTED"]
    assert (status, [(one["action"], one["dispatched"]) for one in killed]) == (1, [("type", "unknown")])


def test_two_commands_on_one_display_take_turns(hands: Hands) -> None:
    program = hands.desktop.run("tk")
    other = Hands(hands.desktop, hands.home, session="other")
    texts = ("a" * 300, "b" * 300)
    going = []
    for who, text in zip((hands, other), texts, strict=True):
        state = who("observe", "--title", "tk form")["stateId"]
        going.append(who.start("type", *ENTRY, "--state", state, "--value", text))
    ended = [who.ended(process) for who, process in zip((hands, other), going, strict=True)]
    assert [status for status, _ in ended] == [0, 0], ended
    whole = text_of(program)
    assert (len(whole), sum(one in whole for one in texts) >= 1) == (600, True)
    changes = sum(left != right for left, right in pairwise(whole))
    assert changes <= 2


def test_a_script_of_steps_runs_in_one_process_and_writes_the_report(hands: Hands, tmp_path: Path) -> None:
    program = hands.desktop.run("gtk3")
    where: dict[str, Any] = {"title": "gtk3 form"}
    steps = [
        {"action": "observe", **where},
        {"action": "type", **where, "role": "text", "name": "Name", "value": "Ada"},
        {"action": "click", **where, "role": "push_button", "name": "Greet"},
        {"action": "assert", "assertion": "window_exists", **where},
    ]
    path = tmp_path / "steps.jsonl"
    path.write_text("".join(json.dumps(step) + "\n" for step in steps), encoding="utf-8")
    ran = hands("run", str(path))
    program.tells("greet", value="Ada")
    assert (ran["passed"], ran["done"], ran["total"]) == (True, 4, 4)
    assert Path(ran["report"]).is_file()
