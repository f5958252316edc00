"""Money: only with a price, only from its day on, never out of a token count."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.contracts.usage_report import Cost, Money, Unpriced
from deepseekeyes.routing.catalog import Prices
from deepseekeyes.usage.money import amount, shown
from deepseekeyes.usage.show import ShowRequest, show
from tests.usage.conftest import PRICES, booked, event


def cost(*events: dict[str, Any]) -> Cost:
    return asyncio.run(show(ShowRequest(), booked(*events))).cost


def test_tokens_become_money_at_the_rates_of_their_route() -> None:
    made = cost(
        event(
            usage=TokenUsage(
                input_tokens=1_000_000, output_tokens=500_000, cache_read_tokens=2_000_000, reasoning_tokens=400_000
            )
        ),
        event(route="glm", usage=TokenUsage(input_tokens=250_000, output_tokens=250_000)),
    )

    assert made == Cost(
        amounts=(Money(currency="CNY", amount="0.500000", calls=1), Money(currency="USD", amount="6.400000", calls=1)),
        complete=True,
    )


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        pytest.param([event(route="brain")], "no-price", id="no price entry"),
        pytest.param([event(day="2026-11-29")], "older-than-price", id="before the price's day"),
        pytest.param(
            [event(outcome="failed", usage=TokenUsage())], "tokens-not-reported", id="a failed call without usage"
        ),
        pytest.param([event(usage=TokenUsage(input_tokens=9))], "tokens-not-reported", id="output unknown"),
        pytest.param(
            [event(usage=TokenUsage(input_tokens=9, output_tokens=1, cache_write_tokens=5))],
            "no-cache-price",
            id="cache price unknown",
        ),
    ],
)
def test_money_is_refused_where_it_is_not_known(calls: Any, reason: Any) -> None:
    known = event(usage=TokenUsage(input_tokens=1_000_000, output_tokens=0), purpose="target")
    made = cost(*calls, known)

    assert made.unpriced == (Unpriced(route=calls[0]["route"], calls=1, reason=reason),)
    assert (made.complete, made.amounts) == (False, (Money(currency="USD", amount="2.000000", calls=1),))


def test_routes_of_this_machine_and_cache_hits_cost_nothing() -> None:
    assert cost(event(route="local", usage=TokenUsage()), event(route="brain", outcome="cache-hit")) == Cost()


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_amounts_are_exact_decimals(inputs: int, outputs: int) -> None:
    price = Prices(as_of="2026-01-01", input=0.1, output=0.3)
    made = amount({"inputTokens": inputs, "outputTokens": outputs}, price)

    assert made * 10_000_000 == inputs + 3 * outputs
    assert "e" not in shown(made).lower()


def test_u05_a_token_count_is_never_an_amount() -> None:
    made = cost(event())

    assert (
        made.amounts[0].amount
        == shown(amount({"inputTokens": 1000, "outputTokens": 100}, PRICES["qwen"]))
        == "0.002800"
    )
