"""Print the home, the files that are consulted, and whether the working folder's file is trusted."""

from __future__ import annotations

from pathlib import Path

from deepseekeyes.config.deps import ConfigDeps
from deepseekeyes.config.sources import PREFIX, File, Role, candidates, parsed, read
from deepseekeyes.contracts.config import ConfigFile, ConfigPaths, TrustState
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError


class PathRequest(Contract):
    """Nothing to ask for."""


async def path(request: PathRequest, deps: ConfigDeps) -> ConfigPaths:
    """List the places in order of precedence. Works whatever state the files are in."""
    del request
    used = {place for _, place in candidates(home=deps.home, cwd=deps.cwd, config_file=deps.config_file)}
    places = list(candidates(home=deps.home, cwd=deps.cwd, config_file=None))
    if deps.config_file is not None:
        places = [*candidates(home=deps.home, cwd=deps.cwd, config_file=deps.config_file), *places]
    return ConfigPaths(
        home=str(deps.home),
        home_exists=_exists(deps.home),
        files=tuple(_described(role, place, place in used, deps) for role, place in places),
        environment=tuple(sorted(name for name in deps.environ if name.startswith(PREFIX))),
    )


def _described(role: Role, place: Path, used: bool, deps: ConfigDeps) -> ConfigFile:
    try:
        file = read(role, place)
    except EyesError:
        return ConfigFile(role=role, path=str(place), exists=_exists(place), used=used, trust=_unread(role))
    exists = file.data is not None
    return ConfigFile(
        role=role,
        path=str(place),
        exists=exists,
        used=used and exists,
        trust=_trust(file, deps) if exists else "not-needed",
        sha256=file.sha256,
        bytes=None if file.data is None else len(file.data),
    )


def _trust(file: File, deps: ConfigDeps) -> TrustState:
    if file.role != "folder":
        return "not-needed"
    from deepseekeyes.config.trusted import state

    known = state(deps.home, file)
    if known == "trusted" or restrictions_of(file, deps.home):
        return known
    return "not-needed"


def restrictions_of(file: File, home: Path) -> list[str]:
    """The settings of a working-folder file that need trust; a file that cannot be parsed needs none yet."""
    from deepseekeyes.config.restrictions import restricted
    from deepseekeyes.config.sources import HOME_FILE, decoded, dotted

    try:
        values = parsed(decoded(file), file.path)
        mine = read("home", home / HOME_FILE)
        below = parsed(decoded(mine), mine.path) if mine.data is not None else {}
    except EyesError:
        return []
    return [dotted(key) for key, _ in restricted(values, folder=file.path.parent, below=below)]


def _unread(role: Role) -> TrustState:
    return "untrusted" if role == "folder" else "not-needed"


def _exists(place: Path) -> bool:
    try:
        return place.exists()
    except (OSError, ValueError):
        return False
