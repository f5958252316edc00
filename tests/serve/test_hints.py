"""What to do next, for callers over MCP."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import deepseekeyes
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.core.errors import Code
from deepseekeyes.serve.hints import OPERATOR, for_caller, told
from deepseekeyes.serve.tools import groups, served_tools

EVERY = frozenset(name for tool in served_tools(groups()) for name in tool.input_schema["properties"])


def every_code() -> list[Code]:
    folder = Path(deepseekeyes.__file__).parent
    found = [import_module(f"deepseekeyes.{path.parent.name}.codes") for path in sorted(folder.glob("*/codes.py"))]
    return [code for module in found for code in vars(module).values() if isinstance(code, Code)]


@pytest.mark.parametrize(
    ("typed", "arguments", "expected"),
    [
        ("Give a PNG or JPEG.", (), "Give a PNG or JPEG."),
        ("Look: deepseekeyes vision routes --check", (), "Look: vision_routes check"),
        ("deepseekeyes vision cache get KEY", (), "vision_cache_get KEY"),
        ("deepseekeyes desktop set-value", (), "desktop_set_value"),
        ("See: deepseekeyes doctor", (), "See: doctor_run"),
        ("Again: deepseekeyes vision read IMAGE --fresh", (), "Again: vision_read IMAGE fresh"),
        ("deepseekeyes vision read IMAGE --allow-url", (), OPERATOR + "deepseekeyes vision read IMAGE --allow-url"),
        ("deepseekeyes mcp tools files", (), OPERATOR + "deepseekeyes mcp tools files"),
        ("pip install 'deepseekeyes[local]'", (), OPERATOR + "pip install 'deepseekeyes[local]'"),
        ("deepseekeyes --home DIR ...", (), OPERATOR + "deepseekeyes --home DIR ..."),
        ("Give --to-ref REF", ("toRef",), "Give toRef REF"),
        ("Wait longer: --timeout MS", ("timeoutMs",), "Wait longer: timeoutMs MS"),
        ("Give --to-ref REF", (), OPERATOR + "Give --to-ref REF"),
    ],
)
def test_a_line_to_type_becomes_a_call_or_the_operators(typed: str, arguments: tuple[str, ...], expected: str) -> None:
    assert for_caller(typed, arguments) == expected
    assert for_caller(expected, arguments) == expected


def test_no_hint_of_any_code_tells_a_caller_to_type_a_command() -> None:
    for code in every_code():
        hint = told(ErrorBody(code=code.name, kind=code.kind, message="x", hint=code.hint), EVERY).hint
        assert hint.startswith(OPERATOR) or not ("--" in hint or "deepseekeyes " in hint), code


@pytest.mark.parametrize(
    "code", ["URL_NOT_ALLOWED", "INPUT_MISSING", "BROWSER_DISABLED", "DESKTOP_DISABLED", "MCP_DISABLED"]
)
def test_what_only_a_command_line_allows_has_words_of_its_own(code: str) -> None:
    known = next(each for each in every_code() if each.name == code)
    body = ErrorBody(code=code, kind=known.kind, message="x", hint=known.hint)
    assert known.hint not in told(body).hint
    assert told(told(body)) == told(body)
