"""An evaluation as a table."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.render.screen import Screen
from deepseekeyes.contracts.eval import EvalReport

SHOWN = 40
HEAD = ("category", "cases", "flawless", "held", "accuracy", "missed", "unparsed", "failed", "p50 ms", "p95 ms")


def report(document: EvalReport, screen: Screen) -> None:
    """One line a category, the sums, what was missed, and the verdict."""
    screen.heading(f"{document.suite.name} {document.suite.version} on {document.route.id}")
    screen.line(document.route.model, "dim")
    screen.line()
    rows = [_row(one.category, one.cases, one.cases_passed, one.accuracy, one) for one in document.categories]
    screen.table(HEAD, [*rows, _row("all", document.total, document.cases_passed, document.accuracy, document)])
    screen.line()
    usage = document.usage
    tokens = f"{usage.input_tokens or 0} in, {usage.output_tokens or 0} out" if usage.total else "none reported"
    screen.facts(
        [
            ("valid evidence", f"{document.validity:.1%} of {document.total} pictures"),
            ("mean", _milliseconds(document.latency_ms.mean)),
            ("tokens", tokens),
            ("a picture", document.tokens_per_case),
            ("read", f"{document.at}, every picture anew"),
        ]
    )
    screen.bullets("not held", _shortfalls(document))
    if document.min_accuracy is not None:
        verdict = "passed" if document.passed else "failed"
        screen.line()
        screen.line(
            f"{verdict}: accuracy {document.accuracy:.4f}, asked for {document.min_accuracy:.4f}",
            "green" if document.passed else "bold red",
        )


def _row(name: str, cases: int, flawless: int, accuracy: float, part: Any) -> tuple[object, ...]:
    found, times = part.assertions, part.latency_ms
    held = f"{found.passed}/{found.total}"
    return (
        name,
        cases,
        flawless,
        held,
        f"{accuracy:.4f}",
        found.missed,
        found.unparsed,
        found.failed,
        times.p50,
        times.p95,
    )


def _milliseconds(value: int | None) -> str | None:
    return None if value is None else f"{value} ms a picture"


def _shortfalls(document: EvalReport) -> list[str]:
    found = []
    for case in document.cases:
        if case.code is not None:
            found.append(f"{case.id}: {case.code}")
        found += [f"{case.id}: {miss.field} {miss.kind} {miss.text!r}" for miss in case.misses]
    return found[:SHOWN] + ([f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else [])
