"""Where settings come from: the files, read with every bound, and the layers they become."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from deepseekeyes.config import codes
from deepseekeyes.core.errors import EyesError

FOLDER_FILE: Final = "deepseekeyes.toml"
HOME_FILE: Final = "config.toml"
MAX_BYTES: Final = 1_048_576
PREFIX: Final = "DEEPSEEKEYES_"
RESERVED: Final = frozenset(
    {
        "DEEPSEEKEYES_HOME",
        "DEEPSEEKEYES_SESSION",
        "DEEPSEEKEYES_EVAL_API_KEY",
        "DEEPSEEKEYES_EVAL_MODEL",
        "DEEPSEEKEYES_EVAL_BASE_URL",
        "DEEPSEEKEYES_EVAL_URL",
    }
)
"""Variables with our prefix that are no settings."""
BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")

Role = Literal["named", "folder", "home"]
KeyPath = tuple[str, ...]


class File(NamedTuple):
    """A configuration file as it was read.

    Attributes:
        role: `named` by `--config`, of the working `folder`, or of the `home`.
        path: absolute, symbolic links kept.
        data: the bytes, None where there is no file.
    """

    role: Role
    path: Path
    data: bytes | None

    @property
    def sha256(self) -> str | None:
        """Digest of the bytes, None where there is no file."""
        if self.data is None:
            return None
        import hashlib

        return hashlib.sha256(self.data).hexdigest()


class Layer(NamedTuple):
    """Values of one origin. `origins` names the variable of each path where the layer is the environment."""

    origin: str
    values: Mapping[str, Any]
    folder: Path
    origins: Mapping[KeyPath, str] = MappingProxyType({})
    text: str | None = None


def candidates(*, home: Path, cwd: Path, config_file: Path | None) -> tuple[tuple[Role, Path], ...]:
    """The files that count, highest precedence first. A file named on the line replaces both others."""
    if config_file is not None:
        return (("named", cwd / config_file.expanduser()),)
    return (("folder", cwd / FOLDER_FILE), ("home", home / HOME_FILE))


def read(role: Role, path: Path) -> File:
    """Read one file, if it is there.

    A file that nobody named must be a regular one, so that a pipe or a device planted in a working folder is not read.

    Raises:
        EyesError: CONFIG_NOT_FOUND for a named file that is missing, CONFIG_UNREADABLE, CONFIG_TOO_LARGE.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError) as missing:
        if role != "named":
            return File(role, path, None)
        raise EyesError(codes.CONFIG_NOT_FOUND, f"There is no configuration file at {path}.") from missing
    except (OSError, ValueError) as trouble:
        raise _unreadable(path, trouble) from trouble
    if stat.S_ISDIR(mode):
        raise EyesError(codes.CONFIG_UNREADABLE, f"{path} is a directory, not a configuration file.")
    if role != "named" and not stat.S_ISREG(mode):
        raise EyesError(codes.CONFIG_UNREADABLE, f"{path} is not a regular file.")
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as trouble:
        raise _unreadable(path, trouble) from trouble
    if len(data) > MAX_BYTES:
        raise EyesError(
            codes.CONFIG_TOO_LARGE,
            f"{path} is larger than {MAX_BYTES} bytes.",
            details={"limit": {"name": "config file bytes", "value": MAX_BYTES, "setting": None}},
        )
    return File(role, path, data)


def decoded(file: File) -> str:
    """The file's text. A UTF-8 byte order mark is dropped.

    Raises:
        EyesError: CONFIG_ENCODING naming the encoding that was met, or the line that is not UTF-8.
    """
    data = file.data or b""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise EyesError(codes.CONFIG_ENCODING, f"{file.path} is UTF-16, not UTF-8.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = data.count(b"\n", 0, wrong.start) + 1
        raise EyesError(codes.CONFIG_ENCODING, f"{file.path} line {line}: the bytes are not UTF-8.") from None


def parsed(text: str, path: Path) -> dict[str, Any]:
    """The text as TOML.

    Raises:
        EyesError: CONFIG_SYNTAX with the line and column.
    """
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        message, line = _syntax(str(wrong), path)
        raise EyesError(codes.CONFIG_SYNTAX, message, path=path, line=line) from None
    except RecursionError:
        raise EyesError(codes.CONFIG_SYNTAX, f"{path}: the values are nested too deeply.", path=path) from None


def layer(file: File) -> Layer:
    """A file that exists, as a layer of values."""
    text = decoded(file)
    return Layer(f"file {file.path}", parsed(text, file.path), file.path.parent, text=text)


def dotted(path: KeyPath) -> str:
    """A path as TOML writes it; parts that are no bare keys are quoted."""
    return ".".join(part if BARE_KEY.fullmatch(part) else '"' + part.replace('"', '\\"') + '"' for part in path)


def line_of(text: str, path: KeyPath) -> int | None:
    """The line on which a key is set, or its table begins: a plain scan, for messages only.

    Returns:
        The 1-based line of the longest part of `path` that the text names, None when it names none.
    """
    table: KeyPath = ()
    best: tuple[int, int] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            table = _parts(stripped.lstrip("[").split("]", 1)[0])
            here = table
        elif "=" in stripped and not stripped.startswith("#"):
            here = (*table, *_parts(stripped.split("=", 1)[0]))
        else:
            continue
        if path[: len(here)] == here and here and (best is None or len(here) > best[0]):
            best = (len(here), number)
    return None if best is None else best[1]


def _parts(text: str) -> KeyPath:
    return tuple(
        (double or single or bare)
        for double, single, bare in re.findall(r'"([^"]*)"|\'([^\']*)\'|([A-Za-z0-9_-]+)', text)
    )


def _syntax(message: str, path: Path) -> tuple[str, int | None]:
    """The parser's complaint as a sentence with its place, and the line."""
    from deepseekeyes.core.redact import surface

    found = re.search(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$", message)
    what = surface(message[: found.start()] if found else message).rstrip(".")
    if found is None or found[1] is None:
        return f"{path}: {what} at the end of the file.", None
    return f"{path} line {found[1]}, column {found[2]}: {what}.", int(found[1])


def _unreadable(path: Path, trouble: Exception) -> EyesError:
    reason = os.strerror(trouble.errno) if isinstance(trouble, OSError) and trouble.errno else "the path is not usable"
    return EyesError(codes.CONFIG_UNREADABLE, f"{path} cannot be read: {reason}.")
