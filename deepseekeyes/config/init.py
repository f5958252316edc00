"""Write a commented starter configuration into the home."""

from __future__ import annotations

from pathlib import Path

from deepseekeyes.config import codes
from deepseekeyes.config.deps import ConfigDeps
from deepseekeyes.config.edit import lock_of
from deepseekeyes.config.sources import HOME_FILE
from deepseekeyes.config.starter import starter
from deepseekeyes.contracts.config import ConfigInit
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError


class InitRequest(Contract):
    """`force` replaces an existing file and keeps a copy of it."""

    force: bool = False


async def init(request: InitRequest, deps: ConfigDeps) -> ConfigInit:
    """Write `config.toml` into the home; never anywhere else.

    Raises:
        EyesError: CONFIG_EXISTS without `force`; from the file layer when the home cannot be written.
    """
    from deepseekeyes.core.atomic import create_exclusive, read_file, write_private

    path = deps.home / HOME_FILE
    data = starter().encode()
    with lock_of(deps.home):
        if create_exclusive(path, data):
            return ConfigInit(path=str(path), replaced=False)
        if not request.force:
            raise EyesError(codes.CONFIG_EXISTS, f"{path} exists already and was left as it is.")
        old = read_file(path)
        if old is None or old == data:
            write_private(path, data)
            return ConfigInit(path=str(path), replaced=True)
        backup = _free_name(deps)
        write_private(backup, old)
        write_private(path, data)
    return ConfigInit(path=str(path), replaced=True, backup=str(backup))


def _free_name(deps: ConfigDeps) -> Path:
    stamp = deps.clock.now().strftime("%Y%m%dT%H%M%SZ")
    path = deps.home / f"{HOME_FILE}.{stamp}.bak"
    number = 1
    while path.exists():
        number += 1
        path = deps.home / f"{HOME_FILE}.{stamp}-{number}.bak"
    return path
