"""Settings and where they come from."""

from __future__ import annotations

import json
from typing import Any

from deepseekeyes.cli.render.screen import Screen


def settings(document: Any, screen: Screen) -> None:
    """One line a setting; those that are no defaults stand out by their origin."""
    screen.table(
        ("setting", "value", "origin"), [(item.key, _value(item.value), item.origin) for item in document.items], fold=1
    )
    if len(document.items) == 1:
        item = document.items[0]
        screen.line()
        screen.facts([("what", item.description), ("default", _value(item.default)), ("variable", item.env)])


def paths(document: Any, screen: Screen) -> None:
    """The home, then the files in order of precedence."""
    screen.facts([("home", document.home if document.home_exists else f"{document.home} (made when needed)")])
    screen.line()
    screen.table(
        ("file", "path", "state", "trust"),
        [(file.role, file.path, _state(file), file.trust) for file in document.files],
        fold=1,
    )
    if document.environment:
        screen.line()
        screen.facts([("environment", ", ".join(document.environment))])


def _value(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _state(file: Any) -> str:
    if file.used:
        return "used"
    return "not used" if file.exists else "absent"
