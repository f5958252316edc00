"""Scripts of steps, and runs that another process goes on with."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from paper_story import story

from deepseekeyes.automation import stored
from deepseekeyes.automation.perform import look
from deepseekeyes.automation.script import ScriptStep, script, steps
from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.core.errors import EyesError

ACTIONS = ("open", "click", "double-click", "type")
EXPECTED = (ScriptStep(1, "open", {"url": "https://a.example"}), ScriptStep(2, "double-click", {"ref": "e3"}))


@pytest.mark.parametrize(
    "content",
    [
        '{"action":"open","url":"https://a.example"}\n\n# a remark\n{"action":"Double_Click","ref":"e3","comment":"x"}',
        '[{"action":"open","url":"https://a.example"},\n {"action":"double-click","ref":"e3"}]',
        "\ufeff- action: open\n  url: https://a.example\n- {action: double-click, ref: e3}\n",
    ],
)
def test_lines_lists_and_yaml_say_the_same(content: str) -> None:
    assert steps(content, ACTIONS, most=10) == EXPECTED


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "no steps"),
        ("# only a remark", "no steps"),
        ('{"action":"open"}\n{"action"', "Line 2"),
        ("[{]", "not JSON"),
        ('["open"]', "Step 1 names no action"),
        ('{"action":"open"}\n{"action":"clik"}', "did you mean click"),
        ('"open"', "neither"),
        ("action: open", "neither"),
        ("a: b: c", "neither"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_script_that_cannot_be_followed_says_where(content: str, words: str) -> None:
    with pytest.raises(EyesError) as caught:
        steps(content, ACTIONS, most=10)
    assert caught.value.code.name == "SCRIPT_INVALID"
    assert words in caught.value.message


def test_a_script_that_is_too_long_names_the_setting() -> None:
    with pytest.raises(EyesError) as caught:
        steps('{"action":"open"}\n' * 3, ACTIONS, most=2)
    assert caught.value.details["limit"] == {"name": "script_steps", "value": 2, "setting": "automation.script_steps"}


def test_newest_stands_for_the_state_of_the_step_before() -> None:
    (step,) = steps('{"action":"click","ref":"e1","state":"newest"}', ACTIONS, most=1)
    assert step.given("browser-state:1") == {"ref": "e1", "state": "browser-state:1"}
    assert step.options["state"] == "newest"


@pytest.mark.parametrize("memory", [False, True])
def test_a_run_goes_on_in_another_process(make: Any, memory: bool) -> None:
    paper = make(memory=memory)
    asyncio.run(story(paper))
    run = paper.run
    kept = json.loads(json.dumps(stored.to_json(run, body={"any": 1})))
    again = stored.from_json(kept, settings=AutomationSettings(), clock=run.clock)
    assert stored.to_json(again, body={"any": 1}) == kept
    assert (again.state_id, again.newest.snapshot.body) == (run.state_id, {"any": 1})
    assert again.keys.digest("x") == run.keys.digest("x")
    paper.run = again
    found = asyncio.run(look(paper, again))
    assert (found.step.index, found.delta.screenshot_changed, found.delta.elements.added) == (8, False, ())
    again.close()
    assert stored.to_json(again)["key"] is None


def test_without_a_yaml_parser_a_script_of_yaml_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(EyesError) as caught:
        steps("- action: observe\n", ["observe"], most=2)
    assert caught.value.code.name == "YAML_MISSING"


class Around:
    """What a caller has at hand."""

    def __init__(self, cwd: Path, piped: bytes) -> None:
        self.cwd, self.piped = cwd, piped
        self.automation = AutomationSettings(max_script_bytes=1_000)

    def stdin(self, limit: int, setting: str) -> bytes:
        assert (limit, setting) == (1_000, "automation.max_script_bytes")
        return self.piped

    def variable(self, name: str) -> None:
        raise AssertionError(name)


def test_a_script_is_read_from_a_file_or_a_pipe_up_to_its_limit(tmp_path: Path) -> None:
    line = b'{"action":"click","ref":"e3"}'
    (tmp_path / "steps.jsonl").write_bytes(line.ljust(1_000))
    around = Around(tmp_path, line)
    assert script("steps.jsonl", around, ACTIONS) == script("-", around, ACTIONS)


@pytest.mark.parametrize("named", ["long.jsonl", "/dev/zero", "-"])
def test_a_script_that_is_too_long_is_refused_whole_however_long_it_is(tmp_path: Path, named: str) -> None:
    long = b'{"action":"click","ref":"e3"}'.ljust(1_001)
    (tmp_path / "long.jsonl").write_bytes(long)
    with pytest.raises(EyesError) as caught:
        script(named, Around(tmp_path, long), ACTIONS)
    limit = {"name": "max_script_bytes", "value": 1_000, "setting": "automation.max_script_bytes"}
    assert (caught.value.code.name, caught.value.details["limit"]) == ("SCRIPT_TOO_LONG", limit)


@pytest.mark.parametrize("named", ["absent.jsonl", ".", "a\0b"])
def test_a_script_that_cannot_be_read_is_refused(tmp_path: Path, named: str) -> None:
    with pytest.raises(EyesError) as caught:
        script(named, Around(tmp_path, b""), ACTIONS)
    assert caught.value.code.name == "SCRIPT_INVALID"
