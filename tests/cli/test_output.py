"""Documents, failures and exit codes as scripts see them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from deepseekeyes.cli import main as entry
from deepseekeyes.cli.emit import json_line
from deepseekeyes.cli.exits import exit_code
from deepseekeyes.cli.main import run
from deepseekeyes.cli.options import Globals
from deepseekeyes.cli.plain import plain
from deepseekeyes.contracts.document import Document, ErrorDocument
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.errors import EXIT_CODES, Code, EyesError

Shown = tuple[int, str, str]


@pytest.fixture
def eyes(capsys: pytest.CaptureFixture[str]) -> Callable[..., Shown]:
    def call(*words: str) -> Shown:
        status = run(list(words))
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return call


def test_json_mode_prints_exactly_one_document_on_one_line(eyes: Callable[..., Shown]) -> None:
    status, out, err = eyes("config", "path", "--json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    assert json.loads(out)["schema"] == "deepseekeyes.config-path.v1"


def test_pretty_is_the_same_document_indented(eyes: Callable[..., Shown]) -> None:
    flat, pretty = eyes("config", "path", "--json")[1], eyes("config", "path", "--json", "--pretty")[1]
    assert json.loads(flat) == json.loads(pretty)
    assert pretty.count("\n") > 5


def test_off_a_terminal_the_default_is_json_and_text_is_a_choice(eyes: Callable[..., Shown]) -> None:
    assert eyes("config", "path")[1] == eyes("config", "path", "--json")[1]
    assert not eyes("config", "path", "--text")[1].startswith("{")


def test_the_environment_changes_a_terminals_default_only() -> None:
    preferred = {"DEEPSEEKEYES_OUTPUT_FORMAT": "json"}
    assert Globals().json_wanted(preferred, terminal=True)
    assert not Globals().json_wanted({}, terminal=True)
    assert Globals().json_wanted({"DEEPSEEKEYES_OUTPUT_FORMAT": "text"}, terminal=False)
    assert not Globals(output="text").json_wanted(preferred, terminal=False)


def test_a_failure_is_a_document_on_stdout_and_a_sentence_with_a_hint_on_stderr(eyes: Callable[..., Shown]) -> None:
    status, out, err = eyes("vision", "read", "missing.png", "--json")
    error = json.loads(out)["error"]
    assert status == EXIT_CODES[error["kind"]] == 3
    assert set(error) == {"code", "kind", "message", "hint", "details"}
    assert err == f"error: {error['message']}\nhint: {error['hint']}\n"


def test_the_exit_code_does_not_depend_on_the_format(eyes: Callable[..., Shown]) -> None:
    assert eyes("vision", "read", "missing.png", "--json")[0] == eyes("vision", "read", "missing.png", "--text")[0] == 3
    assert eyes("vision", "read", "missing.png", "--text")[1] == ""


def test_a_usage_error_is_a_document_too(eyes: Callable[..., Shown]) -> None:
    status, out, _ = eyes("vision", "read", "--json")
    assert (status, json.loads(out)["error"]["code"]) == (2, "USAGE")


def test_a_bug_names_its_crash_file_and_shows_no_traceback(
    eyes: Callable[..., Shown], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY_FOR_TEST", "sk-abcdefgh12345678")

    def broken(*_: object) -> int:
        raise RuntimeError("Bearer sk-abcdefgh12345678 is in here")

    monkeypatch.setattr(entry, "_command", broken)
    status, out, err = eyes("config", "path", "--json")
    error = json.loads(out)["error"]
    (crash,) = (home / "crash").iterdir()
    assert (status, error["code"]) == (70, "INTERNAL")
    assert str(crash) in error["hint"]
    assert "Traceback" not in out + err
    assert "Traceback" in crash.read_text()
    assert "sk-abcdefgh12345678" not in crash.read_text()


def test_interruption_ends_with_130(eyes: Callable[..., Shown], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "_command", interrupted)
    status, out, _ = eyes("config", "path", "--json")
    assert (status, json.loads(out)["error"]["code"]) == (130, "INTERRUPTED")


def test_a_closed_pipe_ends_quietly_with_141(home: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "deepseekeyes", "config", "show"], stdout=writer, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device exists on Linux only")
def test_a_full_disk_behind_stdout_is_a_typed_failure(home: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "deepseekeyes", "config", "show"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr


def test_every_kind_has_its_exit_code() -> None:
    for kind, status in EXIT_CODES.items():
        error = EyesError(Code("X", kind, "hint"), "message")
        assert error.exit_code == status
        assert exit_code(ErrorDocument(error=ErrorBody.of(error))) == status


def test_the_outcome_of_a_result_decides_its_exit_code() -> None:
    class Judged(Document):
        def outcome(self) -> str:
            return "verdict"

    assert (exit_code(Document()), exit_code(Judged())) == (0, 1)


def test_json_is_always_utf8_even_with_lone_surrogates() -> None:
    line = json_line({"text": "caf\u00e9 \ud83d"}, pretty=False)
    assert json.loads(line.encode()) == {"text": "caf\u00e9 \ud83d"}
    assert json_line({"text": "caf\u00e9"}, pretty=False) == '{"text":"caf\u00e9"}\n'


@pytest.mark.parametrize("dangerous", ["\x1b[2J", "\x9b31m", "\r", "\u202e", "\x00", "\x7f"])
def test_text_for_people_cannot_drive_the_terminal(dangerous: str) -> None:
    assert dangerous not in plain(f"a{dangerous}b")
    assert plain("tab\tline\n") == "tab\tline\n"


@pytest.mark.parametrize(
    ("line", "asks"),
    [
        (("vision", "read"), "deepseekeyes vision read --help"),
        (("vision", "read", "a.png", "--rout", "local"), "deepseekeyes vision read --help"),
        (("vision", "cache", "gett"), "deepseekeyes vision cache --help"),
        (("vision", "cache", "get", "nope"), "See what it takes: deepseekeyes vision cache get --help"),
        (("visoin",), "deepseekeyes --help"),
        ((), "deepseekeyes --help"),
    ],
)
def test_the_hint_of_a_wrong_line_can_be_typed(eyes: Callable[..., Shown], line: tuple[str, ...], asks: str) -> None:
    status, out, _ = eyes(*line, "--json")
    assert (status, json.loads(out)["error"]["hint"]) == (2, asks)


def test_quiet_leaves_the_sentence_and_drops_the_hint(eyes: Callable[..., Shown]) -> None:
    status, _, err = eyes("vision", "read", "missing.png", "-q", "--text")
    assert (status, err) == (3, "error: There is no file missing.png.\n")


def test_a_file_name_cannot_forge_a_line_of_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    from deepseekeyes.cli.render.screen import Screen

    screen = Screen()
    screen.heading("a.png\npicture  image/png")
    screen.flush()
    assert capsys.readouterr().out == "a.png\\npicture  image/png\n"


def test_a_look_whose_question_is_a_file_is_refused(eyes: Callable[..., Shown], tmp_path: Path) -> None:
    picture = tmp_path / "b.png"
    picture.write_bytes(b"")
    status, out, _ = eyes("vision", "look", "a.png", str(picture), "--json")
    assert (status, json.loads(out)["error"]["code"]) == (2, "QUESTION_IS_FILE")


def test_a_file_that_was_found_corrupt_is_reported_where_it_was_met(eyes: Callable[..., Shown], home: Path) -> None:
    key = "ab" * 32
    record = home / "evidence" / "ab" / key / "1.json"
    record.parent.mkdir(parents=True)
    record.write_text("{}")
    status, out, err = eyes("vision", "cache", "list", "--json")
    (moved,) = (home / "quarantine").iterdir()
    assert (status, json.loads(out)["unreadable"]) == (0, 1)
    reason = "it is not a record of its key, or its digest does not match"
    assert err == f"warning: A corrupt file was set aside as {moved}: {reason}.\n"
    assert eyes("vision", "cache", "list", "--json")[2] == ""


def test_a_folder_in_the_place_of_a_record_is_reported_and_hides_no_other_record(
    eyes: Callable[..., Shown], home: Path
) -> None:
    (home / "evidence" / "ab" / ("ab" * 32) / "1.json").mkdir(parents=True)
    status, out, err = eyes("vision", "cache", "list", "--json")
    assert (status, json.loads(out)["unreadable"], err.startswith("warning: ")) == (0, 1, True)
    assert eyes("vision", "cache", "list", "--json")[2] == ""


@pytest.mark.parametrize("command", ["read", "validate", "show"])
def test_links_that_go_round_in_a_circle_have_one_code(
    eyes: Callable[..., Shown], tmp_path: Path, command: str
) -> None:
    loop = tmp_path / "loop.json"
    loop.symlink_to(loop)
    status, out, _ = eyes("vision", command, str(loop), "--json")
    error = json.loads(out)["error"]
    assert (status, error["code"], error["hint"]) == (3, "PATH_LOOP", f"See where the links lead: namei -l {loop}")


def test_a_key_of_the_wrong_form_is_told_what_a_key_looks_like(eyes: Callable[..., Shown]) -> None:
    status, out, _ = eyes("vision", "cache", "get", "nope", "--json")
    message = json.loads(out)["error"]["message"]
    form = "the first 4 or more of the 64 hexadecimal digits of a key or record, in lower case"
    assert (status, message) == (2, f"record: Input should be {form}.")


def test_a_route_in_the_settings_that_does_not_exist_is_told_and_does_not_stop_the_work(
    eyes: Callable[..., Shown], home: Path
) -> None:
    home.mkdir()
    (home / "config.toml").write_text('[vision]\nroute = "qwne"\nroute_priority = ["local"]\n')
    status, out, err = eyes("vision", "routes", "--json")
    assert (status, [item["id"] for item in json.loads(out)["items"]]) == (0, ["local"])
    assert err == "warning: The settings name a route that does not exist: qwne.\n"
