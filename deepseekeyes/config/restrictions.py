"""What a working folder's file may set before anybody has trusted it. Pure but for resolving paths.

A folder may come from a stranger: a cloned repository, an unpacked archive. Until `config trust` its file may choose
among what the user has set up; it may not add endpoints, references to variables, commands or paths outside itself,
turn anything on that acts, widen an allowlist, or turn off what is recorded. Sections that can do such things are
closed but for the settings listed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from deepseekeyes.config.layers import at, is_reference, leaves
from deepseekeyes.config.settings import NAMES, ROUTES
from deepseekeyes.config.sources import KeyPath

Rule = Literal["open", "closed", "off-only", "inside", "superset"]

RULES: Final[Mapping[str, Mapping[str, Rule]]] = {
    "output": {"*": "open"},
    "vision": {"active_probe": "closed", "*": "open"},
    "probe": {"*": "closed"},
    "routing": {"*": "open"},
    "store": {"*": "closed"},
    "ledger": {"*": "closed"},
    "automation": {"*": "closed"},
    "session": {"*": "closed"},
    "browser": {
        "enabled": "off-only",
        "headless": "open",
        "artifacts_dir": "inside",
        "locale": "open",
        "timeout_ms": "open",
        "settle_ms": "open",
        "viewport": "open",
        "max_elements": "open",
        "max_text_chars": "open",
        "history_limit": "open",
        "deny": "superset",
        "*": "closed",
    },
    "desktop": {
        "enabled": "off-only",
        "visual_mode": "open",
        "artifacts_dir": "inside",
        "timeout_ms": "open",
        "settle_ms": "open",
        "max_windows": "open",
        "semantic": "open",
        "max_elements": "open",
        "display": "open",
        "history_limit": "open",
        "deny": "superset",
        "*": "closed",
    },
    "mcp": {"enabled": "off-only", "artifact_dir": "inside", "*": "closed"},
    "hub": {"allow_process_launch": "off-only", "allow_any_command": "off-only", "*": "closed"},
    "serve": {"upstream_route": "open", "*": "closed"},
    ROUTES: {"*": "closed"},
}

REASONS: Final[Mapping[Rule, str]] = {
    "closed": "may not be set",
    "off-only": "may only be turned off",
    "inside": "may only be false or a path inside the folder",
    "superset": "may only add to the user's own list",
}
REFERENCE: Final = "may not name an environment variable"


def restricted(values: Mapping[str, Any], *, folder: Path, below: Mapping[str, Any]) -> list[tuple[KeyPath, str]]:
    """The settings of an untrusted file that it may not make, each with the reason.

    Args:
        values: the file's content. Unknown sections are left to validation.
        folder: where the file lies.
        below: the content of the user's own file, which a list may only extend.
    """
    found = []
    for path, value in leaves(values):
        if path[0] not in NAMES or len(path) == 1:
            continue
        rules = RULES.get(path[0], {})
        rule = rules.get(path[1], rules.get("*", "closed"))
        if references_variable(value):
            found.append((path, REFERENCE))
        elif not _allowed(rule, value, folder, at(below, path)):
            found.append((path, REASONS[rule]))
    return found


def references_variable(value: object) -> bool:
    """Whether `{ env = ... }` occurs anywhere in a value."""
    return any(True for _ in variables(value))


def variables(value: object) -> Iterable[str]:
    """The variables that a value refers to."""
    if is_reference(value):
        yield value["env"]  # type: ignore[index]
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from variables(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from variables(inner)


def _allowed(rule: Rule, value: Any, folder: Path, below: Any) -> bool:
    if rule == "open":
        return True
    if rule == "off-only":
        return value is False
    if rule == "inside":
        return value is False or (isinstance(value, str) and _inside(value, folder))
    if rule == "superset":
        return isinstance(value, list) and all(entry in value for entry in (below if isinstance(below, list) else ()))
    return False


def _inside(text: str, folder: Path) -> bool:
    if text.startswith("~") or "\0" in text:
        return False
    try:
        root = folder.resolve()
        return (root / text).resolve().is_relative_to(root)
    except (OSError, RuntimeError):
        return False
