"""Which packages this one needs, read from its own metadata. Pure but for the metadata."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

PACKAGE: Final = "deepseekeyes"
BASE: Final = "base"

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9._-]+)\s*(?:\[[^\]]*\])?\s*\(?((?:[<>=!~][^;()]*)?)\)?\s*(?:;(.*))?")
_EXTRA = re.compile(r"""extra\s*==\s*["']([^"']+)["']""")
_PLATFORM = re.compile(r"""sys_platform\s*(==|!=)\s*["']([^"']+)["']""")
_BOUND = re.compile(r"(>=|<=|==|!=|>|<|~=)\s*([0-9][0-9A-Za-z.*+!-]*)")


@dataclass(frozen=True, slots=True)
class Requirement:
    """One package: its name, its version range as written, and the extra that asks for it (`base` for none)."""

    name: str
    range: str
    extra: str

    def accepts(self, version: str) -> bool:
        """Whether a version lies in the range. Only releases are compared, as in `1.2.3`."""
        return all(_holds(operator, version, bound) for operator, bound in _BOUND.findall(self.range))


def parsed(lines: Iterable[str], platform: str = sys.platform) -> tuple[Requirement, ...]:
    """Requirements of this platform, from the lines of `Requires-Dist`; the package's own extras are left out."""
    found = []
    for line in lines:
        match = _REQUIREMENT.fullmatch(line)
        if match is None or match[1].lower() == PACKAGE:
            continue
        marker = match[3] or ""
        extra = _EXTRA.search(marker)
        if _applies(marker, platform):
            found.append(Requirement(match[1], match[2].strip(), extra[1] if extra else BASE))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Presence:
    """What is there of one extra's packages.

    Attributes:
        present: `name version` of those that fit.
        missing: names of those that are not installed.
        unfit: `name version (needs range)` of those outside their range.
    """

    present: tuple[str, ...]
    missing: tuple[str, ...]
    unfit: tuple[str, ...]


def presence(requirements: Iterable[Requirement], version_of: Callable[[str], str | None]) -> Presence:
    """Look each package up; `version_of` answers None for one that is not installed."""
    present, missing, unfit = [], [], []
    for need in requirements:
        version = version_of(need.name)
        if version is None:
            missing.append(need.name)
        elif need.accepts(version):
            present.append(f"{need.name} {version}")
        else:
            unfit.append(f"{need.name} {version} (needs {need.range})")
    return Presence(tuple(present), tuple(missing), tuple(unfit))


def installed_version(name: str) -> str | None:
    """The version of an installed distribution."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _applies(marker: str, platform: str) -> bool:
    return all((platform == name) == (operator == "==") for operator, name in _PLATFORM.findall(marker))


def _holds(operator: str, version: str, bound: str) -> bool:
    have, want = _release(version), _release(bound)
    if operator == "~=":
        return have >= want and have[: len(want) - 1] == want[:-1]
    if operator in {"==", "!="}:
        same = have[: len(want)] == want if bound.endswith("*") else _padded(have, want) == _padded(want, have)
        return same == (operator == "==")
    left, right = _padded(have, want), _padded(want, have)
    return {">=": left >= right, "<=": left <= right, ">": left > right, "<": left < right}[operator]


def _release(version: str) -> tuple[int, ...]:
    match = re.match(r"(?:\d+!)?(\d+(?:\.\d+)*)", version)
    return tuple(int(part) for part in match[1].split(".")) if match else ()


def _padded(version: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return version + (0,) * (len(other) - len(version))
