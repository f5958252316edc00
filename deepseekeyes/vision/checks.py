"""Examinations of the eyes: the local one reads a picture, the evidence contract is as strict as it was published."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from deepseekeyes.contracts.examination import Examination, Finding, failed, ok, skipped, warning
from deepseekeyes.core.canonical import digest
from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.plan import Plan
from deepseekeyes.routing.ports import Engine, EngineRequest, Message, Picture

GROUP: Final = "vision"
WORDS: Final = "EYES 4827"
PAPER: Final = (255, 255, 255)
INK: Final = (20, 20, 20)
SIZE: Final = (420, 96)
SCHEMA_DIGEST: Final = "e93b1a34d69805aa0ed6e42a4aca567eea753cbb2d0c9e6a39ba619031b2594a"
"""Canonical digest of `visual-evidence.schema.json`; a change of the contract changes it on purpose."""
AGAIN: Final = "pip install --force-reinstall deepseekeyes"
CONFIG: Final = "deepseekeyes doctor --only config"
SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class VisionChecks:
    """What these examinations look at.

    Attributes:
        local: the local route and its engine; raises the install hint where its packages are missing.
        schema: the bytes of the packaged evidence schema.
        plan: the order of eyes; None where the configuration cannot be read.
    """

    local: Callable[[], tuple[Route, Engine]]
    schema: Callable[[], bytes]
    plan: Callable[[], Plan] | None


def checks(deps: VisionChecks) -> tuple[Examination, ...]:
    """The contract, the eyes there are, and a reading by the local one."""

    async def local() -> Finding:
        return await reads(*deps.local())

    return (
        Examination("vision.schema", GROUP, lambda: schema(deps.schema())),
        Examination("vision.eyes", GROUP, lambda: eyes(None if deps.plan is None else deps.plan())),
        Examination("vision.local", GROUP, local),
    )


def schema(data: bytes) -> Finding:
    """Whether the packaged contract is the published one, and closed to unknown fields everywhere."""
    try:
        document = json.loads(data)
        seen = digest(document)
        loose = list(_open_objects(document, ""))
    except (ValueError, RecursionError, EyesError) as error:
        return failed(f"The packaged evidence schema cannot be read: {error}.", AGAIN)
    if loose:
        return failed(f"The evidence schema accepts unknown fields at {', '.join(loose[:3])}.", AGAIN)
    if seen != SCHEMA_DIGEST:
        changed = f"its digest is {seen[:16]}..., the published one {SCHEMA_DIGEST[:16]}..."
        return failed(f"The packaged evidence schema was changed: {changed}", AGAIN)
    return ok(f"The digest {seen[:16]}... is the published one; every object refuses unknown fields.")


def eyes(found: Plan | None) -> Finding:
    """Whether any eye would be tried at all, and whether every name in the settings means one."""
    if found is None:
        return skipped("The configuration cannot be read, so the order of eyes is not known.", CONFIG)
    order = [place.route.id for place in found.places]
    if not order:
        reasons = "; ".join(f"{gone.route.id}: {gone.reason}" for gone in found.excluded[:SHOWN])
        return failed(f"No eye would be tried. {reasons}", "deepseekeyes vision routes")
    seen = f"Eyes in order: {', '.join(order)}."
    unknown = [name for names in found.unknown.values() for name in names]
    if unknown:
        return warning(
            f"{seen} The settings name eyes that do not exist: {', '.join(unknown)}.", "deepseekeyes vision routes"
        )
    return ok(seen)


async def reads(route: Route, engine: Engine) -> Finding:
    """Let an eye read a picture that is drawn here, and compare the words."""
    from deepseekeyes.imaging.challenge_art import Line, lettering

    width, height = SIZE
    data = lettering(width, height, PAPER, [Line(WORDS, 48, 24, 20, INK)])
    picture = Picture(data, "image/png", width, height, hashlib.sha256(data).hexdigest())
    reply = await engine.run(
        route,
        EngineRequest("image_to_evidence", (Message("user", "", (picture,)),), variant="base"),
    )
    texts = _texts(reply.document)
    if _letters(WORDS) in _letters(" ".join(texts)):
        return ok(f"{route.model} read {WORDS!r} from a drawn picture.")
    return warning(
        f"{route.model} read {texts!r} from a picture that says {WORDS!r}.",
        "pip install --force-reinstall 'deepseekeyes[local]'",
    )


def _texts(document: Mapping[str, Any] | None) -> list[str]:
    lines = (document or {}).get("ocr", [])
    return [str(line.get("text", "")) for line in lines if isinstance(line, Mapping)]


def _letters(text: str) -> str:
    return "".join(letter for letter in text.upper() if letter.isalnum())


def _open_objects(rule: Any, path: str) -> Iterator[str]:
    """Places of a schema that describe an object and leave it open."""
    if isinstance(rule, list):
        for index, item in enumerate(rule):
            yield from _open_objects(item, f"{path}/{index}")
    elif isinstance(rule, dict):
        if rule.get("type") == "object" and rule.get("additionalProperties") is not False:
            yield path or "/"
        for key, item in rule.items():
            yield from _open_objects(item, f"{path}/{key}")
