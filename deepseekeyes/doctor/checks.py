"""Examinations of the ground: Python and the packages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Final

from deepseekeyes.contracts.examination import Examination, Finding, failed, ok, skipped, warning
from deepseekeyes.doctor.requirements import BASE, PACKAGE, Requirement, installed_version, parsed, presence

GROUP: Final = "python"
LEAST_PYTHON: Final = (3, 11)
LEAST_SQLITE: Final = (3, 35, 0)


def checks(
    *,
    requires: Callable[[], Sequence[str] | None] | None = None,
    version_of: Callable[[str], str | None] = installed_version,
) -> tuple[Examination, ...]:
    """Python itself, its SQLite, the text encoding, and the packages of the base and of every extra.

    Args:
        requires: the `Requires-Dist` lines of this package, None where it is not installed.
        version_of: the version of an installed distribution.
    """
    lines = (requires or _requires)()
    found = [
        Examination("python.version", GROUP, python),
        Examination("python.sqlite", GROUP, sqlite),
        Examination("python.encoding", GROUP, encoding),
    ]
    if lines is None:
        return (*found, Examination("python.packages", GROUP, _uninstalled))
    needs = parsed(lines)
    extras = list(dict.fromkeys([BASE, *(need.extra for need in needs)]))
    for extra in extras:
        if extra != "all":
            mine = tuple(need for need in needs if need.extra == extra)
            found.append(Examination(f"python.{extra}", GROUP, _packages(extra, mine, version_of)))
    return tuple(found)


def python(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> Finding:
    """The interpreter that runs this."""
    seen = f"{sys.implementation.name} {'.'.join(map(str, version))} at {sys.executable}"
    if version < LEAST_PYTHON:
        return failed(f"{seen}; 3.11 or later is needed.", "Install Python 3.11 or later and reinstall deepseekeyes.")
    return ok(seen)


def sqlite() -> Finding:
    """The SQLite library behind the ledger."""
    try:
        import sqlite3
    except ImportError as error:
        return failed(f"This Python has no sqlite3 module: {error}.", "Install a Python built with SQLite.")
    seen = f"SQLite {sqlite3.sqlite_version}"
    if sqlite3.sqlite_version_info < LEAST_SQLITE:
        return failed(f"{seen}; 3.35 or later is needed.", "Install a Python with a newer SQLite.")
    return ok(seen)


def encoding() -> Finding:
    """How file names are encoded."""
    name = sys.getfilesystemencoding()
    if name.lower().replace("-", "") != "utf8":
        return warning(f"File names are encoded as {name}; names beyond it cannot be used.", "export PYTHONUTF8=1")
    return ok(f"File names are encoded as {name}.")


def _packages(
    extra: str, needs: Sequence[Requirement], version_of: Callable[[str], str | None]
) -> Callable[[], Finding]:
    install = f"pip install '{PACKAGE}'" if extra == BASE else f"pip install '{PACKAGE}[{extra}]'"

    def look() -> Finding:
        found = presence(needs, version_of)
        wrong = [f"not installed: {', '.join(found.missing)}"] if found.missing else []
        wrong += [f"outside the range: {', '.join(found.unfit)}"] if found.unfit else []
        if not wrong:
            return ok(", ".join(found.present))
        seen = "; ".join([*wrong, f"present: {', '.join(found.present) or 'none'}"])
        if extra == BASE:
            return failed(seen, install)
        if not found.present and not found.unfit:
            return skipped(f"The extra {extra} is not installed ({', '.join(found.missing)}).", install)
        return warning(seen, install)

    return look


def _requires() -> Sequence[str] | None:
    from importlib.metadata import PackageNotFoundError, requires

    try:
        return requires(PACKAGE) or []
    except PackageNotFoundError:
        return None


def _uninstalled() -> Finding:
    return warning(f"{PACKAGE} runs from a source tree that is not installed.", "pip install .")
