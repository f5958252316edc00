"""Who reads: package versions, weights and rules, established without importing any of the packages.

The name goes into the cache key of every reading, so it is on the start-up path: one folder listing and one small
file, about a millisecond. A wheel's RECORD holds the SHA-256 of each file it installed; the weights' size on disk is
compared with it, so weights that were exchanged by hand do not keep the name of the old ones.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.adapters.local.codes import LOCAL_EYE_BROKEN, LOCAL_EYE_MISSING

RULES = "own-width-1"
"""How lines are recognised and laid out. Raised whenever the same pixels may give different evidence."""

DETECTION = "rapidocr/models/PP-OCRv6_det_small.onnx"
RECOGNITION = "rapidocr/models/PP-OCRv6_rec_small.onnx"
PACKAGES = (
    ("rapidocr", ("rapidocr",)),
    ("onnxruntime", ("onnxruntime", "onnxruntime_gpu", "onnxruntime_directml")),
    ("zxingcpp", ("zxing_cpp",)),
    ("cv2", ("opencv_python_headless", "opencv_python", "opencv_contrib_python", "opencv_contrib_python_headless")),
)


class Weights(NamedTuple):
    """Where the two networks lie, and a name for their content."""

    detection: Path
    recognition: Path
    digest: str


class _Site(NamedTuple):
    """One folder of `sys.path`: the modules in it and the metadata folders of what was installed there."""

    folder: Path
    names: frozenset[str]
    metadata: dict[str, str]


def missing() -> tuple[str, ...]:
    """Distributions the local eye needs and does not find, by their module names."""
    return tuple(module for module, _ in PACKAGES if _home(module) is None)


def identity() -> str:
    """The `model` of the local route: engine, versions, weights and rules.

    Raises:
        EyesError: LOCAL_EYE_MISSING, LOCAL_EYE_BROKEN.
    """
    return _identity(tuple(sys.path))


def weights() -> Weights:
    """The networks inside rapidocr's wheel; nothing is ever fetched.

    Raises:
        EyesError: LOCAL_EYE_MISSING, LOCAL_EYE_BROKEN.
    """
    _require()
    site = _home("rapidocr")
    assert site is not None
    paths = tuple(site.folder / name for name in (DETECTION, RECOGNITION))
    recorded = _recorded(site)
    parts = []
    for name, path in zip((DETECTION, RECOGNITION), paths, strict=True):
        try:
            size = path.stat().st_size
        except OSError:
            raise EyesError(LOCAL_EYE_BROKEN, f"The installed rapidocr lacks its weights {path.name}.") from None
        digest, expected = recorded.get(name, ("", -1))
        parts.append(digest if size == expected else f"{path.name}:{size}")
    return Weights(paths[0], paths[1], hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16])


@cache
def _identity(search: tuple[str, ...]) -> str:
    found = weights()
    versions = [f"{module}-{_version(spellings, search)}" for module, spellings in PACKAGES]
    return "+".join(("PP-OCRv6-small", found.digest, *versions, RULES))


def _require() -> None:
    absent = missing()
    if absent:
        raise EyesError(LOCAL_EYE_MISSING, f"The local eye needs packages that are not installed: {', '.join(absent)}.")


def _home(module: str) -> _Site | None:
    return next((site for site in _sites(tuple(sys.path)) if module in site.names), None)


def _sites(search: tuple[str, ...]) -> Iterator[_Site]:
    """Folders that are searched for modules, those of installed packages first; each is listed when it is reached."""
    for entry in sorted(search, key=lambda folder: not folder.endswith("-packages")):
        site = _site(entry)
        if site is not None:
            yield site


@cache
def _site(entry: str) -> _Site | None:
    try:
        names = os.listdir(entry or ".")  # noqa: PTH208 - plain names are wanted, and this is the fastest way to them
    except OSError:
        return None
    metadata = {name.partition("-")[0].lower(): name for name in names if name.endswith(".dist-info")}
    return _Site(Path(entry or "."), frozenset(name.partition(".")[0] for name in names), metadata)


def _version(spellings: tuple[str, ...], search: tuple[str, ...]) -> str:
    for site in _sites(search):
        for spelling in spellings:
            if spelling in site.metadata:
                return site.metadata[spelling].removesuffix(".dist-info").partition("-")[2]
    return "unknown"


def _recorded(site: _Site) -> dict[str, tuple[str, int]]:
    """`{file: (sha256, size)}` of the two networks as the wheel declared them; empty where no RECORD was kept."""
    folder = site.metadata.get("rapidocr")
    if folder is None:
        return {}
    try:
        lines = (site.folder / folder / "RECORD").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    found = {}
    for line in lines:
        name, _, rest = line.partition(",")
        digest, _, size = rest.partition(",")
        if name in (DETECTION, RECOGNITION) and size.isdigit():
            found[name] = (digest, int(size))
    return found
