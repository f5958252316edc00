"""Scripts of steps: JSON lines, one JSON list, or a YAML list where a YAML parser is installed.

A step is an object with `action` (the command line's word, `-` and `_` alike) and that command's options. `comment` is
for people. `state` may be `newest`: the state that the step before ended in.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from deepseekeyes.automation.codes import SCRIPT_INVALID, SCRIPT_TOO_LONG, YAML_MISSING
from deepseekeyes.automation.given import Sources
from deepseekeyes.core.errors import EyesError, Limit
from deepseekeyes.core.names import nearest

NEWEST = "newest"
STEPS, BYTES = "automation.script_steps", "automation.max_script_bytes"


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """One step: its place from 1, its action in the command line's spelling, and the options as they were written."""

    number: int
    action: str
    options: Mapping[str, Any] = field(repr=False)

    def given(self, newest: str | None) -> dict[str, Any]:
        """The options with `newest` replaced by a state id."""
        options = dict(self.options)
        for name in ("state", "stateId", "state_id"):
            if options.get(name) == NEWEST:
                options[name] = newest
        return options


def script(named: str, sources: Sources, actions: Collection[str]) -> tuple[ScriptStep, ...]:
    """The steps of a file, or of standard input for `-`.

    Raises:
        EyesError: SCRIPT_INVALID, SCRIPT_TOO_LONG, YAML_MISSING.
    """
    most = sources.automation.max_script_bytes
    data = sources.stdin(most, BYTES) if named == "-" else _file(sources.cwd / named, most + 1)
    if len(data) > most:
        raise _too_long(f"The script has more than {most} bytes.", BYTES, most)
    return steps(data.decode("utf-8", "replace"), actions, most=sources.automation.script_steps)


def _file(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(most)
    except (OSError, ValueError) as trouble:
        reason = trouble.strerror if isinstance(trouble, OSError) else "its name is none"
        raise EyesError(SCRIPT_INVALID, f"The script cannot be read: {reason}.") from trouble


def _too_long(sentence: str, setting: str, value: int) -> EyesError:
    limit: Limit = {"name": setting.rpartition(".")[2], "value": value, "setting": setting}
    return EyesError(SCRIPT_TOO_LONG, sentence, details={"limit": limit}, setting=setting)


def steps(content: str, actions: Collection[str], *, most: int) -> tuple[ScriptStep, ...]:
    """The steps of a script.

    Args:
        actions: what the surface can do, in the command line's spelling.
        most: the longest script, `automation.script_steps`.

    Raises:
        EyesError: SCRIPT_INVALID with the line or step, SCRIPT_TOO_LONG, YAML_MISSING.
    """
    rows = _listed(content.removeprefix("\ufeff"))
    if not rows:
        raise EyesError(SCRIPT_INVALID, "The script has no steps.")
    if len(rows) > most:
        raise _too_long(f"The script has {len(rows)} steps; {most} are allowed.", STEPS, most)
    return tuple(_step(number, row, actions) for number, row in enumerate(rows, 1))


def _step(number: int, row: Any, actions: Collection[str]) -> ScriptStep:
    action = row.get("action") if isinstance(row, dict) else None
    if not isinstance(action, str):
        raise EyesError(SCRIPT_INVALID, f"Step {number} names no action.", details={"path": f"/{number - 1}/action"})
    word = action.strip().lower().replace("_", "-")
    if word not in actions:
        meant = nearest(word, actions)
        raise EyesError(
            SCRIPT_INVALID,
            f"Step {number}: there is no action {action[:40]!r}" + (f"; did you mean {meant}?" if meant else "."),
            details={"path": f"/{number - 1}/action", "candidates": sorted(actions)},
        )
    options = {str(key): value for key, value in row.items() if key not in ("action", "comment")}
    return ScriptStep(number, word, options)


def _listed(content: str) -> list[Any]:
    text = content.strip()
    if text.startswith("["):
        return _list(_json(text, None))
    lines = [(number, line.strip()) for number, line in enumerate(content.splitlines(), 1)]
    kept = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not kept:
        return []
    if kept[0][1].startswith("{"):
        return [_json(line, number) for number, line in kept]
    return _list(_yaml(content))


def _list(found: Any) -> list[Any]:
    if not isinstance(found, list):
        raise EyesError(SCRIPT_INVALID, "The script is neither JSON lines nor a list of steps.")
    return found


def _json(text: str, number: int | None) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        where = "The script" if number is None else f"Line {number}"
        raise EyesError(SCRIPT_INVALID, f"{where} is not JSON.") from None


def _yaml(content: str) -> Any:
    try:
        yaml = import_module("yaml")
    except ImportError:
        raise EyesError(YAML_MISSING, "The script is not JSON, and no YAML parser is installed.") from None
    try:
        return yaml.safe_load(content)
    except (yaml.YAMLError, RecursionError, ValueError):
        raise EyesError(SCRIPT_INVALID, "The script is neither JSON lines nor YAML.") from None
