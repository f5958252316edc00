"""The configuration as the doctor sees it, whatever state it is in."""

from __future__ import annotations

from typing import Any

import pytest

from deepseekeyes.config.checks import checks
from deepseekeyes.config.trust import TrustRequest, trust
from deepseekeyes.core.eventloop import run


def findings(place: Any, environ: dict[str, str] | None = None) -> dict[str, Any]:
    return {item.id.removeprefix("config."): item.run() for item in checks(place.deps(environ))}


def statuses(place: Any, environ: dict[str, str] | None = None) -> tuple[str, str, str]:
    found = findings(place, environ)
    return found["valid"].status, found["folder"].status, found["secrets"].status


def test_without_files_everything_is_well(place: Any) -> None:
    assert statuses(place) == ("ok", "skipped", "skipped")


@pytest.mark.parametrize(
    "data",
    [b"= 1\n", b"\xff\xfe", b"[vision]\nrute = 1\n", b'[routes.q]\nengine = "nonsense"\n', b"x = " + b"[" * 5000],
)
def test_a_broken_file_is_reported_and_not_raised(place: Any, data: bytes) -> None:
    path = place.mine(data)
    found = findings(place)["valid"]
    assert (found.status, found.fix) == ("failed", "deepseekeyes config validate")
    assert str(path) in found.seen


def test_many_problems_are_counted(place: Any) -> None:
    place.mine("[vision]\n" + "".join(f"key{number} = 1\n" for number in range(9)))
    assert "And 4 more." in findings(place)["valid"].seen


def test_a_variable_that_is_ignored_is_a_warning(place: Any) -> None:
    found = findings(place, {"DEEPSEEKEYES_MCP_SERVERS": "[]", "DEEPSEEKEYES_OUTPUT_PRETTY": "1"})["valid"]
    assert found.status == "warning"
    assert "environment: DEEPSEEKEYES_OUTPUT_PRETTY" in found.seen


def test_the_working_folder_fails_until_it_is_trusted(place: Any) -> None:
    place.folder("[browser]\nenabled = true\n")
    assert statuses(place) == ("ok", "failed", "skipped")
    run(trust(TrustRequest(), place.deps()))
    assert statuses(place) == ("ok", "ok", "skipped")
    assert "trusted as it is now" in findings(place)["folder"].seen
    place.folder("[output]\npretty = true\n")
    assert "needs no trust" in findings(place)["folder"].seen


def test_a_secret_that_is_not_set_is_a_warning_and_its_value_is_never_shown(place: Any) -> None:
    place.mine('[serve]\ntoken = { env = "ONE" }\n[routes.q]\nengine = "openai_chat"\nkey = { env = "TWO" }\n')
    found = findings(place, {"ONE": "value-of-one"})["secrets"]
    assert (found.status, found.seen, found.fix) == ("warning", "Not set: TWO.", "export TWO=...")
    assert findings(place, {"ONE": "value-of-one", "TWO": "x"})["secrets"].seen == "Set: ONE, TWO."
