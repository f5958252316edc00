"""The operation table and the command table agree with the code behind them."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

from deepseekeyes.cli.commands import ROOT, Command, Group
from deepseekeyes.cli.lazy import build_command
from deepseekeyes.contracts.model import Contract
from deepseekeyes.dispatch import request_type
from deepseekeyes.operations import OPERATIONS, command_of


def commands(group: Group = ROOT, prefix: str = "") -> list[tuple[str, Command]]:
    found: list[tuple[str, Command]] = []
    for name, entry in group.commands.items():
        place = f"{prefix} {name}".strip()
        found += commands(entry, place) if isinstance(entry, Group) else [(place, entry)]
    return found


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_is_an_async_function_of_a_request_and_deps(name: str) -> None:
    module, _, attribute = OPERATIONS[name].target.partition(":")
    function = getattr(import_module(module), attribute)
    assert inspect.iscoroutinefunction(function)
    assert list(inspect.signature(function).parameters) == ["request", "deps"]
    assert issubclass(request_type(function), Contract)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_has_a_builder_of_its_deps(name: str) -> None:
    module, _, attribute = OPERATIONS[name].deps.partition(":")
    assert callable(getattr(import_module(module), attribute))


@pytest.mark.parametrize(("place", "command"), commands(), ids=[place for place, _ in commands()])
def test_every_command_has_a_summary_an_example_of_itself_and_a_docstring(place: str, command: Command) -> None:
    module = import_module(command.module)
    assert command.summary.endswith(".")
    assert f"deepseekeyes {place}" in module.EXAMPLE
    assert module.command.__doc__


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_has_a_command_so_that_a_hint_can_name_its_help(name: str) -> None:
    assert command_of(name) in dict(commands())


@pytest.mark.parametrize(("place", "command"), commands(), ids=[place for place, _ in commands()])
def test_arguments_are_plain_words_since_the_usage_line_adds_brackets_and_dots(place: str, command: Command) -> None:
    built = build_command(place.rpartition(" ")[2], command)
    words = [parameter.metavar or "" for parameter in built.params if parameter.param_type_name == "argument"]
    assert not [word for word in words if word.startswith(("[", "{")) or word.endswith("...")]
