"""A real host process, seen by the commands that use it."""

from __future__ import annotations

import json
import os
import signal
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes import __version__
from deepseekeyes.core.errors import EyesError
from deepseekeyes.session import listing, orphans, wire
from deepseekeyes.session.client import Reply
from deepseekeyes.session.descriptor import read

pytestmark = pytest.mark.service

Background = Callable[[Callable[[], Any]], threading.Thread]


def refused(work: Callable[[], Any]) -> EyesError:
    with pytest.raises(EyesError) as caught:
        work()
    return caught.value


def test_commands_share_one_process_and_closing_ends_it(trial: Any, tmp_path: Path, monkeypatch: Any) -> None:
    opened = trial("open")
    monkeypatch.chdir(tmp_path)
    second = trial("add", verdict=True)
    assert second == Reply(
        {
            "schema": "deepseekeyes.trial.v1",
            "calls": 2,
            "pid": opened.document["pid"],
            "cwd": str(tmp_path),
            "text": "",
            "child": None,
            "verdict": True,
        },
        outcome="verdict",
    )
    place = trial.place()
    assert stat.S_IMODE(place.folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in (place.descriptor, place.log)] == [0o600, 0o600]
    assert stat.S_IMODE(Path(read(place).address.removeprefix("unix:")).stat().st_mode) == 0o600
    assert trial("close").document["calls"] == 3
    assert not place.descriptor.exists()
    again = trial("open").document
    assert again["calls"] == 1
    assert again["pid"] != opened.document["pid"]


def test_without_a_session_the_command_that_starts_one_is_named(trial: Any) -> None:
    failed = refused(lambda: trial("add", session="shop"))
    assert (failed.code.name, failed.hint) == (
        "SESSION_NOT_FOUND",
        "Start one: deepseekeyes trial open URL --session shop",
    )
    assert not trial.place("shop").folder.exists()


def test_sessions_of_several_names_live_side_by_side_and_are_listed(trial: Any, home: Path) -> None:
    pids = {name: trial("open", session=name).document["pid"] for name in ("one", "two")}
    rows = listing.sessions(home, "trial")
    assert {row.name: (row.pid, row.version, row.answers) for row in rows.items} == {
        name: (pid, __version__, True) for name, pid in pids.items()
    }
    os.kill(pids["one"], signal.SIGKILL)
    while trial.place("one").alive:
        pass
    rows = listing.sessions(home, "trial")
    assert ([row.name for row in rows.items], rows.ended) == (["two"], ("one",))


def test_a_failed_first_operation_leaves_no_host_behind(trial: Any) -> None:
    failed = refused(lambda: trial("open", refuse=True))
    assert (failed.code.name, failed.kind, failed.hint) == ("TRIAL_REFUSED", "policy", "Ask for less.")
    listing._gone(trial.place(), 30)
    assert not trial.place().alive


def test_a_bug_in_an_operation_is_told_and_the_session_goes_on(trial: Any, home: Path) -> None:
    trial("open")
    assert refused(lambda: trial("add", bug=True)).code.name == "INTERNAL"
    assert len(list((home / "crash").glob("*.txt"))) == 1
    assert trial("add").document["calls"] == 2


def test_a_reply_beyond_the_limit_names_the_limit(trial: Any) -> None:
    trial.environ["DEEPSEEKEYES_SESSION_MAX_LINE_BYTES"] = "65536"
    trial("open")
    failed = refused(lambda: trial("add", size=70_000))
    assert failed.code.name == "SESSION_LINE_LIMIT"
    assert failed.details["limit"] == {"name": "max_line_bytes", "value": 65536, "setting": "session.max_line_bytes"}
    assert refused(lambda: trial("add", variable="x" * 70_000)).code.name == "SESSION_LINE_LIMIT"


def test_standard_input_and_environment_are_the_callers_own(trial: Any, monkeypatch: Any) -> None:
    trial("open")
    assert trial("add", trial.port(b"typed text"), stdin=True).document["text"] == "typed text"
    monkeypatch.setenv("LATER_SET", "only here")
    assert trial("add", variable="LATER_SET").document["text"] == "only here"


def test_operations_run_one_at_a_time_and_one_too_many_is_told_so(trial: Any, background: Background) -> None:
    trial.environ["DEEPSEEKEYES_SESSION_WAITING"] = "1"
    trial("open")
    port = trial.port()
    counts: list[int] = []
    running = background(lambda: counts.append(trial("add", port, hold_s=1.5).document["calls"]))
    assert port.noted.wait(30)
    waiting = wire.connect(read(trial.place()).address, 5)
    with waiting:
        message = {"protocol": 1, "operation": "trial.add", "payload": {}, "cwd": ""}
        waiting.sendall(wire.encoded(message, 65_536))
        busy = refused(lambda: trial("read"))
        assert (busy.code.name, busy.details["limit"]["setting"]) == ("SESSION_BUSY", "session.waiting")
        events = [wire.decoded(line) for line in wire.lines(waiting, 65_536)]
    running.join(30)
    assert counts == [2]
    assert events[-1]["document"]["calls"] == 3


def test_a_command_that_leaves_stops_what_only_reads_and_lets_acts_finish(trial: Any) -> None:
    trial("open")
    for verb, seconds in (("add", 0.3), ("read", 600)):
        descriptor = read(trial.place())
        with wire.connect(descriptor.address, 5) as connection:
            message = {"protocol": 1, "operation": f"trial.{verb}", "payload": {"hold_s": seconds}, "cwd": ""}
            connection.sendall(wire.encoded(message, 65_536))
            assert wire.decoded(next(wire.lines(connection, 65_536)))["event"] == "started"
    assert trial("add").document["calls"] == 3


