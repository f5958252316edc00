"""Findings of the lint, how they are counted, and what the checks share. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from deepseekeyes.contracts.check import Check, CheckStatus
from deepseekeyes.contracts.examination import Finding, failed, ok, skipped, warning
from deepseekeyes.contracts.mcp_lint import McpLintCounts
from deepseekeyes.core.redact import surface
from deepseekeyes.mcp.surface import visible

SHOWN: Final = 5
WORD: Final = 60
POINTS: Final[dict[CheckStatus, float]] = {"ok": 1.0, "warning": 0.5, "failed": 0.0}

Named = tuple[str, Finding]


def checks(findings: Iterable[Named]) -> tuple[Check, ...]:
    """Findings as lines; the id's first part is the group. What a server said is redacted."""
    return tuple(
        Check(id=name, group=name.partition(".")[0], status=found.status, seen=surface(found.seen), fix=found.fix)
        for name, found in findings
    )


def counts(lines: Sequence[Check]) -> McpLintCounts:
    """How many checks ended how."""
    tally = {status: sum(line.status == status for line in lines) for status in ("ok", "warning", "failed", "skipped")}
    return McpLintCounts(**tally)


def score(lines: Sequence[Check]) -> int:
    """0 to 100 over the checks that were made; 100 only when all of them are ok."""
    counted = [POINTS[line.status] for line in lines if line.status in POINTS]
    if not counted:
        return 0
    share = sum(counted) / len(counted)
    return int(100 * share)


def word(text: object) -> str:
    """A name from outside as a sentence may hold it."""
    return repr(visible(str(text))[:WORD])


def listed(names: Sequence[object]) -> str:
    """The first few names and how many more there are."""
    more = len(names) - SHOWN
    return ", ".join(word(name) for name in names[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def verdict(
    *, bad: Sequence[str] = (), odd: Sequence[str] = (), fine: str, fix: str, nothing: str | None = None
) -> Finding:
    """One finding out of many places.

    Args:
        bad: sentences (without a full stop) about what fails.
        odd: sentences about what is only a warning.
        fine: what to say when there is neither.
        fix: how to mend it.
        nothing: why there was nothing to look at; then the check is skipped.
    """
    if nothing is not None:
        return skipped(nothing)
    if bad:
        return failed(_sentence(bad), fix)
    return warning(_sentence(odd), fix) if odd else ok(fine)


def _sentence(places: Sequence[str]) -> str:
    more = len(places) - SHOWN
    return "; ".join(places[:SHOWN]) + (f"; and {more} more" if more > 0 else "") + "."
