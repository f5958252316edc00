"""Where a picture comes from: a file, standard input, the store, a data URL or, when allowed, the network."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from deepseekeyes.core.codes import PATH_LOOP
from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.core.names import nearest
from deepseekeyes.imaging import codes
from deepseekeyes.imaging.addresses import Resolve, is_public
from deepseekeyes.imaging.admit import check_bytes
from deepseekeyes.imaging.settings import IntakeLimits

Origin = Literal["file", "stdin", "store", "data-url", "url"]

_HASH = re.compile(r"[0-9a-f]{64}")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):", re.IGNORECASE)
_SIBLINGS = 2_000
_LABEL = 500


class BlobSource(Protocol):
    """Stored bytes by hash, verified when read."""

    def get(self, sha256: str) -> bytes: ...


class InputDeps(NamedTuple):
    """What inputs are read with.

    Attributes:
        limits: bounds; a byte limit is checked before anything is read in full.
        blobs: the store behind `sha256:`.
        stdin: what `-` stands for, already read by the door (at most `max_bytes` + 1 bytes); None when nothing is
            piped in.
        allow_url: whether http and https may be fetched.
        allow_paths: whether a plain text may name a file at all.
        roots: folders that files must lie in, after links are resolved; None allows every folder.
        resolve: host and port to addresses; None asks the system.
        address_allowed: whether an address may be connected to.
    """

    limits: IntakeLimits
    blobs: BlobSource
    stdin: bytes | None = None
    allow_url: bool = False
    allow_paths: bool = True
    roots: tuple[Path, ...] | None = None
    resolve: Resolve | None = None
    address_allowed: Callable[[str], bool] = is_public


class Loaded(NamedTuple):
    """The bytes of one input, not looked into yet, and a name for it that is safe to show."""

    data: bytes
    label: str
    origin: Origin = "file"


class Failed(NamedTuple):
    """An input that could not be read, and why."""

    label: str
    error: EyesError


async def load(text: str, deps: InputDeps) -> Loaded:
    """The bytes that an IMAGE argument stands for.

    Args:
        text: a path, `-`, `sha256:<hex>`, a `data:` URL, or an http(s) URL.
        deps: limits, store and permissions.

    Raises:
        EyesError: an `INPUT_*`, `STDIN_*`, `URL_*`, `BLOB_*` code, or `IMAGE_TOO_MANY_BYTES`.
        CarriedError: standard input holds the failure of the command before.
    """
    if text == "-":
        inputs = expand((text,), deps)
        if len(inputs) > 1:
            raise EyesError(
                codes.STDIN_SEVERAL_PICTURES,
                f"The document on standard input names {len(inputs)} pictures; one is wanted here.",
                first=str(inputs[0]).removeprefix("sha256:"),
            )
        return inputs[0] if isinstance(inputs[0], Loaded) else await load(inputs[0], deps)
    scheme = _SCHEME.match(text)
    name = scheme[1].lower() if scheme is not None else None
    if scheme is None or _is_file_name(text, scheme.end()):
        return _file(text, deps)
    if name == "sha256":
        return _stored(text, deps)
    if name == "data":
        return _data_url(text, deps.limits)
    if name in ("http", "https"):
        return await _fetched(text, deps)
    raise EyesError(codes.INPUT_SCHEME_UNSUPPORTED, f"Pictures are not read from {name}: addresses.")


def _is_file_name(text: str, end: int) -> bool:
    """Whether a text with a colon is the name of a file that exists and no address of ours."""
    if text[:end].lower() in ("sha256:", "data:", "http:", "https:") or text.startswith("//", end):
        return False
    try:
        return Path(text).is_file()
    except ValueError:
        return False


def expand(texts: Iterable[str], deps: InputDeps) -> tuple[str | Loaded, ...]:
    """Replace `-` by what was piped in: raw bytes, or one `sha256:` reference for each picture of the documents.

    Raises:
        EyesError: `STDIN_*`, `INPUT_UTF16`, `IMAGE_TOO_MANY_BYTES`.
        CarriedError: standard input holds the failure of the command before.
    """
    found: list[str | Loaded] = []
    for text in texts:
        found.extend(_piped(deps) if text == "-" else (text,))
    return tuple(found)


async def load_many(texts: Iterable[str], deps: InputDeps) -> AsyncIterator[Loaded | Failed]:
    """Load inputs one after another, in order; a failure takes the place of its input and stops nothing.

    Raises:
        EyesError: only for standard input, before anything is loaded (see `expand`).
    """
    for entry in expand(texts, deps):
        if isinstance(entry, Loaded):
            yield entry
            continue
        try:
            loaded: Loaded | Failed = await load(entry, deps)
        except EyesError as error:
            loaded = Failed(entry[:_LABEL] if _SCHEME.match(entry) is None else _shown(entry), error)
        yield loaded


def _piped(deps: InputDeps) -> list[str | Loaded]:
    from deepseekeyes.imaging.piped import check_piped_text, document_images, piped_documents

    if deps.stdin is None:
        raise EyesError(codes.STDIN_ABSENT, "Nothing is piped in.")
    check_bytes(len(deps.stdin), deps.limits)
    documents = piped_documents(deps.stdin)
    if documents is None:
        check_piped_text(deps.stdin)
        return [Loaded(deps.stdin, "-", "stdin")]
    pictures = [picture for document in documents for picture in document_images(document)]
    if not pictures:
        raise EyesError(codes.STDIN_NO_PICTURE, "The document on standard input names no picture.")
    return [f"sha256:{picture.sha256}" for picture in pictures]


def _stored(text: str, deps: InputDeps) -> Loaded:
    sha256 = text[len("sha256:") :]
    if not _HASH.fullmatch(sha256):
        raise EyesError(codes.INPUT_HASH_INVALID, "This is not the SHA-256 of a picture.")
    data = deps.blobs.get(sha256)
    check_bytes(len(data), deps.limits)
    return Loaded(data, f"sha256:{sha256}", "store")


def _data_url(text: str, limits: IntakeLimits) -> Loaded:
    head, comma, body = text.partition(",")
    if not comma:
        raise EyesError(codes.INPUT_DATA_URL_INVALID, "The data: URL has no comma before its data.")
    import base64
    import binascii
    from urllib.parse import unquote_to_bytes

    encoded = head.lower().endswith(";base64")
    check_bytes(len(body) * 3 // 4 - 2 if encoded and "%" not in body else len(body) // 3, limits)
    raw = unquote_to_bytes(body)
    if encoded:
        packed = b"".join(raw.split()).rstrip(b"=")
        try:
            raw = base64.b64decode(packed + b"=" * (-len(packed) % 4), validate=True)
        except binascii.Error as error:
            raise EyesError(codes.INPUT_DATA_URL_INVALID, "The data: URL is not valid base64.") from error
    check_bytes(len(raw), limits)
    return Loaded(raw, f"data: URL of {len(raw)} bytes", "data-url")


async def _fetched(text: str, deps: InputDeps) -> Loaded:
    if not deps.allow_url:
        raise EyesError(codes.URL_NOT_ALLOWED, "Fetching a picture from a URL is not allowed here.")
    await loop_needed()
    from deepseekeyes.imaging.fetch import fetch

    data = await fetch(text, deps.limits, resolve=deps.resolve, allowed=deps.address_allowed)
    return Loaded(data, _shown(text), "url")


def _shown(text: str) -> str:
    """An address without user name, query and fragment; a data URL without its data."""
    if text[:5].lower() == "data:":
        return f"data: URL of {len(text)} characters"
    from deepseekeyes.core.redact import redact

    bare = re.sub(r"(?<=//)[^/?#]*@", "", text.split("#")[0].split("?")[0])
    return redact(bare)[:_LABEL]


_FAULTS: dict[int, tuple[Code, str]] = {
    errno.ENOENT: (codes.INPUT_MISSING, "There is no file {path}."),
    errno.ENOTDIR: (codes.INPUT_MISSING, "There is no file {path}: a part of its path is not a folder."),
    errno.EACCES: (codes.INPUT_PERMISSION, "The file {path} may not be read."),
    errno.EPERM: (codes.INPUT_PERMISSION, "The file {path} may not be read."),
    errno.EISDIR: (codes.INPUT_DIRECTORY, "{path} is a folder, not a picture."),
    errno.ELOOP: (PATH_LOOP, "{path} cannot be opened: its links go round in a circle."),
    errno.ENXIO: (codes.INPUT_NOT_REGULAR, "{path} is not a regular file."),
}


def _file(text: str, deps: InputDeps) -> Loaded:
    if not text:
        raise EyesError(codes.INPUT_MISSING, "The name of the picture is empty.", parent=".")
    path = Path(text)
    if not deps.allow_paths or (deps.roots is not None and not _inside(path, deps.roots)):
        raise EyesError(codes.INPUT_PATH_REFUSED, "A file of this name may not be read from here.")
    try:
        return Loaded(_regular_bytes(path, deps.limits), text[:_LABEL])
    except (OSError, ValueError) as error:
        number = error.errno if isinstance(error, OSError) else None
        code, message = _FAULTS.get(number or 0, (codes.INPUT_UNREADABLE, "{path} cannot be read."))
        raise _fault(code, message, path) from error


def _fault(code: Code, message: str, path: Path) -> EyesError:
    import shlex

    shown = str(path)[:_LABEL].replace("\x00", "\\0")
    error = EyesError(
        code, message.format(path=shown), path=shlex.quote(shown), parent=shlex.quote(str(path.parent)[:_LABEL])
    )
    close = _neighbour(path) if code is codes.INPUT_MISSING else None
    if close is not None:
        error.details["candidates"] = [close]
    return error


def _neighbour(path: Path) -> str | None:
    """The file beside the missing one whose name comes closest."""
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry, _ in zip(entries, range(_SIBLINGS), strict=False)]
    except (OSError, ValueError):
        return None
    name = nearest(path.name, names)
    return str(path.with_name(name)) if name is not None else None


def _regular_bytes(path: Path, limits: IntakeLimits) -> bytes:
    """Read a regular file, and only that: opening never waits for a pipe's other end or a device."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "folder")
    with os.fdopen(os.open(path, flags), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.ENXIO, "not a regular file")
        check_bytes(found.st_size, limits)
        data = file.read(limits.max_bytes + 1)
    check_bytes(len(data), limits)
    return data


def _inside(path: Path, roots: tuple[Path, ...]) -> bool:
    try:
        real = path.resolve()
        return any(real.is_relative_to(root.resolve()) for root in roots)
    except (OSError, ValueError, RuntimeError):
        return False
