"""The merged table of failure codes."""

from __future__ import annotations

import ast
import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path

import deepseekeyes
from deepseekeyes.core.errors import EXIT_CODES, Code

ROOT = Path(__file__).resolve().parents[2]


TRAVELLED = {"contracts/error.py", "session/wire.py"}
"""Where a failure that came as a document, or from a session's host, is raised again as it was."""


def every_code() -> list[tuple[str, str, Code]]:
    found = []
    for module in pkgutil.walk_packages(deepseekeyes.__path__, "deepseekeyes."):
        if module.name.rpartition(".")[2] in {"codes", "dispatch"}:
            loaded = import_module(module.name)
            found += [
                (module.name, name, value)
                for name, value in vars(loaded).items()
                if isinstance(value, Code)
                and getattr(loaded, "__name__", "") == module.name
                and _declared(loaded.__file__, name)
            ]
    return found


def _declared(file: str | None, name: str) -> bool:
    assert file is not None
    return name in _names(file)


@cache
def _names(file: str) -> frozenset[str]:
    names = set()
    for node in ast.parse(Path(file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return frozenset(names)


def test_every_code_is_declared_once_under_its_own_name() -> None:
    codes = every_code()
    assert len(codes) > 20
    names = [code.name for _, _, code in codes]
    assert sorted({name for name in names if names.count(name) > 1}) == []
    assert [(module, name) for module, name, code in codes if name != code.name] == []


def test_every_code_has_a_kind_of_the_table_and_a_hint() -> None:
    assert [code.name for _, _, code in every_code() if code.kind not in EXIT_CODES or not code.hint.strip()] == []


def test_codes_are_raised_from_literals_only() -> None:
    """`EyesError` takes a declared constant, never a code made up on the spot."""
    made_up = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in (ROOT / "deepseekeyes").rglob("*.py")
        if path.relative_to(ROOT / "deepseekeyes").as_posix() not in TRAVELLED
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "EyesError"
        and node.args
        and isinstance(node.args[0], ast.Call)
    ]
    assert made_up == []
