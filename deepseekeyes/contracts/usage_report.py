"""What was spent: tokens as providers reported them, estimates apart, and money only where a price is known."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from deepseekeyes.contracts.document import Document
from deepseekeyes.contracts.evidence import Persistence
from deepseekeyes.contracts.model import SHA256, Contract
from deepseekeyes.contracts.usage import TokenUsage


class Figures(Contract):
    """Sums over calls.

    `calls` are calls that reached a model, of which `failed` failed and `retried` were repetitions; `cache_hits`
    reached none. `usage` adds what providers reported, `total_tokens` is input + output + cache reads and writes, and
    `unreported` counts the calls for which no input tokens were reported. `counters` are events other than calls.
    """

    calls: int = 0
    succeeded: int = 0
    failed: int = 0
    retried: int = 0
    cache_hits: int = 0
    unreported: int = 0
    duration_ms: int = 0
    usage: TokenUsage = TokenUsage()
    total_tokens: int = 0
    estimated_input_tokens: int | None = None
    counters: dict[str, int] = Field(default_factory=dict)


class Money(Contract):
    """An amount in one currency, as a decimal number in text; `calls` are those it covers."""

    currency: str
    amount: str
    calls: int


PriceGap = Literal["no-price", "older-than-price", "tokens-not-reported", "no-cache-price"]


class Unpriced(Contract):
    """Calls without an amount, and why."""

    route: str
    calls: int
    reason: PriceGap


class Cost(Contract):
    """Money where prices are known. `complete` is false when any call has none; then an amount is no total."""

    amounts: tuple[Money, ...] = ()
    complete: bool = True
    unpriced: tuple[Unpriced, ...] = ()


class UsageGroup(Contract):
    """Figures of one purpose, route, day, model or outcome. `as_of` is the day of a route's prices."""

    name: str
    figures: Figures
    cost: Cost
    as_of: str | None = None


class Derived(Contract):
    """Token totals over purposes.

    `exact_additional` is what seeing and acting cost beside the final answers: vision (probe, base, target),
    clarification, automation and mcp. `final` stands apart. `estimated_bridge` are the input tokens that evidence text
    added to final and clarification calls, an estimate that providers count in their input already.
    """

    vision: int
    clarification: int
    automation: int
    mcp: int
    exact_additional: int
    final: int
    estimated_bridge: int
    estimated_additional: int


class Identity(Contract):
    """One rule that the numbers keep, and what was seen."""

    rule: str
    holds: bool
    seen: str


class UsageReport(Document):
    """`deepseekeyes.usage.v1`: the answer of `usage show`."""

    schema_: Literal["deepseekeyes.usage.v1"] = Field(default="deepseekeyes.usage.v1", alias="schema")
    started_at: str | None
    since: str | None = None
    by: str
    totals: Figures
    cost: Cost
    groups: tuple[UsageGroup, ...]
    truncated: bool = False
    omitted: int = 0
    derived: Derived
    identities: tuple[Identity, ...]
    warnings: tuple[str, ...] = ()
    accounting: dict[str, str]
    persistence: Persistence


class UsageSession(Contract):
    """One of the recent sessions; its id is stored hashed."""

    session_hash: str
    started_at: str
    updated_at: str
    figures: Figures
    by_purpose: tuple[UsageGroup, ...]


class UsageSessionList(Document):
    """`deepseekeyes.usage-session-list.v1`: recent sessions, newest first. Forgotten ones stay in the totals."""

    schema_: Literal["deepseekeyes.usage-session-list.v1"] = Field(
        default="deepseekeyes.usage-session-list.v1", alias="schema"
    )
    items: tuple[UsageSession, ...]
    truncated: bool = False
    omitted: int = 0


class UsageBucket(Contract):
    """One running total; an empty `day` holds days that were merged. `measures` are as the ledger keeps them."""

    day: str
    purpose: str
    provider: str
    model: str
    route: str
    outcome: str
    measures: dict[str, int]


class UsageSource(Contract):
    """Totals by who counted them: the exporting home itself, or one that it imported from. They only grow."""

    name: str = Field(min_length=1, max_length=128)
    buckets: tuple[UsageBucket, ...]


class UsageExport(Document):
    """`deepseekeyes.usage-export.v1`: running totals and the single calls that are still kept, oldest first.

    `sources` are the same totals apart by who counted them, so that an import adds what it does not have yet.
    """

    schema_: Literal["deepseekeyes.usage-export.v1"] = Field(default="deepseekeyes.usage-export.v1", alias="schema")
    at: str
    started_at: str | None
    buckets: tuple[UsageBucket, ...]
    sources: tuple[UsageSource, ...] = Field(max_length=1000)
    rows: tuple[dict[str, Any], ...]
    truncated: bool = False
    omitted: int = 0


class UsageImport(Document):
    """`deepseekeyes.usage-import.v1`: what a file holds, and what of it was new and is in the totals now."""

    schema_: Literal["deepseekeyes.usage-import.v1"] = Field(default="deepseekeyes.usage-import.v1", alias="schema")
    file_sha256: str = Field(pattern=SHA256)
    source: str
    calls: int
    new_calls: int
    known_calls: int
    new_tokens: int
    left_out: tuple[str, ...] = ()


class UsageReset(Document):
    """`deepseekeyes.usage-reset.v1`: the totals begin anew."""

    schema_: Literal["deepseekeyes.usage-reset.v1"] = Field(default="deepseekeyes.usage-reset.v1", alias="schema")
    started_at: str | None
    removed_calls: int
    removed_sessions: int
