"""Reads usage that was counted elsewhere: a plugin's `usage-stats.json`, or an export of ours. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from deepseekeyes.contracts.usage_report import UsageBucket, UsageExport
from deepseekeyes.core.errors import EyesError
from deepseekeyes.store.usage_imports import UNDATED, Source
from deepseekeyes.store.usage_totals import Bucket, BucketKey, Measures
from deepseekeyes.usage import codes

IMPORTED = "imported"
VERSIONS = (1, 2, 3)
CATEGORIES = {
    "visionProbe": "probe",
    "visionBase": "base",
    "visionTarget": "target",
    "upstreamClarification": "clarification",
    "upstreamAutomation": "automation",
    "upstreamMcp": "mcp",
    "upstreamFinal": "final",
}
TOKENS = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens")
MOST = 10**15


@dataclass(frozen=True, slots=True)
class Counted:
    """Sums of a file by who counted them: `kind` names what it was, `left_out` what has no place in the totals."""

    kind: str
    sources: tuple[Source, ...]
    left_out: tuple[str, ...] = ()


def counted(value: Any, sha256: str = "") -> Counted:
    """The sums of a parsed file, with the digest of its bytes.

    Raises:
        EyesError: `USAGE_FILE_INVALID`.
    """
    if isinstance(value, dict) and value.get("schema") == "deepseekeyes.usage-export.v1":
        return _exported(value)
    if isinstance(value, dict) and value.get("schemaVersion") in VERSIONS and isinstance(value.get("totals"), dict):
        return _statistics(value, sha256)
    raise EyesError(codes.USAGE_FILE_INVALID, "The file holds no usage statistics that are known here.")


def _exported(value: dict[str, Any]) -> Counted:
    try:
        export = UsageExport.model_validate(value)
    except ValidationError as error:
        where = "/".join(str(part) for part in error.errors()[0]["loc"])
        raise EyesError(codes.USAGE_FILE_INVALID, f"The export is not whole at /{where}.") from None
    sources = tuple(Source(one.name, tuple(map(_bucket, one.buckets))) for one in export.sources)
    left_out = ("rows: their sums are in the buckets",) if export.rows else ()
    return Counted("deepseekeyes.usage-export.v1", sources, left_out)


def _bucket(one: UsageBucket) -> Bucket:
    return Bucket(
        BucketKey(one.day, one.purpose, one.provider, one.model, one.route, one.outcome),
        {name: number for name, number in one.measures.items() if _whole(number)},
    )


def _statistics(value: dict[str, Any], sha256: str) -> Counted:
    totals = value["totals"]
    day = str(value.get("updatedAt") or value.get("startedAt") or "")[:10]
    calls, usage = _table(totals, "calls"), _table(totals, "usage")
    buckets = [
        Bucket(_key(day, purpose), measures)
        for category, purpose in CATEGORIES.items()
        for measures in (_measures(calls.get(category), usage.get(category)),)
        if measures
    ]
    counters: Measures = {
        f"counter.{name}": number
        for name, number in totals.items()
        if isinstance(name, str) and _whole(number) and number
    }
    if counters:
        buckets.append(Bucket(_key(day, ""), counters))
    sessions = value.get("sessions")
    left_out = (
        (f"{len(sessions)} sessions: their ids are not hashed",) if isinstance(sessions, list) and sessions else ()
    )
    began = value.get("startedAt")
    name = hashlib.sha256(began.encode("utf-8", "surrogatepass")).hexdigest() if isinstance(began, str) else sha256
    source = Source(UNDATED + name, tuple(buckets))
    return Counted(f"usage-stats.json version {value['schemaVersion']}", (source,), left_out)


def _key(day: str, purpose: str) -> BucketKey:
    dated = day if len(day) == 10 and day.replace("-", "").isdigit() else ""
    return BucketKey(dated, purpose, IMPORTED, IMPORTED, IMPORTED, "success")


def _measures(calls: Any, usage: Any) -> Measures:
    found: Measures = {"events": calls} if _whole(calls) and calls else {}
    for name in TOKENS:
        number = usage.get(name) if isinstance(usage, dict) else None
        if _whole(number) and number:
            found[name] = number
            found[f"{name}Reported"] = found.get("events", 0)
    return found


def _table(totals: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = totals.get(name)
    return value if isinstance(value, dict) else {}


def _whole(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST
