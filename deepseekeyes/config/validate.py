"""Judge a configuration: every problem at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deepseekeyes.config import codes
from deepseekeyes.config.deps import ConfigDeps
from deepseekeyes.config.load import Inspection, inspect
from deepseekeyes.config.problems import Problem, located
from deepseekeyes.config.settings import ROUTES
from deepseekeyes.config.sources import KeyPath
from deepseekeyes.contracts.config import ConfigVerdict
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError


class ValidateRequest(Contract):
    """A file to judge by itself; absent, the configuration in force here."""

    file: str | None = None


async def validate(request: ValidateRequest, deps: ConfigDeps) -> ConfigVerdict:
    """Check a file, or everything that would be in force.

    A file that is named is judged by itself, without the environment; whether it is trusted does not matter then.

    Raises:
        EyesError: CONFIG_NOT_FOUND or CONFIG_UNREADABLE where there is nothing to judge.
    """
    if request.file is None:
        found = inspect(**deps.sources())
    else:
        found = inspect(home=deps.home, cwd=deps.cwd, environ={}, config_file=Path(request.file))
        _refuse_unread(found)
    problems = [*found.problems, *route_problems(found, deps.home)]
    if request.file is None:
        problems += catalog_problems(found, deps.home)
    sources = [str(file.path) for file in found.files if file.data is not None]
    if request.file is None:
        sources += sorted({origin for layer in found.layers for origin in layer.origins.values()})
    return ConfigVerdict(
        valid=not problems,
        sources=tuple(sources),
        problems=tuple(problem.document() for problem in problems),
        warnings=tuple(found.warnings),
    )


def route_problems(found: Inspection, home: Path) -> list[Problem]:
    """What is wrong with `[routes.ID]` laid over the entries below them."""
    if not found.settings.routes:
        return []
    from deepseekeyes.routing.merge import build_catalog

    try:
        build_catalog(found.settings.routes, _home_catalog(home))
    except EyesError as error:
        named = error.details.get("candidates") or [error.message]
        return [_route_problem(found, text) for text in named]
    return []


def catalog_problems(found: Inspection, home: Path) -> list[Problem]:
    """What is wrong with the home's catalog.json, as far as no `[routes.ID]` is laid over it."""
    from deepseekeyes.routing.catalog_file import FILE, read_catalog_file
    from deepseekeyes.routing.merge import build_catalog

    try:
        document = read_catalog_file(home)
        if not found.settings.routes:
            build_catalog({}, document)
    except EyesError as error:
        named = error.details.get("candidates") or [error.message.removesuffix(".")]
        return [Problem(error.code, f"{text}.", f"file {home / FILE}") for text in named]
    return []


def _home_catalog(home: Path) -> dict[str, Any] | None:
    """The home's catalog, as far as it can be read; what is wrong with it is not the configuration's fault."""
    from deepseekeyes.routing.catalog_file import read_catalog_file

    try:
        return read_catalog_file(home)
    except EyesError:
        return None


def _route_problem(found: Inspection, text: str) -> Problem:
    place, _, _ = text.partition(": ")
    path = _known_path(found, place)
    message = text if text.endswith(".") else text + "."
    layer = found.origins.get(path) or next(
        (one for known, one in found.origins.items() if known[:2] == path[:2]), found.layers[-1]
    )
    return located(codes.CONFIG_VALUE, message, layer, path)


def _known_path(found: Inspection, place: str) -> KeyPath:
    """`routes.a.b[0]` as a path, as far as the written values go."""
    here = found.settings.routes
    entry = max((key for key in here if place.startswith(f"{ROUTES}.{key}")), key=len, default=None)
    if entry is None:
        return (ROUTES,)
    rest = place.removeprefix(f"{ROUTES}.{entry}").lstrip(".").split("[")[0]
    return (ROUTES, entry, *(part for part in rest.split(".") if part))


def _refuse_unread(found: Inspection) -> None:
    for problem in found.problems:
        if problem.code in {codes.CONFIG_NOT_FOUND, codes.CONFIG_UNREADABLE, codes.CONFIG_TOO_LARGE}:
            raise EyesError(problem.code, problem.message, details=None, **problem.fields)
