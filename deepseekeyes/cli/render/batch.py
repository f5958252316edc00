"""A batch as it goes, and what it came to."""

from __future__ import annotations

from typing import Any

from deepseekeyes.cli.render.screen import Screen
from deepseekeyes.contracts.batch import EvidenceBatchItem, EvidenceBatchSummary

SHOWN = 20
PLACES = {"here": "in this process", "processes": "in processes of this machine", "cluster": "on the cluster"}


def item(document: EvidenceBatchItem, screen: Screen) -> None:
    """One line: what came of one picture."""
    if document.error is not None:
        screen.line(f"failed  {document.input}: {document.error.message} ({document.error.code})", "red")
    elif document.record is not None:
        lines = len(document.record.evidence.get("ocr", ()))
        screen.line(f"ok      {document.input}: {_count(lines, 'line')} of text{_time(document.record)}")


def summary(document: EvidenceBatchSummary, screen: Screen) -> None:
    """Counts, speed, who read, and the first failures."""
    screen.line()
    screen.heading(f"{document.succeeded} of {document.total} read, {document.failed} failed")
    speed = f", {document.per_second:.2f} a second" if document.per_second is not None else ""
    usage = document.usage
    tokens = f"{usage.input_tokens or 0} in, {usage.output_tokens or 0} out" if usage.total else None
    screen.facts(
        [
            ("from the store", document.cached or None),
            ("time", f"{document.duration_ms / 1000:.1f} s{speed}"),
            ("readers", f"{document.readers} {PLACES[document.place]}"),
            ("read by", ", ".join(f"{route} ({count})" for route, count in document.routes.items())),
            ("tokens", tokens),
            ("not written", document.persistence.code),
        ]
    )
    screen.bullets("failed", [f"{one.input}: {one.error.message} ({one.error.code})" for one in _first(document)])
    left = document.failed - min(SHOWN, len(document.failures))
    if left > 0:
        screen.line(f"... and {left} more.", "dim")


def _first(document: EvidenceBatchSummary) -> Any:
    return document.failures[:SHOWN]


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _time(record: Any) -> str:
    if record.cache_hit:
        return ", from the store"
    return f", {record.run.duration_ms / 1000:.1f} s" if record.run else ""
