"""One picture, one reading: what is asked, under which key it is stored, and what goes to a route."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import Field

from deepseekeyes.evidence.cachekey import cache_key
from deepseekeyes.evidence.version import CONTRACT
from deepseekeyes.imaging.layout import RenditionSpec
from deepseekeyes.vision.prompt_version import PROMPT_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from deepseekeyes.contracts.evidence import EvidenceKind, EvidenceRecord, Region
    from deepseekeyes.imaging.inputs import Loaded
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.vision.ports import RouteVerifier


FrameNumber = Annotated[int, Field(ge=0)]


class Work(NamedTuple):
    """A reading to be done.

    Attributes:
        data: the picture's bytes as they came.
        label: how the user named it.
        sha256: of `data`.
        frame: of an animation; None takes the first, `sheet` a contact sheet of many.
        operation: the word in attempt rows, such as `base` or `look-target`.
        timeout_ms: for the whole walk; None leaves it to each route's own limits.
        route: the route asked for, an id or `provider/model`.
        base_route: the route whose reading this one follows up.
        wait: whether it may wait for a resting route.
    """

    data: bytes
    label: str
    sha256: str
    kind: EvidenceKind = "base"
    question: str | None = None
    region: Region | None = None
    frame: int | Literal["sheet"] | None = None
    fresh: bool = False
    route: str | None = None
    base_route: str | None = None
    operation: str = "base"
    timeout_ms: int | None = None
    wait: bool = False

    @classmethod
    def of(cls, loaded: Loaded) -> Work:
        """A base reading of a loaded picture."""
        return cls(data=loaded.data, label=loaded.label, sha256=hashlib.sha256(loaded.data).hexdigest())


def frame_of(record: EvidenceRecord) -> int | Literal["sheet"] | None:
    """The frame that a record is about, as a work names it."""
    frame = record.source.frame
    return "sheet" if frame < 0 else frame or None


def rendition_spec(route: Route) -> RenditionSpec:
    """What a route needs of a picture. An eye in this process gets every pixel, uncompressed."""
    spec = RenditionSpec.for_route(route.limits)
    return spec._replace(stored=True, max_bytes=None, keep_metadata=True) if route.in_process else spec


def convention_of(route: Route, verifier: Callable[[], RouteVerifier]) -> str | None:
    """The box convention of a route: declared, else found by a probe, else None (inferred from the answer)."""
    if route.coordinates is not None:
        return route.coordinates
    known = verifier().known(route)
    return None if known is None else known.convention


def key_of(work: Work, route: Route, convention: str | None) -> str:
    """The cache key of this work on this route."""
    return cache_key(
        kind=work.kind,
        source_sha256=work.sha256,
        frame=work.frame or 0,
        route_id=route.id,
        route_digest=route.config_digest(),
        rendition=rendition_spec(route).key(),
        convention=convention,
        prompt=PROMPT_VERSION,
        contract=CONTRACT,
        question=work.question,
        region=work.region,
    )
