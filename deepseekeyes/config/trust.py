"""Accept the working folder's configuration exactly as it is now, or take that back."""

from __future__ import annotations

from deepseekeyes.config import codes
from deepseekeyes.config.deps import ConfigDeps
from deepseekeyes.config.path import restrictions_of
from deepseekeyes.config.sources import FOLDER_FILE, File, decoded, parsed, read
from deepseekeyes.contracts.config import ConfigTrust
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import EyesError


class TrustRequest(Contract):
    """`file` is a `deepseekeyes.toml`, the working folder's when absent; `revoke` takes the acceptance back."""

    file: str | None = None
    revoke: bool = False


async def trust(request: TrustRequest, deps: ConfigDeps) -> ConfigTrust:
    """Record the digest of the file. A later change of the file needs a new acceptance.

    Raises:
        EyesError: CONFIG_NO_FOLDER_FILE, CONFIG_SYNTAX, CONFIG_ENCODING; from the store when the home is not writable.
    """
    from deepseekeyes.config import trusted

    path = deps.cwd / (request.file or FOLDER_FILE)
    if path.name != FOLDER_FILE:
        raise EyesError(codes.CONFIG_NO_FOLDER_FILE, f"{path} is no {FOLDER_FILE}; only such files need trust.")
    file = read("folder", path)
    if request.revoke:
        trusted.forget(deps.home, file)
        return ConfigTrust(path=str(path), sha256=file.sha256, trusted=False, restricted=_restricted(file, deps))
    if file.data is None:
        raise EyesError(codes.CONFIG_NO_FOLDER_FILE, f"There is no {FOLDER_FILE} in {path.parent}.")
    parsed(decoded(file), file.path)
    trusted.record(deps.home, file, at=rfc3339(deps.clock.now()))
    return ConfigTrust(path=str(path), sha256=file.sha256, trusted=True, restricted=_restricted(file, deps))


def _restricted(file: File, deps: ConfigDeps) -> tuple[str, ...]:
    return tuple(restrictions_of(file, deps.home)) if file.data is not None else ()
