"""The examples of the MCP group are what this release reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deepseekeyes.cli.main import run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "mcp"


def test_the_example_configuration_is_valid(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--json", "config", "validate", str(EXAMPLES / "config.toml")]) == 0
    capsys.readouterr()
    assert run(["--json", "--config", str(EXAMPLES / "config.toml"), "mcp", "servers"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [each["id"] for each in listed["items"]] == ["notes", "github", "tracker"]
