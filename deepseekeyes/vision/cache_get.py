"""Print one stored record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from deepseekeyes.contracts.evidence import EvidenceRecord
from deepseekeyes.contracts.model import Contract
from deepseekeyes.vision.cache_deps import HASH_START

if TYPE_CHECKING:
    from deepseekeyes.vision.cache_deps import CacheDeps


class CacheGetRequest(Contract):
    """A record's hash or cache key, or the unique beginning of one."""

    record: str = Field(min_length=4, max_length=64, pattern=r"^[0-9a-f]+$", description=HASH_START)


async def cache_get(request: CacheGetRequest, deps: CacheDeps) -> EvidenceRecord:
    """The stored record.

    Raises:
        EyesError: RECORD_NOT_FOUND, RECORD_AMBIGUOUS.
    """
    return EvidenceRecord.model_validate({**deps.records.get(request.record), "cacheHit": True})
