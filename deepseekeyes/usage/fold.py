"""Folds the running totals of the ledger into a report. Pure, and proportional to the buckets, never to the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.contracts.usage_report import Derived, Figures, Identity, UsageGroup
from deepseekeyes.store.usage_totals import Bucket, Measures, merged
from deepseekeyes.usage.money import PriceList, calls_in, cost_of

By = Literal["purpose", "route", "provider", "model", "day", "outcome"]

PURPOSES = ("probe", "base", "target", "clarification", "automation", "mcp", "final")
VISION = ("probe", "base", "target")
BRIDGE = "estimatedBridgeInputTokens"
TOKENS = {
    "input_tokens": "inputTokens",
    "output_tokens": "outputTokens",
    "cache_read_tokens": "cacheReadTokens",
    "cache_write_tokens": "cacheWriteTokens",
    "reasoning_tokens": "reasoningTokens",
    "image_tokens": "imageTokens",
}
ACCOUNTING = {
    "totalTokens": "input + output + cache reads + cache writes; reasoning is a part of output, image tokens of input",
    "inputTokens": "what a prompt cache served or stored is not counted again",
    "exactAdditional": "vision + clarification + automation + mcp, as reported; final calls stand apart",
    "estimates": "counted apart and never added to what providers reported; mcp estimates are a part of their input",
    "money": "only for calls that reported tokens and whose route has a price of that day or earlier",
    "retention": "old rows and sessions are forgotten, the totals keep them",
}
_PER_PIXEL_MOST = 1 / 160
_PER_PIXEL_LEAST = 1 / 40_000


def figures(buckets: Iterable[Bucket]) -> Figures:
    """The sums of buckets."""
    listed = list(buckets)
    whole = merged(listed)
    calls = {
        outcome: sum(calls_in(bucket) for bucket in listed if bucket.key.outcome == outcome) for outcome in _OUTCOMES
    }
    asked = sum(calls.values())
    usage = tokens(whole)
    return Figures(
        calls=asked,
        succeeded=calls["success"],
        failed=calls["failed"],
        retried=calls["retry"],
        cache_hits=sum(bucket.measures.get("events", 0) for bucket in listed if bucket.key.outcome == "cache-hit"),
        unreported=max(0, asked - whole.get("inputTokensReported", 0)),
        duration_ms=whole.get("durationMs", 0),
        usage=usage,
        total_tokens=usage.total,
        estimated_input_tokens=whole.get("estimatedInputTokens"),
        counters={
            name.removeprefix("counter."): value for name, value in sorted(whole.items()) if name.startswith("counter.")
        },
    )


_OUTCOMES = ("success", "failed", "retry")


def tokens(measures: Mapping[str, int]) -> TokenUsage:
    """Token sums; a field that nobody reported stays None."""
    found = {name: measures[alias] for name, alias in TOKENS.items() if alias in measures}
    return TokenUsage(**found)


def grouped(buckets: Sequence[Bucket], by: By, money: PriceList) -> tuple[UsageGroup, ...]:
    """Groups in the order of purposes, else by name; those without any event are left out."""
    found: dict[str, list[Bucket]] = {}
    for bucket in buckets:
        found.setdefault(getattr(bucket.key, by), []).append(bucket)
    names = sorted(found, key=lambda name: (PURPOSES.index(name) if by == "purpose" and name in PURPOSES else -1, name))
    return tuple(
        UsageGroup(
            name=name,
            figures=figures(found[name]),
            cost=cost_of(found[name], money),
            as_of=money.prices[name].as_of if by == "route" and name in money.prices else None,
        )
        for name in names
        if any(bucket.measures.get("events") for bucket in found[name])
    )


def derived(buckets: Sequence[Bucket]) -> Derived:
    """Token totals over purposes."""
    spent = {name: tokens(merged(b for b in buckets if b.key.purpose == name)).total for name in PURPOSES}
    whole = merged(buckets)
    vision = sum(spent[name] for name in VISION)
    exact = vision + spent["clarification"] + spent["automation"] + spent["mcp"]
    bridge = whole.get(f"counter.{BRIDGE}", 0) + _estimated(buckets)
    return Derived(
        vision=vision,
        clarification=spent["clarification"],
        automation=spent["automation"],
        mcp=spent["mcp"],
        exact_additional=exact,
        final=spent["final"],
        estimated_bridge=bridge,
        estimated_additional=exact + bridge,
    )


def identities(buckets: Sequence[Bucket]) -> tuple[Identity, ...]:
    """Rules that hold for what any provider reports by its stated convention, checked route by route."""
    by_route: dict[str, list[Bucket]] = {}
    for bucket in buckets:
        by_route.setdefault(bucket.key.route, []).append(bucket)
    sums = {route: merged(listed) for route, listed in by_route.items()}
    parts = sum(tokens(measures).total for measures in sums.values())
    whole = tokens(merged(buckets)).total
    return (
        _identity("reasoning tokens are a part of output tokens", sums, "reasoningTokens", ("outputTokens",)),
        _identity("image tokens are a part of input tokens", sums, "imageTokens", _INPUT),
        Identity(rule="the routes add up to the total", holds=parts == whole, seen=f"{parts} of {whole} tokens"),
    )


_INPUT = ("inputTokens", "cacheReadTokens", "cacheWriteTokens")


def warnings(buckets: Sequence[Bucket]) -> tuple[str, ...]:
    """Routes whose pictures cost far more or far less tokens than their pixels explain."""
    by_route: dict[str, Measures] = {}
    for bucket in buckets:
        measures = bucket.measures
        if measures.get("imageTokensReported", 0) == measures.get("events", 0) and measures.get("counter.pixelsSent"):
            so_far = by_route.setdefault(bucket.key.route, {"tokens": 0, "pixels": 0})
            so_far["tokens"] += measures["imageTokens"]
            so_far["pixels"] += measures["counter.pixelsSent"]
    return tuple(said for route, sums in sorted(by_route.items()) for said in _density(route, sums))


def _density(route: str, sums: Measures) -> tuple[str, ...]:
    ratio = sums["tokens"] / sums["pixels"]
    if _PER_PIXEL_LEAST <= ratio <= _PER_PIXEL_MOST:
        return ()
    size = "enlarges" if ratio > _PER_PIXEL_MOST else "shrinks"
    counted = f"{sums['tokens']} image tokens for {sums['pixels']} pixels sent"
    return (f"Route {route} counted {counted}; it probably {size} pictures.",)


def _identity(rule: str, sums: Mapping[str, Measures], part: str, whole: tuple[str, ...]) -> Identity:
    broken = [
        f"{route}: {measures[part]} of {sum(measures.get(name, 0) for name in whole)}"
        for route, measures in sorted(sums.items())
        if part in measures and measures[part] > sum(measures.get(name, 0) for name in whole)
    ]
    return Identity(rule=rule, holds=not broken, seen="; ".join(broken) or f"{len(sums)} routes")


def _estimated(buckets: Sequence[Bucket]) -> int:
    resent = (bucket for bucket in buckets if bucket.key.purpose in ("final", "clarification"))
    return merged(resent).get("estimatedInputTokens", 0)


def bucket_document(bucket: Bucket) -> dict[str, Any]:
    """A bucket as JSON values."""
    return {**bucket.key._asdict(), "measures": dict(sorted(bucket.measures.items()))}
