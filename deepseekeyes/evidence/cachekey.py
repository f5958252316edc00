"""The key under which a reading is kept: equal questions to equal eyes about equal pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deepseekeyes.core.canonical import digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from deepseekeyes.contracts.evidence import EvidenceKind, Region


def cache_key(
    *,
    kind: EvidenceKind,
    source_sha256: str,
    frame: int | str,
    route_id: str,
    route_digest: str,
    rendition: Mapping[str, Any],
    convention: str | None,
    prompt: str,
    contract: str,
    question: str | None = None,
    region: Region | None = None,
) -> str:
    """SHA-256 (64 hex digits) over everything that decides what a reading says.

    Args:
        kind: whole picture or one question.
        source_sha256: hash of the original file.
        frame: zero-based frame, or the word for several at once.
        route_id: which entry reads.
        route_digest: digest of the entry's configuration, so that a changed route reads anew.
        rendition: what the route is sent, as parameters (`RenditionSpec.key()`).
        convention: the declared coordinate convention.
        prompt: version of the prompts.
        contract: version of the evidence contract.
        question: what was asked; None for a whole picture.
        region: where to look; numbers count by value, so `1` and `1.0` are one key.
    """
    return digest(
        {
            "kind": kind,
            "source": source_sha256,
            "frame": frame,
            "route": {"id": route_id, "config": route_digest},
            "rendition": dict(rendition),
            "convention": convention,
            "prompt": prompt,
            "contract": contract,
            "question": question,
            "region": None if region is None else region.model_dump(mode="json", by_alias=True),
        }
    )
