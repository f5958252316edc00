"""Holding evidence to assertions: pure, and the same for every route."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from deepseekeyes.contracts.eval import Assertion, AssertionCounts, EvalCaseResult, EvalCategory, Latency, Miss

LISTS = ("ocr", "regions", "objects", "relations", "quantitativeFacts", "uncertainties")
Box = tuple[float, float, float, float]


def folded(text: str) -> str:
    """A text as assertions compare it: NFKC, blanks collapsed, ends trimmed, case ignored."""
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


def entries(evidence: Mapping[str, Any], field: str) -> Iterator[str]:
    """Each single thing that a field says; `all` is every field with the summary first."""
    if field == "all":
        for name in ("summary", *LISTS):
            yield from entries(evidence, name)
        return
    value = evidence.get(field)
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (entry if isinstance(entry, str) else _said(entry) for entry in value)


def _said(entry: Mapping[str, Any]) -> str:
    if "text" in entry:
        return str(entry["text"])
    return json.dumps({name: value for name, value in entry.items() if name != "bbox"}, ensure_ascii=False)


def overlap(first: Box, second: Box) -> float:
    """Intersection over union of two boxes (x, y, width, height)."""
    wide = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    high = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    shared = max(0.0, wide) * max(0.0, high)
    union = first[2] * first[3] + second[2] * second[3] - shared
    return shared / union if union > 0 else 0.0


def holds(assertion: Assertion, evidence: Mapping[str, Any]) -> bool:
    """Whether valid evidence keeps an assertion."""
    said = [folded(text) for text in entries(evidence, assertion.field)]
    if assertion.kind == "empty":
        return not said
    if assertion.kind == "together":
        parts = [folded(part) for part in assertion.together or ()]
        return any(all(part in text for part in parts) for text in said)
    if assertion.kind == "box":
        return _placed(assertion, evidence)
    found = folded(assertion.text) in " ".join(said)
    return found if assertion.kind == "contains" else not found


def _placed(assertion: Assertion, evidence: Mapping[str, Any]) -> bool:
    assert assertion.box is not None
    wanted = folded(assertion.text)
    return any(
        wanted in folded(entry["text"]) and overlap(assertion.box, tuple(entry["bbox"])) >= assertion.iou
        for entry in evidence.get("ocr", ())
    )


def misses(assertions: Sequence[Assertion], evidence: Mapping[str, Any]) -> tuple[Miss, ...]:
    """The assertions that valid evidence does not keep."""
    return tuple(
        Miss(index=index, field=one.field, kind=one.kind, text=one.text)
        for index, one in enumerate(assertions)
        if not holds(one, evidence)
    )


def counts(results: Iterable[EvalCaseResult]) -> AssertionCounts:
    """The counts of several cases as one."""
    parts = [result.assertions for result in results]
    return AssertionCounts(
        **{name: sum(getattr(part, name) for part in parts) for name in AssertionCounts.model_fields}
    )


def accuracy(found: AssertionCounts) -> float:
    """Passed over all, to four decimals; unparsed and failed ones count against it."""
    return round(found.passed / found.total, 4) if found.total else 0.0


def latency(results: Iterable[EvalCaseResult]) -> Latency:
    """Mean and percentiles of the readings that gave evidence."""
    times = sorted(result.latency_ms for result in results if result.latency_ms is not None)
    if not times:
        return Latency()
    return Latency(mean=round(sum(times) / len(times)), p50=_ranked(times, 50), p95=_ranked(times, 95))


def _ranked(times: Sequence[int], percent: int) -> int:
    return times[max(1, math.ceil(percent * len(times) / 100)) - 1]


def flawless(results: Iterable[EvalCaseResult]) -> int:
    """How many cases keep all their assertions."""
    return sum(result.assertions.passed == result.assertions.total for result in results)


def categories(results: Sequence[EvalCaseResult]) -> tuple[EvalCategory, ...]:
    """One row a category, in the order of the suite."""
    rows = []
    for name in dict.fromkeys(result.category for result in results):
        own = [result for result in results if result.category == name]
        found = counts(own)
        rows.append(
            EvalCategory(
                category=name,
                cases=len(own),
                cases_passed=flawless(own),
                assertions=found,
                accuracy=accuracy(found),
                latency_ms=latency(own),
            )
        )
    return tuple(rows)
