"""Turns tokens into money where a price is known, and says where it is not. Pure.

Amounts are decimal; a price holds from its day on, for what the provider reported. A token count never becomes an
amount without a price entry. Routes that run on this machine cost nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from deepseekeyes.contracts.usage_report import Cost, Money, PriceGap, Unpriced
from deepseekeyes.routing.catalog import Prices
from deepseekeyes.store.usage_totals import Bucket

MILLION = Decimal(1_000_000)
_CENTS = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class PriceList:
    """Route id to the prices its entry declares, and the routes that cost nothing."""

    prices: Mapping[str, Prices] = field(default_factory=dict)
    free: frozenset[str] = frozenset()


def cost_of(buckets: Iterable[Bucket], priced_by: PriceList) -> Cost:
    """The money of buckets. Calls that reported no tokens, or are older than the price, have no amount."""
    amounts: dict[str, Decimal] = {}
    priced: Counter[str] = Counter()
    gaps: Counter[tuple[str, PriceGap]] = Counter()
    for bucket in buckets:
        calls = 0 if bucket.key.route in priced_by.free else calls_in(bucket)
        price = priced_by.prices.get(bucket.key.route)
        reason = gap(bucket, price) if calls else None
        if reason is not None:
            gaps[bucket.key.route, reason] += calls
        elif calls and price is not None:
            amounts[price.currency] = amounts.get(price.currency, Decimal(0)) + amount(bucket.measures, price)
            priced[price.currency] += calls
    return Cost(
        amounts=tuple(
            Money(currency=currency, amount=shown(total), calls=priced[currency])
            for currency, total in sorted(amounts.items())
        ),
        complete=not gaps,
        unpriced=tuple(Unpriced(route=route, calls=calls, reason=why) for (route, why), calls in sorted(gaps.items())),
    )


def calls_in(bucket: Bucket) -> int:
    """Calls that reached a model."""
    return 0 if bucket.key.outcome == "cache-hit" else bucket.measures.get("events", 0)


def gap(bucket: Bucket, price: Prices | None) -> PriceGap | None:
    """Why a bucket has no amount, None when it has one."""
    measures = bucket.measures
    if price is None:
        return "no-price"
    if bucket.key.day < price.as_of:
        return "older-than-price"
    if min(measures.get("inputTokensReported", 0), measures.get("outputTokensReported", 0)) < measures.get("events", 0):
        return "tokens-not-reported"
    cached = (
        (measures.get("cacheReadTokens"), price.cache_read),
        (measures.get("cacheWriteTokens"), price.cache_write),
    )
    return "no-cache-price" if any(tokens and rate is None for tokens, rate in cached) else None


def amount(measures: Mapping[str, int], price: Prices) -> Decimal:
    """Money for token sums; reasoning is a part of the output and not charged again."""
    rates = {
        "inputTokens": price.input,
        "outputTokens": price.output,
        "cacheReadTokens": price.cache_read,
        "cacheWriteTokens": price.cache_write,
    }
    parts = (measures.get(name, 0) * Decimal(str(rate)) for name, rate in rates.items() if rate is not None)
    return sum(parts, Decimal(0)) / MILLION


def shown(total: Decimal) -> str:
    """An amount with six decimals, never in exponent form."""
    return f"{total.quantize(_CENTS):f}"
