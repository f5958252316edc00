"""What the vision operations touch, filled by wiring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from deepseekeyes.contracts.evidence import Persistence
    from deepseekeyes.contracts.usage import Purpose
    from deepseekeyes.core.clock import Clock
    from deepseekeyes.imaging.inputs import Failed, Loaded
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.plan import Asked, Plan
    from deepseekeyes.routing.ports import Engine
    from deepseekeyes.routing.walk import WalkDeps
    from deepseekeyes.store.blobs import Blobs
    from deepseekeyes.store.records import Records
    from deepseekeyes.vision.ports import Elsewhere, RouteVerifier
    from deepseekeyes.vision.settings import VisionSettings


class VisionDeps(NamedTuple):
    """Everything between a picture and its evidence.

    Attributes:
        load: inputs as the user names them -> their pictures, a failure in its place; the flag allows http(s) URLs.
        plan: orders the routes for a request.
        book: takes an attempt row, as JSON values.
        trouble: the code of what could not be written down so far, None when all was.
        walk: what a walk touches, made when one is needed.
        verifier: the proof that routes see, made when it is needed.
        engine: the engine of a route, metered under a purpose.
        keep_pictures: whether originals are stored.
        persistence: whether everything that had to be written down was, so far.
        progress: how far a list of pictures is: done, total, label.
        names_file: whether a text is the name of a file that exists, for doors that may name files at all.
        elsewhere: other processes that read for this one, if any.
        max_wait_s: seconds that a request which may wait spends on resting routes.
        note: takes a sentence for people.
    """

    clock: Clock
    settings: VisionSettings
    blobs: Blobs
    records: Records
    load: Callable[[Sequence[str], bool], AsyncIterator[Loaded | Failed]]
    plan: Callable[[Asked], Plan]
    book: Callable[[dict[str, Any]], None]
    trouble: Callable[[], str | None]
    walk: Callable[[], WalkDeps]
    engine: Callable[[Route, Purpose], Engine]
    verifier: Callable[[], RouteVerifier]
    keep_pictures: bool
    session_hash: str | None
    persistence: Callable[[], Persistence]
    progress: Callable[[int, int | None, str], None]
    names_file: Callable[[str], bool]
    note: Callable[[str], None]
    max_wait_s: float = 0.0
    elsewhere: Elsewhere | None = None
