"""Files that are no configuration, each with its own code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.config.sources import MAX_BYTES, dotted, line_of
from deepseekeyes.core.errors import EyesError


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b"[vision]\nroute = = 1\n", "CONFIG_SYNTAX", "line 2, column 9"),
        (b"[vision]\nroute = 'a'\nroute = 'b'\n", "CONFIG_SYNTAX", "line 3"),
        (b"[vision\n", "CONFIG_SYNTAX", "line 1"),
        (b"route = '", "CONFIG_SYNTAX", "end of the file"),
        (b"\x00", "CONFIG_SYNTAX", "line 1"),
        (b"x = " + b"[" * 5000, "CONFIG_SYNTAX", ""),
        (b"[vision]\nroute = '\xff'\n", "CONFIG_ENCODING", "line 2"),
        ("[vision]\n".encode("utf-16"), "CONFIG_ENCODING", "UTF-16"),
        ("[vision]\n".encode("utf-16-be"), "CONFIG_SYNTAX", ""),
        (b"# " + b"x" * MAX_BYTES, "CONFIG_TOO_LARGE", str(MAX_BYTES)),
    ],
)
def test_a_file_that_is_no_toml_is_refused_with_the_place(place: Any, data: bytes, code: str, words: str) -> None:
    path = place.mine(data)
    with pytest.raises(EyesError) as caught:
        place.load()
    assert (caught.value.code.name, caught.value.kind) == (code, "input")
    assert str(path) in caught.value.message
    assert words in caught.value.message


@pytest.mark.parametrize("data", [b"", b"\n\n# nothing\n", b"\xef\xbb\xbf[vision]\n", b"[vision]\r\n"])
def test_an_empty_file_a_byte_order_mark_and_windows_line_ends_are_fine(place: Any, data: bytes) -> None:
    place.mine(data)
    assert dict(place.load().origins) == {}


def test_a_directory_in_the_place_of_a_file_is_named(place: Any) -> None:
    (place.home / "config.toml").mkdir(parents=True)
    with pytest.raises(EyesError) as caught:
        place.load()
    assert caught.value.code.name == "CONFIG_UNREADABLE"
    assert "directory" in caught.value.message


def test_a_pipe_in_the_working_folder_is_not_waited_for(place: Any) -> None:
    os.mkfifo(place.cwd / "deepseekeyes.toml")
    with pytest.raises(EyesError) as caught:
        place.load()
    assert caught.value.code.name == "CONFIG_UNREADABLE"


def test_a_dangling_link_counts_as_no_file(place: Any) -> None:
    (place.cwd / "deepseekeyes.toml").symlink_to(place.cwd / "gone.toml")
    assert dict(place.load().origins) == {}


def test_a_named_file_must_be_there(place: Any) -> None:
    with pytest.raises(EyesError) as caught:
        place.load(config_file=Path("missing.toml"))
    assert (caught.value.code.name, caught.value.exit_code) == ("CONFIG_NOT_FOUND", 3)


def test_the_null_device_is_a_way_to_say_no_file(place: Any) -> None:
    place.mine("[vision]\nfailover_attempts = 1\n")
    assert place.load(config_file=Path(os.devnull)).settings.vision.failover_attempts == 2


def test_one_broken_file_does_not_hide_the_problems_of_another(place: Any) -> None:
    place.mine("[vision]\nrute = 1\n")
    place.folder("= 1\n")
    assert place.problems() == [("CONFIG_SYNTAX", ""), ("CONFIG_UNKNOWN_KEY", "vision.rute")]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("vision", "route"), 2),
        (("vision", "limits", "max_side"), 3),
        (("routes", "q.5", "model"), 5),
        (("routes", "q.5", "key"), 4),
        (("hub",), None),
    ],
)
def test_the_line_of_a_key_is_found_by_its_longest_written_part(path: tuple[str, ...], line: int | None) -> None:
    text = '[vision]\nroute = "a"\nlimits.max_side = 3\n[routes."q.5"]\nmodel = "route = 1"\n# hub = 1\n'
    assert line_of(text, path) == line


@given(
    st.lists(
        st.text(min_size=1, max_size=8).filter(
            lambda word: not any(c in word for c in '"\\\n\r\x00') and word.isprintable()
        ),
        min_size=1,
        max_size=3,
    )
)
def test_a_dotted_path_is_toml_for_the_same_keys(parts: list[str]) -> None:
    import tomllib

    here: Any = tomllib.loads(f"{dotted(tuple(parts))} = 1")
    for part in parts:
        here = here[part]
    assert here == 1
