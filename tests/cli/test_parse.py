"""Words to an operation and its payload."""

from __future__ import annotations

import pytest

from deepseekeyes.cli.options import Globals
from deepseekeyes.cli.parse import parse
from deepseekeyes.core.errors import EyesError


def parsed(*words: str) -> tuple[object, Globals]:
    options = Globals()
    return parse(list(words), options), options


def test_a_command_becomes_its_operation_and_payload() -> None:
    call, _ = parsed("vision", "look", "a.png", "How many?", "--region", "0,0,1,0.5")
    assert call == (
        "vision.look",
        {
            "image": "a.png",
            "question": "How many?",
            "region": "0,0,1,0.5",
            "route": None,
            "fresh": False,
            "frame": None,
            "allow_url": False,
            "wait": False,
        },
    )


@pytest.mark.parametrize(
    "line",
    [
        "--json --home H vision read a.png -q",
        "vision --json --home H read -q a.png",
        "vision read a.png --json -q --home H",
        "--home H vision --json read -q a.png",
        "vision read --home=H a.png --json --quiet",
    ],
)
def test_global_options_are_accepted_anywhere_on_the_line(line: str) -> None:
    call, options = parsed(*line.split())
    assert (call[0], call[1]["images"], options.home, options.output, options.quiet) == (
        "vision.read",
        ["a.png"],
        "H",
        "json",
        True,
    )


def test_the_last_output_flag_on_the_line_decides() -> None:
    assert parsed("config", "path", "--json", "--text")[1].output == "text"


def test_words_after_two_dashes_are_arguments() -> None:
    call, options = parsed("vision", "read", "--", "--json")
    assert (call[1]["images"], options.output) == (["--json"], None)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("visoin read a.png", "vision"),
        ("vision raed a.png", "read"),
        ("vision cache lst", "list"),
        ("vision read", "IMAGE"),
        ("vision cache list --limit x", "--limit"),
        ("vision cache list --limit 0", "--limit"),
        ("vision read a.png --rote r", "--route"),
        ("vision validate - --variant middle", "--variant"),
        ("vision read a.png --home", "--home"),
    ],
)
def test_a_wrong_line_is_a_usage_error_that_names_what_was_meant(line: str, word: str) -> None:
    with pytest.raises(EyesError) as raised:
        parsed(*line.split())
    assert raised.value.code.name == "USAGE"
    assert word in raised.value.message


def test_a_wrong_choice_is_told_without_the_words_of_a_library() -> None:
    with pytest.raises(EyesError) as raised:
        parsed("probe", "challenge", "--rung", "nope", "--seed", "7", "--out", "a.png")
    assert str(raised.value) == (
        "Invalid value for '--rung': 'nope' is not one of 'grid', 'text', 'place', 'blank', 'inject'."
    )


@pytest.mark.parametrize("line", ["--help", "vision -h", "vision read --help", "vision cache --help", "doctor --help"])
def test_help_starts_with_an_example_and_ends_in_0(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert parsed(*line.split())[0] == 0
    assert capsys.readouterr().out.startswith("Example:\n  deepseekeyes ")


@pytest.mark.parametrize("line", ["", "vision", "vision cache"])
def test_a_bare_group_shows_its_help_and_is_a_usage_error(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(EyesError) as raised:
        parsed(*line.split())
    assert raised.value.code.name == "USAGE"
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Commands:" in shown.err