def test_a_killed_host_is_explained_by_the_next_command_and_nothing_of_it_remains(trial: Any) -> None:
    trial("open")
    child = trial("child").document
    place, mark = trial.place(), read(trial.place()).mark
    assert sorted(orphans.carriers(mark)) == sorted([child["pid"], child["child"]])
    os.kill(child["pid"], signal.SIGKILL)
    while place.alive:
        pass
    failed = refused(lambda: trial("add"))
    assert (failed.code.name, failed.hint) == ("SESSION_DIED", "Start a new one: deepseekeyes trial open URL")
    assert list(orphans.carriers(mark)) == []
    assert sorted(path.suffix for path in place.folder.iterdir()) == [".lock", ".log"]
    assert refused(lambda: trial("add")).code.name == "SESSION_NOT_FOUND"
    assert trial("open").document["calls"] == 1


def test_a_host_killed_in_the_middle_of_an_action_leaves_it_unresolved(trial: Any, background: Background) -> None:
    pid = trial("open").document["pid"]
    port = trial.port()
    told: list[EyesError] = []
    thread = background(lambda: told.append(refused(lambda: trial("add", port, hold_s=600))))
    assert port.noted.wait(30)
    os.kill(pid, signal.SIGKILL)
    thread.join(30)
    assert (told[0].code.name, told[0].exit_code, told[0].details["dispatched"]) == ("SESSION_LOST", 8, "unknown")
    assert "trial.add" in told[0].message


def test_a_terminated_host_ends_its_children_and_answers_what_waits(trial: Any, background: Background) -> None:
    trial("open")
    child = trial("child").document
    port = trial.port()
    told: list[EyesError] = []
    thread = background(lambda: told.append(refused(lambda: trial("add", port, hold_s=600))))
    assert port.noted.wait(30)
    os.kill(child["pid"], signal.SIGTERM)
    thread.join(60)
    assert told[0].code.name == "SESSION_ENDING"
    assert listing._gone(trial.place(), 30)
    assert not Path(f"/proc/{child['child']}").exists()


def test_an_idle_host_ends_by_itself(trial: Any) -> None:
    trial.environ["DEEPSEEKEYES_SESSION_IDLE_S"] = "1"
    trial("open")
    assert listing._gone(trial.place(), 60)
    assert "idle for 1 s" in trial.place().log.read_text()
    assert not trial.place().descriptor.exists()


def test_a_host_of_another_version_is_refused_and_can_be_ended(trial: Any) -> None:
    trial("open")
    place = trial.place()
    stored = json.loads(place.descriptor.read_text())
    place.descriptor.write_text(json.dumps({**stored, "version": "0.0.1"}))
    failed = refused(lambda: trial("add"))
    assert (failed.code.name, failed.hint) == (
        "SESSION_VERSION",
        "End it, then start a new one: deepseekeyes trial close --session default",
    )
    ended = listing.end(place, "another version")
    assert (ended.pid, place.alive, place.descriptor.exists()) == (stored["pid"], False, False)


def test_a_host_that_cannot_start_says_why(trial: Any) -> None:
    trial.environ["DEEPSEEKEYES_SESSION_IDLE_S"] = "never"
    assert refused(lambda: trial("open")).kind == "input"
    trial.environ.pop("DEEPSEEKEYES_SESSION_IDLE_S")
    trial.environ["PYTHONPATH"] = ""
    failed = refused(lambda: trial("open"))
    assert failed.code.name == "SESSION_START_FAILED"
    assert "trial_host" in failed.message


def test_something_in_the_place_of_the_socket_is_named(trial: Any) -> None:
    trial.place().socket.mkdir(parents=True)
    failed = refused(lambda: trial("open"))
    assert (failed.code.name, failed.kind) == ("SESSION_START_FAILED", "input")
    assert str(trial.place().socket) in failed.message


def test_two_commands_that_start_one_session_share_it(trial: Any, background: Background) -> None:
    pids: list[int] = []
    threads = [background(lambda: pids.append(trial("open").document["pid"])) for _ in range(2)]
    for thread in threads:
        thread.join(60)
    assert len(pids) == 2
    assert len(set(pids)) == 1


def test_a_host_that_hangs_is_told_and_can_still_be_ended(trial: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = trial("open").document["pid"]
    monkeypatch.setattr("deepseekeyes.session.client.SILENCE_S", 0.5)
    monkeypatch.setattr(listing, "TERM_S", 0.5)
    os.kill(pid, signal.SIGSTOP)
    failed = refused(lambda: trial("add"))
    assert (failed.code.name, failed.hint) == (
        "SESSION_UNRESPONSIVE",
        "End it: deepseekeyes trial close --session default",
    )
    assert listing.end(trial.place(), "it hangs").pid == pid
    assert not trial.place().alive


def test_a_host_that_was_stopped_is_asked_to_end_before_it_is_killed(
    trial: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = trial("open").document["pid"]
    sent: list[int] = []
    signalled = listing._signal
    monkeypatch.setattr(listing, "_signal", lambda pid, number: (sent.append(number), signalled(pid, number)))
    os.kill(pid, signal.SIGSTOP)
    assert listing.end(trial.place(), "it was stopped").pid == pid
    assert (sent, trial.place().alive) == ([signal.SIGTERM, signal.SIGCONT], False)
