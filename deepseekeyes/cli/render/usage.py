"""What was spent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from deepseekeyes.cli.render.screen import Screen

_COLUMNS = ("calls", "failed", "retried", "cached", "input", "cache read", "output", "reasoning", "total", "money")


def report(document: Any, screen: Screen) -> None:
    """Groups, totals, and what the numbers leave open."""
    since = document.since or document.started_at
    screen.heading(f"usage since {since}" if since else "nothing was spent yet")
    rows = [(group.name, *_figures(group.figures, group.cost)) for group in document.groups]
    screen.table((document.by, *_COLUMNS), [*rows, ("all", *_figures(document.totals, document.cost))])
    if document.omitted:
        screen.line(f"... and {document.omitted} more.", "dim")
    derived = document.derived
    screen.line()
    screen.facts(
        (
            ("seeing and acting", f"{derived.exact_additional:,} tokens beside {derived.final:,} of final answers"),
            ("estimated bridge", f"{derived.estimated_bridge:,} tokens, not added"),
            *((name, f"{count:,}") for name, count in document.totals.counters.items()),
        )
    )
    screen.bullets(
        "without an amount", [f"{gap.route}: {gap.calls} calls, {gap.reason}" for gap in document.cost.unpriced]
    )
    broken = [f"{one.rule}: {one.seen}" for one in document.identities if not one.holds]
    screen.bullets("look closer", [*document.warnings, *broken])


def sessions(document: Any, screen: Screen) -> None:
    """Recent sessions, newest first."""
    screen.table(
        ("session", "last call", "calls", "failed", "total"),
        [
            (
                one.session_hash[:12],
                one.updated_at,
                one.figures.calls,
                one.figures.failed,
                f"{one.figures.total_tokens:,}",
            )
            for one in document.items
        ],
    )
    if document.omitted:
        screen.line(f"... and {document.omitted} more.", "dim")


def _figures(figures: Any, cost: Any) -> Iterable[object]:
    usage = figures.usage
    money = ", ".join(f"{one.amount} {one.currency}" for one in cost.amounts)
    return (
        figures.calls,
        figures.failed or "",
        figures.retried or "",
        figures.cache_hits or "",
        *(_tokens(value) for value in (usage.input_tokens, usage.cache_read_tokens)),
        *(_tokens(value) for value in (usage.output_tokens, usage.reasoning_tokens)),
        _tokens(figures.total_tokens),
        money if cost.complete or not money else f"{money} at least",
    )


def _tokens(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
