"""The parts of a session that need no host."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.cli.options import Globals
from deepseekeyes.cli.sessions import perform_in_session
from deepseekeyes.core.errors import EyesError
from deepseekeyes.session import descriptor, orphans, spawn, wire
from deepseekeyes.session.client import Request, call
from deepseekeyes.session.descriptor import Descriptor, Place
from deepseekeyes.session.hold import Hold, held

pytestmark = pytest.mark.service

ROOT = Path(__file__).resolve().parents[2]
JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner), max_leaves=8)


def published(place: Place, **changes: Any) -> Descriptor:
    place.folder.mkdir(parents=True, exist_ok=True)
    made = {
        "kind": place.kind,
        "name": place.name,
        "pid": 1,
        "version": "1",
        "started_at": "2026-12-01T00:00:00.000Z",
        "address": f"unix:{place.socket}",
        "mark": "",
        "max_line_bytes": 65_536,
        **changes,
    }
    found = Descriptor(**made)
    descriptor.publish(place, found)
    return found


def test_a_lock_is_held_until_it_is_released(tmp_path: Path) -> None:
    path = tmp_path / "s.lock"
    hold, other = Hold(path), Hold(path)
    assert not held(path)
    assert hold.take()
    assert held(path)
    assert not other.take()
    hold.release()
    assert not held(path)
    assert other.take()
    other.release()


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"schema":"other"}', b'{"schema":"deepseekeyes.session.v1"}'])
def test_a_descriptor_that_cannot_be_understood_counts_as_none(tmp_path: Path, content: bytes) -> None:
    place = Place.of(tmp_path, "browser", "default")
    place.folder.mkdir(parents=True)
    place.descriptor.write_bytes(content)
    assert descriptor.read(place) is None


def test_a_descriptor_reads_back_as_it_was_published_and_never_shows_its_token(tmp_path: Path) -> None:
    place = Place.of(tmp_path, "browser", "default")
    found = published(place, token="secret-token")
    assert descriptor.read(place) == found
    assert "secret-token" not in repr(found)
    stored = json.loads(place.descriptor.read_text())
    place.descriptor.write_text(json.dumps({**stored, "pid": "many"}))
    assert descriptor.read(place) is None


@pytest.mark.parametrize("name", ["..", "a/b", "con", "ü", "x" * 300])
def test_session_names_never_leave_their_folder(tmp_path: Path, name: str) -> None:
    place = Place.of(tmp_path, "browser", name)
    assert place.descriptor.parent == tmp_path / "run" / "browser"
    assert place.descriptor.name not in ("...json", ".json")


def test_a_home_with_a_long_path_gets_a_short_private_socket(tmp_path: Path) -> None:
    place = Place.of(tmp_path / ("long" * 30), "browser", "default")
    path = descriptor.socket_path(place)
    assert len(os.fsencode(path)) <= descriptor.ADDRESS_BYTES
    assert path.parent.stat().st_mode & 0o777 == 0o700
    descriptor.sweep(place, published(place, address=f"unix:{path}"))
    assert not path.parent.exists()


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="children are found by their environment")
def test_children_of_a_killed_host_are_ended_and_their_profile_goes_with_them(tmp_path: Path) -> None:
    profile, own = tmp_path / "playwright_chromiumdev_profile-1", tmp_path / "my-profile"
    for folder in (profile, own):
        (folder / "Default").mkdir(parents=True)
    words = [f"--user-data-dir={profile}", f"--user-data-dir={own}"]
    line = [sys.executable, "-c", "input()", *words]
    with subprocess.Popen(line, stdin=subprocess.PIPE, env={descriptor.MARK: "a" * 32}) as child:
        threading.Thread(target=child.wait, daemon=True).start()
        assert orphans.end("a" * 32) == 1
        assert (child.wait(20), profile.exists(), own.exists()) == (-signal.SIGTERM, False, True)


def test_a_dead_descriptor_is_swept_and_explained_with_what_was_under_way(tmp_path: Path) -> None:
    place = Place.of(tmp_path, "browser", "shop")
    published(place, pid=4_000_000)
    place.doing.write_text(json.dumps({"operation": "browser.click", "at": "2026-12-01T00:00:00.000Z"}))
    with pytest.raises(EyesError) as caught:
        call(Request(place, "browser.click", {}), port=None)  # type: ignore[arg-type]
    failed = caught.value
    assert (failed.code.name, failed.details["dispatched"]) == ("SESSION_DIED", "unknown")
    assert "browser.click" in failed.message
    assert failed.hint == "Start a new one: deepseekeyes browser open URL --session shop"
    assert list(place.folder.iterdir()) == []


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_lines_carry_any_message_unchanged(message: dict[str, Any]) -> None:
    assert wire.decoded(wire.encoded(message, 1_000_000)[:-1]) == message


def test_lines_arrive_whole_however_they_are_cut(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for piece in (b'{"a":', b"1}\n{}", b'\n{"torn"'):
            theirs.sendall(piece)
        theirs.close()
        assert list(wire.lines(ours, 100)) == [b'{"a":1}', b"{}"]


def test_a_line_without_end_is_cut_off_at_the_limit() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"x" * 2_000)
        with pytest.raises(EyesError) as caught:
            next(wire.lines(ours, 1_000))
    assert caught.value.code.name == "SESSION_LINE_LIMIT"


def test_a_loopback_address_connects_like_a_socket_path() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        wire.connect(f"tcp:127.0.0.1:{port}", 5).close()


@pytest.mark.parametrize("line", [b"", b"[]", b"{", b"\xff", b"[" * 100_000])
def test_a_line_that_is_no_object_is_refused(line: bytes) -> None:
    with pytest.raises(EyesError) as caught:
        wire.decoded(line)
    assert caught.value.code.name == "SESSION_PROTOCOL"


def test_the_client_needs_the_standard_library_only_and_no_loop() -> None:
    program = (
        "import sys\n"
        "import deepseekeyes.session.client, deepseekeyes.session.descriptor\n"
        "heavy = {'asyncio', 'pydantic', 'filelock', 'subprocess', 'concurrent', 'typer', 'logging'}\n"
        "print(sorted(heavy & {name.partition('.')[0] for name in sys.modules}))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_the_command_line_prints_the_hosts_document_and_exits_by_it(
    trial: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = spawn.start
    monkeypatch.setattr(
        spawn,
        "start",
        lambda place, **given: start(place, **{**given, "environ": trial.environ}, entry="trial_host:main"),
    )
    payload = {"session": "cli", "verdict": True}
    assert perform_in_session("trial.open", payload, Globals(output="json"), as_json=True) == 1
    assert json.loads(capsys.readouterr().out)["calls"] == 1
    assert perform_in_session("trial.add", payload, Globals(output="text"), as_json=False) == 1
    assert "calls" in capsys.readouterr().out
    with pytest.raises(EyesError) as caught:
        perform_in_session("trial.add", {"session": "cli", "refuse": True}, Globals(), as_json=True)
    assert caught.value.exit_code == 9


def test_closing_ends_a_host_that_cannot_be_asked(trial: Any, capsys: pytest.CaptureFixture[str]) -> None:
    pid = trial("open").document["pid"]
    place = trial.place()
    stored = json.loads(place.descriptor.read_text())
    place.descriptor.write_text(json.dumps({**stored, "version": "0.0.1"}))
    assert perform_in_session("trial.close", {}, Globals(), as_json=True) == 0
    ended = json.loads(capsys.readouterr().out)
    assert (ended["schema"], ended["pid"], place.alive) == ("deepseekeyes.session-end.v1", pid, False)


class Writer:
    """The far side of a connection that tells nothing about itself."""

    def get_extra_info(self, name: str) -> None:
        return None


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"protocol": 1, "token": "wrong"}, "SESSION_FORBIDDEN"),
        ({"protocol": 1}, "SESSION_FORBIDDEN"),
        ({"protocol": 2, "token": "right"}, "SESSION_PROTOCOL"),
    ],
)
def test_a_loopback_host_asks_for_its_token_and_its_protocol(request_: dict[str, Any], code: str) -> None:
    from deepseekeyes.serve.host_calls import _admitted

    with pytest.raises(EyesError) as caught:
        _admitted(request_, "right", Writer())  # type: ignore[arg-type]
    assert caught.value.code.name == code
    _admitted({"protocol": 1, "token": "right"}, "right", Writer())  # type: ignore[arg-type]
