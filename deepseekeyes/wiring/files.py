"""Files that a command is pointed at."""

from __future__ import annotations

import errno
import shlex
from pathlib import Path

from deepseekeyes.core.codes import PATH_LOOP
from deepseekeyes.core.errors import EyesError
from deepseekeyes.wiring.codes import FILE_MISSING, FILE_NOT_READ, FILE_TOO_LARGE


def read_text_file(name: str, most: int) -> bytes:
    """The bytes of a regular file.

    Raises:
        EyesError: FILE_MISSING, FILE_NOT_READ, PATH_LOOP, FILE_TOO_LARGE beyond `most` bytes.
    """
    path = Path(name).expanduser()
    try:
        if not path.is_file():
            path.stat()
            raise EyesError(FILE_NOT_READ, f"{name} is not a file.")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as trouble:
        raise _failure(name, trouble) from trouble
    if len(data) > most:
        raise EyesError(
            FILE_TOO_LARGE,
            f"{name} holds more than {most} bytes.",
            details={"limit": {"name": "max_bytes", "value": most, "setting": "vision.limits.max_bytes"}},
        )
    return data


def _failure(name: str, trouble: OSError | ValueError) -> EyesError:
    number = trouble.errno if isinstance(trouble, OSError) else None
    if number in (errno.ENOENT, errno.ENOTDIR):
        return EyesError(FILE_MISSING, f"There is no file {name}.")
    if number == errno.ELOOP:
        return EyesError(PATH_LOOP, f"{name} cannot be opened: its links go round in a circle.", path=shlex.quote(name))
    return EyesError(FILE_NOT_READ, f"{name} cannot be read.")
