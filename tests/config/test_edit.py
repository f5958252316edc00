"""Edits of the home's file: comments stay, one writer at a time, never a file that the next command refuses."""

from __future__ import annotations

import multiprocessing
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.config import edit
from deepseekeyes.core.errors import EyesError

pytestmark = pytest.mark.service

FILES = ("mcp", "servers", "files")
SERVER = {
    "transport": "stdio",
    "command": "npx",
    "args": ["-y", "x"],
    "env": {"TOKEN": {"env": "FILES_TOKEN"}},
    "cwd": None,
}


def test_a_table_is_added_below_what_was_written_by_hand(place: Any) -> None:
    path = place.mine("# by hand\n[vision]  # my eye\nroute = 'a'   # keep\n")
    assert edit.set_table(place.home, FILES, SERVER) is True
    text = path.read_text()
    assert text.startswith("# by hand\n[vision]  # my eye\nroute = 'a'   # keep\n")
    assert tomllib.loads(text)["mcp"] == {
        "servers": {
            "files": {
                "transport": "stdio",
                "command": "npx",
                "args": ["-y", "x"],
                "env": {"TOKEN": {"env": "FILES_TOKEN"}},
            }
        }
    }
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert place.load().settings.mcp.servers["files"].command == "npx"


def test_an_edit_of_a_missing_file_makes_it(place: Any) -> None:
    edit.set_value(place.home, ("mcp", "enabled"), True)
    assert tomllib.loads((place.home / "config.toml").read_text()) == {"mcp": {"enabled": True}}


def test_an_existing_table_is_changed_only_on_purpose_and_keeps_its_comments(place: Any) -> None:
    path = place.mine('[mcp.servers.files]  # mine\ntransport = "stdio" # so\ncommand = "old"\nargs = ["a"]\n')
    before = path.read_text()
    assert edit.set_table(place.home, FILES, SERVER) is False
    assert path.read_text() == before
    assert edit.set_table(place.home, FILES, {"transport": "stdio", "command": "new"}, replace=True) is True
    assert path.read_text() == '[mcp.servers.files]  # mine\ntransport = "stdio" # so\ncommand = "new"\n'


def test_what_was_added_can_be_removed_again(place: Any) -> None:
    path = place.mine("# by hand\n[mcp]\nenabled = true # yes\n")
    edit.set_table(place.home, FILES, SERVER)
    assert edit.remove(place.home, FILES) is True
    assert edit.remove(place.home, FILES) is False
    assert edit.remove(place.home, ("hub", "nothing")) is False
    assert path.read_text().startswith("# by hand\n[mcp]\nenabled = true # yes\n")
    assert tomllib.loads(path.read_text())["mcp"].get("servers", {}) == {}


def test_the_starter_file_can_be_edited(place: Any) -> None:
    from deepseekeyes.config.starter import starter

    path = place.mine(starter())
    edit.set_value(place.home, ("mcp", "enabled"), True)
    edit.set_table(place.home, FILES, SERVER)
    values = tomllib.loads(path.read_text())["mcp"]
    assert (values["enabled"], sorted(values["servers"])) == (True, ["files"])
    assert [line for line in starter().splitlines() if line not in path.read_text().splitlines()] == []


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"transport": "stdio", "command": "x", "env": {"A": "sk-literal-secret"}}, "CONFIG_SECRET_LITERAL"),
        ({"transport": "http", "url": "https://example.invalid"}, "CONFIG_VALUE"),
        ({"transport": "stdio", "command": "x", "colour": "red"}, "CONFIG_UNKNOWN_KEY"),
    ],
)
def test_an_edit_that_would_break_the_file_is_refused_whole(place: Any, values: dict[str, Any], code: str) -> None:
    path = place.mine("# by hand\n")
    with pytest.raises(EyesError) as caught:
        edit.set_table(place.home, FILES, values)
    assert caught.value.code.name == code
    assert path.read_text() == "# by hand\n"
    assert "literal-secret" not in str(caught.value)


def test_a_problem_that_was_there_before_does_not_stop_an_edit(place: Any) -> None:
    path = place.mine("[vision]\nrute = 1\n")
    edit.set_value(place.home, ("mcp", "enabled"), True)
    assert tomllib.loads(path.read_text()) == {"vision": {"rute": 1}, "mcp": {"enabled": True}}


@pytest.mark.parametrize(("text", "code"), [("= 1\n", "CONFIG_SYNTAX"), ("mcp = 3\n", "CONFIG_VALUE")])
def test_a_file_that_cannot_be_read_is_left_alone(place: Any, text: str, code: str) -> None:
    path = place.mine(text)
    with pytest.raises(EyesError) as caught:
        edit.set_table(place.home, FILES, SERVER)
    assert (caught.value.code.name, path.read_text()) == (code, text)


def test_a_linked_file_is_written_where_it_lies(place: Any, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("# shared\n")
    place.home.mkdir()
    (place.home / "config.toml").symlink_to(real)
    edit.set_value(place.home, ("mcp", "enabled"), True)
    assert (place.home / "config.toml").is_symlink()
    assert tomllib.loads(real.read_text()) == {"mcp": {"enabled": True}}


def _add(home: str, name: str) -> None:
    edit.set_table(Path(home), ("mcp", "servers", name), SERVER | {"name": name})


def test_writers_at_the_same_time_lose_nothing(place: Any) -> None:
    place.mine("# by hand\n")
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_add, args=(str(place.home), f"s{number}")) for number in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0, 0]
    assert sorted(place.load().settings.mcp.servers) == ["s0", "s1", "s2", "s3"]
    assert sorted(entry.name for entry in place.home.iterdir()) == ["config.toml", "config.toml.lock"]
