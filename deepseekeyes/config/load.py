"""Files, environment and flags become settings: the highest source that speaks decides, and its name is kept.

Order: flag, environment, `./deepseekeyes.toml`, the home's `config.toml`, default. A file named with `--config` stands
in the place of both files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from deepseekeyes.config import codes
from deepseekeyes.config.layers import at, overlay, put
from deepseekeyes.config.settings import NAMES, ROUTES, SECTIONS, Settings, section_type
from deepseekeyes.config.sources import (
    PREFIX,
    RESERVED,
    File,
    KeyPath,
    Layer,
    Role,
    candidates,
    dotted,
    layer,
    parsed,
    read,
)
from deepseekeyes.core.errors import Code, EyesError

if TYPE_CHECKING:
    from deepseekeyes.config.problems import Problem

DEFAULT: Final = "default"


class Loaded(NamedTuple):
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


class Inspection:
    """Everything that loading found, whether or not it may be used.

    Attributes:
        files: what was consulted.
        layers: what the sources say, the highest first.
        values: the layers merged; `origins` names the layer of each leaf.
        problems: what keeps the configuration from being used.
        warnings: what was left aside.
    """

    __slots__ = ("files", "layers", "origins", "problems", "settings", "values", "warnings")

    def __init__(self) -> None:
        self.files: list[File] = []
        self.layers: list[Layer] = []
        self.values: dict[str, Any] = {}
        self.origins: dict[KeyPath, Layer] = {}
        self.problems: list[Problem] = []
        self.warnings: list[str] = []
        self.settings = Settings()

    def origin(self, path: KeyPath) -> str:
        """Where the value at a path came from, `default` where no source has it."""
        found = self.origins.get(path)
        return DEFAULT if found is None else found.origins.get(path, found.origin)

    def complain(self, code: Code, message: str, path: KeyPath) -> None:
        """Add a problem of the value at a path."""
        from deepseekeyes.config.problems import located

        self.problems.append(located(code, message, layer_of(self, path), path))


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
        from deepseekeyes.config.problems import raised

        raise raised(found.problems)
    origins = {dotted(path): found.origin(path) for path in found.origins if at(found.values, path) != {}}
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
    found.layers = _ordered(flags, _environment(found, environ, layers, cwd), layers, cwd)
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
        from deepseekeyes.config.problems import from_error

        return [from_error(error, f"file {path}")]
    found.values, found.origins = overlay(found.layers)
    _build(found)
    return found.problems


def _environment(found: Inspection, environ: Mapping[str, str], files: Sequence[Layer], cwd: Path) -> Iterable[Layer]:
    if not any(name.startswith(PREFIX) and name not in RESERVED for name in environ):
        return
    from deepseekeyes.config.environment import read_environment

    environment = read_environment(environ, lambda: _referenced(files))
    found.problems += environment.problems
    found.warnings += environment.warnings
    if environment.values:
        yield environment.layer(cwd)


def _ordered(
    flags: Mapping[str, Any] | None, environment: Iterable[Layer], files: Sequence[Layer], cwd: Path
) -> list[Layer]:
    layers = [*environment, *files]
    given = {key: value for key, value in (flags or {}).items() if value is not None}
    if given:
        values: dict[str, Any] = {}
        for key, value in given.items():
            put(values, tuple(key.split(".")), value)
        layers.insert(0, Layer("flag", values, cwd))
    return layers


def _file_layers(found: Inspection, places: Iterable[tuple[Role, Path]]) -> list[Layer]:
    layers = []
    for role, path in places:
        try:
            file = read(role, path)
            found.files.append(file)
            if file.data is not None:
                layers.append(layer(file))
        except EyesError as error:
            from deepseekeyes.config.problems import from_error

            found.problems.append(from_error(error, f"file {path}"))
    return layers


def _referenced(layers: Sequence[Layer]) -> set[str]:
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
    from deepseekeyes.config.problems import located

    found.problems += [
        located(codes.CONFIG_UNTRUSTED, f"{dotted(path)} {reason} in a file that is not trusted.", mine, path)
        for path, reason in closed
    ]


def _build(found: Inspection) -> None:
    """Check the sections that any source mentions, and make the settings of them."""
    built: dict[str, Any] = {}
    for name, values in found.values.items():
        if name not in NAMES:
            from deepseekeyes.config.problems import unknown

            found.problems.append(unknown((name,), NAMES, layer_of(found, (name,))))
        elif not isinstance(values, Mapping) or (name == ROUTES and not _tables(values)):
            message = f"{name} must be a table of tables." if name == ROUTES else f"{name} must be a table."
            found.complain(codes.CONFIG_VALUE, message, (name,))
        elif name in SECTIONS:
            section = None if _bare(values) else _section(found, name, values)
            if section is not None:
                built[name] = section
    _watch(found.values)
    routes = found.values.get(ROUTES)
    found.settings = Settings(built, routes if isinstance(routes, Mapping) else None)


def _watch(values: Mapping[str, Any]) -> None:
    """Let the redactor know the variables that hold secrets."""
    if not values:
        return
    from deepseekeyes.config.restrictions import variables

    names = set(variables(values))
    if names:
        from deepseekeyes.core.secrets import SecretRef, watch

        for name in names:
            watch(SecretRef(name))


def _section(found: Inspection, name: str, values: Mapping[str, Any]) -> Any:
    from pydantic import ValidationError

    from deepseekeyes.config.values import as_json

    model = section_type(name)
    text, bad = as_json(model, name, values, lambda path: layer_of(found, path))
    try:
        section = model.model_validate_json(text)
    except ValidationError as error:
        from deepseekeyes.config.problems import of_section

        said = {problem.path for problem in bad}
        more = of_section(name, model, values, error, lambda path: layer_of(found, path))
        bad += [problem for problem in more if problem.path not in said]
    found.problems += bad
    return None if bad else section


def _bare(values: Mapping[str, Any]) -> bool:
    """Headers without a single value under them, as the starter file has them."""
    return all(isinstance(value, Mapping) and _bare(value) for value in values.values())


def _tables(values: Mapping[str, Any]) -> bool:
    return all(isinstance(entry, Mapping) for entry in values.values())


def layer_of(found: Inspection, path: KeyPath) -> Layer:
    """The layer of a path, of what lies below it, or of what it lies below."""
    if path in found.origins:
        return found.origins[path]
    for known, one in found.origins.items():
        if known[: len(path)] == path or path[: len(known)] == known:
            return one
    if len(path) > 1:
        return layer_of(found, path[:-1])
    holder = next((one for one in found.layers if at(one.values, path) is not None), None)
    return holder if holder is not None else found.layers[-1]
