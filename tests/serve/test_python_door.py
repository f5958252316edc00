"""Every operation from Python."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import deepseekeyes
from deepseekeyes import Eyes, EyesError
from deepseekeyes.cli import main as command_line

pytestmark = pytest.mark.service

IMAGE = Path(__file__).parents[2] / "examples" / "images" / "error-dialog.png"


def ran(home: Path, *calls: tuple[str, dict[str, Any]], **opened: Any) -> list[dict[str, Any]]:
    async def all_of_them() -> list[dict[str, Any]]:
        async with Eyes(home=home, **opened) as eyes:
            return [await eyes.run(operation, **request) for operation, request in calls]

    return asyncio.run(all_of_them())


def test_a_document_is_the_one_that_the_command_prints(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran(home, ("vision.read", {"images": [str(IMAGE)]}))
    [again] = ran(home, ("vision.read", {"images": [str(IMAGE)]}))
    with pytest.raises(SystemExit) as ended:
        command_line.main(["vision", "read", str(IMAGE), "--json", "--home", str(home)])
    assert ended.value.code in (0, None)
    printed = json.loads(capsys.readouterr().out)
    assert (again["cacheHit"], again["recordSha256"]) == (True, printed["recordSha256"])
    assert set(again) == set(printed)


def test_many_calls_at_once_share_one_home(home: Path) -> None:
    async def both() -> list[dict[str, Any]]:
        async with Eyes(home=home) as eyes:
            return await asyncio.gather(*(eyes.run("vision.read", images=[str(IMAGE)]) for _ in range(4)))

    read = asyncio.run(both())
    assert len({one["recordSha256"] for one in read}) == 1


@pytest.mark.parametrize(
    ("operation", "request_", "code"),
    [
        ("vision.raed", {}, "UNKNOWN_OPERATION"),
        ("vision.read", {"image": "a.png"}, "INVALID_REQUEST"),
        ("vision.read", {"images": ["none.png"]}, "INPUT_MISSING"),
        ("browser.open", {"url": "about:blank"}, "BROWSER_DISABLED"),
    ],
)
def test_a_failure_has_its_code(home: Path, operation: str, request_: dict[str, Any], code: str) -> None:
    with pytest.raises(EyesError) as failed:
        ran(home, (operation, request_))
    assert failed.value.code.name == code


def test_settings_and_variables_are_the_callers(home: Path) -> None:
    [shown] = ran(
        home,
        ("config.show", {}),
        settings={"vision.max_clarifications": 2},
        environ={"DEEPSEEKEYES_BROWSER_ENABLED": "true"},
    )
    told = {one["key"]: (one["value"], one["origin"]) for one in shown["items"]}
    assert told["vision.max_clarifications"] == (2, "flag")
    assert told["browser.enabled"] == (True, "env DEEPSEEKEYES_BROWSER_ENABLED")


def test_importing_the_package_loads_nothing_of_it() -> None:
    code = "import sys, deepseekeyes; print([name for name in sys.modules if name.startswith('deepseekeyes.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_what_the_package_does_not_offer_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Eyez"):
        deepseekeyes.Eyez  # noqa: B018
