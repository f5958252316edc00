"""Text that a caller gives to be typed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.automation.given import TextRequest, text_of
from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.secrets import known_values

LONGEST = 8


@dataclass
class Around:
    """What a caller has at hand."""

    cwd: Path
    piped: bytes = b""
    environ: dict[str, str] = field(default_factory=dict)
    automation: AutomationSettings = field(
        default_factory=lambda: AutomationSettings(
            max_text_bytes=LONGEST, secrets={"login": {"env": "LOGIN"}, "gone": {"env": "GONE"}}
        )
    )

    def stdin(self, limit: int, setting: str) -> bytes:
        assert (limit, setting) == (LONGEST, "automation.max_text_bytes")
        return self.piped

    def variable(self, name: str) -> str | None:
        return self.environ.get(name)


@pytest.fixture
def around(tmp_path: Path) -> Around:
    (tmp_path / "note.txt").write_bytes("grüß\r\n".encode())
    return Around(tmp_path, piped="東京\n\n".encode(), environ={"LOGIN": "s3cret-a", "LONG": "x" * 9})


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"value": "plain\n"}, "plain\n"),
        ({"value": ""}, ""),
        ({"value_file": "note.txt"}, "grüß"),
        ({"value_stdin": True}, "東京\n"),
        ({"value_env": "LOGIN"}, "s3cret-a"),
        ({"secret_name": "login"}, "s3cret-a"),
        ({"value": "é" * 4}, "é" * 4),
    ],
)
def test_a_text_is_what_its_one_source_holds(around: Around, given: dict[str, Any], text: str) -> None:
    assert text_of(TextRequest(**given), around) == text


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "TEXT_MISSING"),
        ({"secret": True}, "TEXT_MISSING"),
        ({"value": "a", "value_stdin": True}, "TEXT_MISSING"),
        ({"value_env": "LOGIN", "secret_name": "login"}, "TEXT_MISSING"),
        ({"value_env": "NOWHERE"}, "TEXT_MISSING"),
        ({"value": "a", "secret": True}, "TEXT_REFUSED"),
        ({"value_file": "none.txt"}, "TEXT_FILE_UNREADABLE"),
        ({"value_file": "."}, "TEXT_FILE_UNREADABLE"),
        ({"secret_name": "logn"}, "SECRET_UNKNOWN"),
        ({"secret_name": "gone"}, "SECRET_UNKNOWN"),
    ],
)
def test_what_gives_no_text_is_refused_before_anything_is_done(
    around: Around, given: dict[str, Any], code: str
) -> None:
    with pytest.raises(EyesError) as refused:
        text_of(TextRequest(**given), around)
    assert refused.value.code.name == code
    assert refused.value.details["dispatched"] == "no"


@pytest.mark.parametrize(
    "given",
    [
        {"value": "x" * 9},
        {"value": "é" * 5},
        {"value_env": "LONG"},
        {"value_file": "long.txt"},
        pytest.param(
            {"value_file": "/dev/zero"},
            marks=pytest.mark.skipif(not Path("/dev/zero").exists(), reason="files without an end exist on Unix only"),
        ),
    ],
)
def test_a_text_over_the_limit_is_refused_whole_and_the_setting_is_named(around: Around, given: dict[str, Any]) -> None:
    (around.cwd / "long.txt").write_bytes(b"x" * 9)
    with pytest.raises(EyesError) as refused:
        text_of(TextRequest(**given), around)
    assert refused.value.code.name == "TEXT_TOO_LONG"
    assert refused.value.details == {
        "dispatched": "no",
        "limit": {"name": "text bytes", "value": LONGEST, "setting": "automation.max_text_bytes"},
    }


def test_only_a_hidden_text_is_known_to_the_redactor(around: Around) -> None:
    around.environ |= {"SITE": "pass-one", "OPEN": "open-one", "LOGIN": "pass-two"}
    for given in ({"value_env": "SITE", "secret": True}, {"value_env": "OPEN"}, {"secret_name": "login"}):
        text_of(TextRequest(**given), around)
    assert {"pass-one", "pass-two"} <= set(known_values())
    assert "open-one" not in known_values()
