"""What a subsystem hands to the doctor: named examinations, each a callable that returns what it saw."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from deepseekeyes.contracts.check import CheckStatus


@dataclass(frozen=True, slots=True)
class Finding:
    """What an examination saw.

    Attributes:
        status: `failed` makes the report fail, `warning` only under `--strict`.
        seen: what was really observed, as one sentence with the values in it.
        fix: what to type or do; None when there is nothing to mend.
    """

    status: CheckStatus
    seen: str
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class Examination:
    """One line of the report before it is run.

    Attributes:
        id: unique, `<group>.<what>`.
        group: what `doctor --only` selects.
        run: does the work; may be a coroutine function, which then awaits `loop_needed()` before it waits for real.
        deep: run only with `--deep` (it costs seconds, money or a connection).
    """

    id: str
    group: str
    run: Callable[[], Finding | Awaitable[Finding]]
    deep: bool = False


def ok(seen: str) -> Finding:
    """Nothing to mend."""
    return Finding("ok", seen)


def warning(seen: str, fix: str) -> Finding:
    """It works, but not as it should."""
    return Finding("warning", seen, fix)


def failed(seen: str, fix: str) -> Finding:
    """It does not work."""
    return Finding("failed", seen, fix)


def skipped(seen: str, fix: str | None = None) -> Finding:
    """It was not looked at, and why."""
    return Finding("skipped", seen, fix)
