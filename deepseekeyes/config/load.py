"""Files, environment and flags become settings: the highest source that speaks decides, and its name is kept.

Order: flag, environment, `./deepseekeyes.toml`, the home's `config.toml`, default. A file named with `--config` stands
in the place of both files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deepseekeyes.config import codes
from deepseekeyes.config.environment import Environment, read_environment
from deepseekeyes.config.layers import at, overlay, put
from deepseekeyes.config.problems import Problem, from_error, located, of_section, raised, unknown
from deepseekeyes.config.settings import NAMES, ROUTES, SECTIONS, Settings, section_type
from deepseekeyes.config.sources import File, KeyPath, Layer, candidates, dotted, layer, parsed, read
from deepseekeyes.core.errors import EyesError

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force.

    Attributes:
        settings: every section.
        origins: where each value that is no default came from, by dotted key: `flag`, `env NAME` or `file PATH`.
        warnings: what was left aside.
    """

    settings: Settings
    origins: Mapping[str, str]
    warnings: tuple[str, ...] = ()

    def origin(self, key: str) -> str:
        """Where the value of a setting came from."""
        return self.origins.get(key, DEFAULT)


@dataclass(slots=True)
class Inspection:
    """Everything that loading found, whether or not it may be used."""

    files: list[File] = field(default_factory=list)
    layers: list[Layer] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    origins: dict[KeyPath, Layer] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)

    def origin(self, path: KeyPath) -> str:
        """Where the value at a path came from, `default` where no source has it."""
        found = self.origins.get(path)
        return DEFAULT if found is None else found.origins.get(path, found.origin)


def load(
    *,
    home: Path,
    cwd: Path,
    environ: Mapping[str, str],
    flags: Mapping[str, Any] | None = None,
    config_file: Path | None = None,
) -> Loaded:
    """The settings in force.

    Args:
        home: where state and the user's `config.toml` lie.
        cwd: the working folder.
        environ: the process's environment.
        flags: values of the command line by dotted key; None values are absent.
        config_file: what `--config` named.

    Raises:
        EyesError: CONFIG_UNTRUSTED (policy), else the first of CONFIG_* (input); the message counts the others.
    """
    found = inspect(home=home, cwd=cwd, environ=environ, flags=flags, config_file=config_file)
    if found.problems:
        raise raised(found.problems)
    origins = {dotted(path): found.origin(path) for path in found.origins}
    return Loaded(found.settings, origins, tuple(found.warnings))


def inspect(
    *,
    home: Path,
    cwd: Path,
    environ: Mapping[str, str],
    flags: Mapping[str, Any] | None = None,
    config_file: Path | None = None,
) -> Inspection:
    """Read and check every source without stopping at the first problem."""
    found = Inspection()
    layers = _file_layers(found, candidates(home=home, cwd=cwd, config_file=config_file))
    environment = read_environment(environ, lambda: _referenced(layers))
    found.problems += environment.problems
    found.warnings += environment.warnings
    found.layers = _ordered(flags, environment, layers, cwd)
    found.values, found.origins = overlay(found.layers)
    _check_trust(found, home)
    _build(found)
    return found


def inspect_text(text: str, path: Path, home: Path) -> list[Problem]:
    """What would be wrong if the home's file at `path` held this text, by itself."""
    found = Inspection()
    try:
        found.layers = [Layer(f"file {path}", parsed(text, path), home, text=text)]
    except EyesError as error:
        return [from_error(error, f"file {path}")]
    found.values, found.origins = overlay(found.layers)
    _build(found)
    return found.problems


def _ordered(flags: Mapping[str, Any] | None, environment: Environment, files: list[Layer], cwd: Path) -> list[Layer]:
    layers = list(files)
    if environment.values:
        layers.insert(0, environment.layer(cwd))
    given = {key: value for key, value in (flags or {}).items() if value is not None}
    if given:
        values: dict[str, Any] = {}
        for key, value in given.items():
            put(values, tuple(key.split(".")), value)
        layers.insert(0, Layer("flag", values, cwd))
    return layers


def _file_layers(found: Inspection, places: Any) -> list[Layer]:
    layers = []
    for role, path in places:
        try:
            file = read(role, path)
            found.files.append(file)
            if file.data is not None:
                layers.append(layer(file))
        except EyesError as error:
            found.problems.append(from_error(error, f"file {path}"))
    return layers


def _referenced(layers: list[Layer]) -> set[str]:
    from deepseekeyes.config.restrictions import variables

    return {name for one in layers for name in variables(one.values)}


def _check_trust(found: Inspection, home: Path) -> None:
    """Settings of a working folder's file that need trust it does not have."""
    file = next((file for file in found.files if file.role == "folder" and file.data is not None), None)
    if file is None:
        return
    mine = next((one for one in found.layers if one.origin == f"file {file.path}"), None)
    if mine is None:
        return
    from deepseekeyes.config.restrictions import restricted
    from deepseekeyes.config.trusted import is_trusted

    below = found.layers[-1].values if found.layers[-1] is not mine else {}
    closed = restricted(mine.values, folder=file.path.parent, below=below)
    if not closed or is_trusted(home, file):
        return
    found.problems += [
        located(codes.CONFIG_UNTRUSTED, f"{dotted(path)} {reason}, and this file is not trusted.", mine, path)
        for path, reason in closed
    ]


def _build(found: Inspection) -> None:
    """Check the sections that any source mentions, and make the settings of them."""
    built: dict[str, Any] = {}
    for name, values in found.values.items():
        if name not in NAMES:
            found.problems.append(unknown((name,), NAMES, _layer_of(found, (name,))))
        elif not isinstance(values, Mapping) or (name == ROUTES and not _tables(values)):
            message = f"{name} must be a table of tables." if name == ROUTES else f"{name} must be a table."
            found.problems.append(located(codes.CONFIG_VALUE, message, _layer_of(found, (name,)), (name,)))
        elif name in SECTIONS:
            section = None if _bare(values) else _section(found, name, values)
            if section is not None:
                built[name] = section
    routes = found.values.get(ROUTES)
    found.settings = Settings(built, routes if isinstance(routes, Mapping) else None)


def _section(found: Inspection, name: str, values: Mapping[str, Any]) -> Any:
    from pydantic import ValidationError

    from deepseekeyes.config.values import as_json

    model = section_type(name)
    text, bad = as_json(model, name, values, lambda path: _layer_of(found, path))
    try:
        section = model.model_validate_json(text)
    except ValidationError as error:
        said = {problem.path for problem in bad}
        more = of_section(name, model, values, error, lambda path: _layer_of(found, path))
        bad += [problem for problem in more if problem.path not in said]
    found.problems += bad
    return None if bad else section


def _bare(values: Mapping[str, Any]) -> bool:
    """Headers without a single value under them, as the starter file has them."""
    return all(isinstance(value, Mapping) and _bare(value) for value in values.values())


def _tables(values: Mapping[str, Any]) -> bool:
    return all(isinstance(entry, Mapping) for entry in values.values())


def _layer_of(found: Inspection, path: KeyPath) -> Layer:
    """The layer of a path, of what lies below it, or of what it lies below."""
    if path in found.origins:
        return found.origins[path]
    for known, one in found.origins.items():
        if known[: len(path)] == path or path[: len(known)] == known:
            return one
    if len(path) > 1:
        return _layer_of(found, path[:-1])
    holder = next((one for one in found.layers if at(one.values, path) is not None), None)
    return holder if holder is not None else found.layers[-1]
