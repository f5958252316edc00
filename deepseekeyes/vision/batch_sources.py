"""The pictures of a batch: what lies in a folder, fits a pattern or stands in a list."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.names import nearest
from deepseekeyes.vision.codes import BATCH_FOLDER_UNREADABLE, BATCH_LINE_INVALID

PICTURES = frozenset(
    {
        ".png", ".apng", ".jpg", ".jpeg", ".jpe", ".jfif", ".gif", ".webp", ".bmp", ".dib", ".tif", ".tiff", ".avif",
        ".heic", ".heif", ".jxl", ".jp2",
    }
)  # fmt: skip
"""File names that count as pictures when a folder is listed; those that cannot be decoded fail by name."""

LISTS = frozenset({".jsonl", ".ndjson"})
KEYS = frozenset({"image", "frame"})

_ADDRESS = re.compile(r"(?:sha256|data|https?):", re.IGNORECASE)
_PATTERN = re.compile(r"[*?\[]")
_DIGITS = re.compile(r"([0-9]+)")
_LABEL = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """One input of a batch.

    Attributes:
        text: as the loader of inputs takes it.
        label: how it is shown.
        frame: of an animation.
        error: why there is nothing to load; `text` is empty then.
    """

    text: str
    label: str
    frame: int | Literal["sheet"] | None = None
    error: EyesError | None = None

    @classmethod
    def of(cls, text: str) -> Entry:
        """A picture as it is named."""
        return cls(text, text[:_LABEL])

    @classmethod
    def failed(cls, label: str, error: EyesError) -> Entry:
        """An input that failed before it was looked at."""
        return cls("", label[:_LABEL], error=error)


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """A sort key under which `a2` comes before `a10`; equal up to case, the spelling decides."""
    pieces = enumerate(_DIGITS.split(text.casefold()))
    return (*(_counted(piece.lstrip("0")) if at % 2 else (1, 0, piece) for at, piece in pieces), (2, 0, text))


def _counted(digits: str) -> tuple[int, int, str]:
    return 0, len(digits), digits


def is_list(source: str) -> bool:
    """Whether a source is a list of pictures rather than pictures."""
    return Path(source).suffix.lower() in LISTS and _is_file(source)


def listed(source: str, *, recursive: bool) -> Iterator[Entry]:
    """The pictures that a folder, a pattern or a plain name stands for.

    A folder gives the files in it with a picture's ending, in natural order, hidden ones left out; links are followed,
    no folder is entered twice. A pattern gives every file that fits. Anything else is one picture.

    Args:
        source: a folder, a pattern with `*`, `?` or `[`, a file, or an address.
        recursive: whether folders inside folders are entered.
    """
    if _ADDRESS.match(source) or source == "-":
        yield Entry.of(source)
    elif _is_folder(source):
        yield from _folder(Path(source), recursive=recursive)
    elif _PATTERN.search(source) and not _is_file(source):
        for path in sorted(_matching(source), key=lambda path: natural(str(path))):
            yield from _folder(path, recursive=True) if recursive and _is_folder(str(path)) else _plain_files(path)
    else:
        yield Entry.of(source)


def lines(data: bytes, label: str, folder: Path | None) -> Iterator[Entry]:
    """The pictures of a list: one path, address or JSON object a line; a line that is none of these fails alone.

    Args:
        data: JSON lines; blank ones count for nothing.
        label: the name of the list, for lines that fail.
        folder: what relative paths start from; None leaves them as they are.
    """
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if raw.strip():
            try:
                yield _entry(raw, folder)
            except ValueError as wrong:
                error = EyesError(BATCH_LINE_INVALID, f"Line {number} of {label} {wrong}.")
                yield Entry.failed(f"{label}:{number}", error)


def _entry(raw: bytes, folder: Path | None) -> Entry:
    try:
        text = raw.strip().decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8 text") from None
    value: Any = text
    if text[0] in '"{[':
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError("is not valid JSON") from None
    if isinstance(value, str):
        return _named(value, None, folder)
    if not isinstance(value, dict):
        raise ValueError("is neither a path nor an object")
    return _described(value, folder)


def _described(value: dict[str, Any], folder: Path | None) -> Entry:
    foreign = sorted(set(value) - KEYS)
    if foreign:
        meant = nearest(foreign[0], KEYS)
        raise ValueError(f"has an unknown key {foreign[0][:64]!r}" + (f"; {meant!r} is known" if meant else ""))
    image, frame = value.get("image"), value.get("frame")
    if not isinstance(image, str):
        raise ValueError('has no text under "image"')
    counted = isinstance(frame, int) and not isinstance(frame, bool) and frame >= 0
    if frame is not None and frame != "sheet" and not counted:
        raise ValueError('has a "frame" that is neither a number from 0 nor "sheet"')
    return _named(image, frame, folder)


def _named(image: str, frame: int | Literal["sheet"] | None, folder: Path | None) -> Entry:
    if not image or image == "-" or "\x00" in image:
        raise ValueError("names no picture")
    if _ADDRESS.match(image):
        shown = image if image[:7].lower() == "sha256:" else image.split("?")[0].split(",")[0]
        return Entry(image, shown[:_LABEL], frame)
    path = image if folder is None else str(folder / image)
    return Entry(path, path[:_LABEL], frame)


def _folder(top: Path, *, recursive: bool) -> Iterator[Entry]:
    """Every picture below a folder; a folder that a link leads back to is not entered again."""
    entered: set[tuple[int, int]] = set()
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            found = folder.stat()
            if (found.st_dev, found.st_ino) in entered:
                continue
            entered.add((found.st_dev, found.st_ino))
            with os.scandir(folder) as scan:
                names = sorted((entry for entry in scan if not entry.name.startswith(".")), key=_by_name)
        except OSError:
            yield _unreadable(folder)
            continue
        inner = [Path(entry.path) for entry in names if _is_folder(entry.path)]
        yield from (
            Entry.of(entry.path)
            for entry in names
            if Path(entry.name).suffix.lower() in PICTURES and not _is_folder(entry.path)
        )
        waiting.extend(reversed(inner) if recursive else ())


def _by_name(entry: os.DirEntry[str]) -> tuple[tuple[int, int, str], ...]:
    return natural(entry.name)


def _unreadable(folder: Path) -> Entry:
    import shlex

    shown = str(folder)[:_LABEL]
    return Entry.failed(
        shown, EyesError(BATCH_FOLDER_UNREADABLE, f"The folder {shown} may not be read.", path=shlex.quote(shown))
    )


def _matching(pattern: str) -> Iterable[Path]:
    """What fits a pattern; `**` enters no links, so it always ends."""
    path = Path(pattern)
    start = Path(path.anchor or ".")
    hidden = path.name.startswith(".")
    try:
        found = list(start.glob(str(path.relative_to(path.anchor) if path.anchor else path)))
    except (OSError, ValueError, NotImplementedError):
        return []
    return [one for one in found if hidden or not one.name.startswith(".")]


def _plain_files(path: Path) -> Iterator[Entry]:
    if not _is_folder(str(path)):
        yield Entry.of(str(path))


def _is_folder(text: str) -> bool:
    try:
        return Path(text).is_dir()
    except (OSError, ValueError):
        return False


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False
