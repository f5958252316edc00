"""Settings from environment variables: `DEEPSEEKEYES_<SECTION>_<KEY>`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from deepseekeyes.config import codes
from deepseekeyes.config.fields import Leaf, choices, expected, forms, leaves
from deepseekeyes.config.layers import put
from deepseekeyes.config.problems import Problem
from deepseekeyes.config.settings import SECTIONS, section_type
from deepseekeyes.config.sources import PREFIX, RESERVED, KeyPath, Layer, dotted
from deepseekeyes.core.errors import Code

NEVER: Final = ("DEEPSEEKEYES_MCP_SERVERS", "DEEPSEEKEYES_ROUTES")
TRUE: Final = frozenset({"1", "true", "yes", "on"})
FALSE: Final = frozenset({"0", "false", "no", "off"})
MAX_INTEGER: Final = 2**53


@dataclass(slots=True)
class Environment:
    """What the environment says: a layer of values, what is wrong with it, and what was left aside."""

    values: dict[str, Any] = field(default_factory=dict)
    origins: dict[KeyPath, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def layer(self, cwd: Path) -> Layer:
        return Layer("env", self.values, cwd, self.origins)


class Unusable(Exception):  # noqa: N818 - caught in this file
    """A text that is no value of its setting."""


def read_environment(environ: Mapping[str, str], referenced: Callable[[], set[str]]) -> Environment:
    """Collect the settings among environment variables.

    MCP servers and routes never come from the environment: variables that look like it are ignored with a warning.

    Args:
        environ: the whole environment.
        referenced: names that the files use in `{ env = "NAME" }`, asked for only where a name is not known otherwise.
    """
    found = Environment()
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in RESERVED:
            _read(name, environ[name], found, referenced)
    return found


def _read(name: str, text: str, found: Environment, referenced: Callable[[], set[str]]) -> None:
    if name.startswith(NEVER):
        found.warnings.append(f"{name} is ignored: MCP servers and routes never come from the environment.")
        return
    leaf = _leaf(name)
    if leaf is None:
        if name not in referenced():
            found.problems.append(_unknown(name))
        return
    try:
        value = _value(text, leaf)
    except Unusable:
        message = f"{name} must be {expected(leaf.info)}."
        found.problems.append(Problem(codes.CONFIG_VALUE, message, f"env {name}", leaf.path))
        return
    if value is not None:
        put(found.values, leaf.path, value)
        found.origins[leaf.path] = f"env {name}"


def _leaf(name: str) -> Leaf | None:
    section = name.removeprefix(PREFIX).split("_", 1)[0].lower()
    if section not in SECTIONS or name != name.upper():
        return None
    return next((leaf for leaf in leaves(section_type(section), (section,)) if leaf.variable == name), None)


def _value(text: str, leaf: Leaf) -> Any:
    """The text as the setting's kind; None counts as unset.

    Raises:
        Unusable: the text is no such value.
    """
    found = forms(leaf.info.annotation)
    word = text.strip()
    if "\0" in word or any("\ud800" <= letter <= "\udfff" for letter in word):
        raise Unusable
    if not word:
        if found <= {"bool", "int", "float", "list"}:
            return None
        raise Unusable
    for form, parse in _PARSERS.items():
        if form in found:
            value = parse(word, leaf)
            if value is not None:
                return value
    raise Unusable


def _boolean(word: str, leaf: Leaf) -> bool | None:
    lower = word.lower()
    if forms(leaf.info.annotation) == {"bool"}:
        return True if lower in TRUE else False if lower in FALSE else None
    return False if lower == "false" else None


def _integer(word: str, leaf: Leaf) -> int | None:
    del leaf
    if re.fullmatch(r"0|[1-9][0-9]{0,15}", word) and int(word) < MAX_INTEGER:
        return int(word)
    return None


def _number(word: str, leaf: Leaf) -> float | None:
    del leaf
    return float(word) if re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,15})?", word) else None


def _choice(word: str, leaf: Leaf) -> str | None:
    return next((choice for choice in choices(leaf.info.annotation) if choice.lower() == word.lower()), None)


def _list(word: str, leaf: Leaf) -> list[str] | None:
    del leaf
    return [part.strip() for part in re.split(r"[,\n]", word) if part.strip()]


def _text(word: str, leaf: Leaf) -> str | None:
    del leaf
    return word


_PARSERS: Final[Mapping[Any, Callable[[str, Leaf], Any]]] = {
    "bool": _boolean,
    "int": _integer,
    "float": _number,
    "choice": _choice,
    "list": _list,
    "path": _text,
    "text": _text,
}


def _unknown(name: str) -> Problem:
    from deepseekeyes.config.renamed import OLD_VARIABLES
    from deepseekeyes.core.names import nearest

    origin = f"env {name}"
    new_key = OLD_VARIABLES.get(name.removeprefix(PREFIX))
    if new_key is not None:
        new = PREFIX + new_key.replace(".", "_").upper()
        return Problem(
            codes.CONFIG_ENV_RENAMED,
            f"{name} is now {new}.",
            origin,
            candidates=(new,),
            fields={"new": new, "old": name},
        )
    known = sorted(variables())
    meant = nearest(name, known)
    code: Code = codes.CONFIG_ENV_UNKNOWN
    if meant is None:
        return Problem(code, f"{name} is no setting.", origin)
    return Problem(code, f"{name} is no setting; did you mean {meant}?", origin, candidates=(meant,))


def variables() -> dict[str, str]:
    """Every environment variable there is, with the dotted setting it moves."""
    return {
        leaf.variable: dotted(leaf.path)
        for section in SECTIONS
        for leaf in leaves(section_type(section), (section,))
        if leaf.variable is not None
    }
