"""Files that a command is pointed at."""

from __future__ import annotations

from pathlib import Path

from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.wiring.codes import FILE_MISSING, FILE_NOT_READ, FILE_TOO_LARGE


def read_text_file(name: str, most: int) -> bytes:
    """The bytes of a regular file.

    Raises:
        EyesError: FILE_MISSING, FILE_NOT_READ, FILE_TOO_LARGE beyond `most` bytes.
    """
    path = Path(name).expanduser()
    try:
        if not path.is_file():
            code: Code = FILE_NOT_READ if path.exists() else FILE_MISSING
            raise EyesError(code, f"{name} is not a file." if path.exists() else f"There is no file {name}.")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as trouble:
        raise EyesError(FILE_NOT_READ, f"{name} cannot be read.") from trouble
    if len(data) > most:
        raise EyesError(
            FILE_TOO_LARGE,
            f"{name} holds more than {most} bytes.",
            details={"limit": {"name": "max_bytes", "value": most, "setting": "vision.limits.max_bytes"}},
        )
    return data
