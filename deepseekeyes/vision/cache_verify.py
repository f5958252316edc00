"""Re-check stored records offline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pydantic import Field

from deepseekeyes.contracts.cache import CacheVerification, RecordVerdict
from deepseekeyes.contracts.model import Contract
from deepseekeyes.vision.cache_deps import HASH_START

if TYPE_CHECKING:
    from deepseekeyes.vision.cache_deps import CacheDeps


class CacheVerifyRequest(Contract):
    """One record, or all."""

    record: str | None = Field(
        default=None,
        min_length=4,
        max_length=64,
        pattern=r"^[0-9a-f]+$",
        description=HASH_START,
    )


async def cache_verify(request: CacheVerifyRequest, deps: CacheDeps) -> CacheVerification:
    """Judge records by their digest, schema, hashes and boxes.

    A file that is no sound record fails under its key; it is quarantined, so that it cannot be served.

    Raises:
        EyesError: RECORD_NOT_FOUND, RECORD_AMBIGUOUS.
    """
    verdicts: list[RecordVerdict] = []
    if request.record is not None:
        record = deps.records.get(request.record)
        verdicts.append(_verdict(record["cacheKey"], record, deps))
    else:
        verdicts += _all(deps)
    return CacheVerification(
        valid=all(verdict.valid for verdict in verdicts), total=len(verdicts), items=tuple(verdicts)
    )


def _all(deps: CacheDeps) -> Iterator[RecordVerdict]:
    entries = list(deps.records.entries())
    for done, entry in enumerate(entries):
        deps.progress(done, len(entries), "verifying")
        yield _verdict(entry.key, deps.records.read(entry.key, entry.number), deps)
    deps.progress(len(entries), len(entries), "verifying")


def _verdict(key: str, record: dict[str, Any] | None, deps: CacheDeps) -> RecordVerdict:
    if record is None:
        return RecordVerdict(
            record_sha256="0" * 64, cache_key=key, valid=False, failed=("readable: set aside in quarantine",)
        )
    checks = tuple(deps.judge(record, key))
    failed = tuple(f"{check.id}: {check.seen}" for check in checks if check.status == "failed")
    skipped = tuple(f"{check.id}: {check.seen}" for check in checks if check.status == "skipped")
    return RecordVerdict(
        record_sha256=record["recordSha256"], cache_key=key, valid=not failed, failed=failed, skipped=skipped
    )
