"""One reading on one route: render, ask, and turn the answer into a record's content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from deepseekeyes.contracts.evidence import ContractVersions, EvidenceRecord, RouteIdentity
from deepseekeyes.core.errors import EyesError
from deepseekeyes.evidence.bounds import AnswerBounds
from deepseekeyes.evidence.reading import Reading, read_answer
from deepseekeyes.evidence.schema import CONTRACT
from deepseekeyes.imaging.rendition import Rendered, render
from deepseekeyes.routing.ask import ask
from deepseekeyes.routing.capabilities import EYE
from deepseekeyes.routing.ports import EngineRequest, Message, Picture
from deepseekeyes.vision.prompts import PROMPT_VERSION, Prompt, base_prompt, target_prompt
from deepseekeyes.vision.work import Work, key_of, rendition_spec

if TYPE_CHECKING:
    from deepseekeyes.contracts.probe import Verification
    from deepseekeyes.imaging.decode import Decoded
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.tally import Tally
    from deepseekeyes.vision.ports import ReadingDeps

MOST_UNCERTAINTIES = 2_000
TIMELESS = {"cache_hit", "run", "persistence", "record_sha256", "read_id", "supersedes"}


async def read_on(
    route: Route, work: Work, decoded: Decoded, verification: Verification, deps: ReadingDeps, tally: Tally
) -> tuple[str, dict[str, Any]]:
    """Read a picture on one route that was verified. Touches no store: it may run in another process.

    Returns:
        The cache key and the content of the record, ready to be stored.

    Raises:
        EyesError: whatever the engine or the evidence contract object to.
    """
    convention = route.coordinates or verification.convention
    rendered = render(decoded, rendition_spec(route), work.region)
    sent = rendered.rendition.width, rendered.rendition.height

    def understood(answer: str | Mapping[str, Any]) -> Reading:
        return read_answer(
            answer,
            work.kind,
            width=sent[0],
            height=sent[1],
            declared=convention,
            affine=rendered.affine,
            source_size=(decoded.source.width, decoded.source.height),
            bounds=AnswerBounds(chars=deps.settings.answer_max_chars),
        )

    def usable(text: str) -> bool:
        try:
            understood(text)
        except EyesError:
            return False
        return True

    engine = deps.engine(route, "base" if work.kind == "base" else "target")
    request = _request(work, rendered, _prompt(work, decoded, sent, convention), deps)
    reply = await ask(engine, route, request, tally=tally, clock=deps.clock, usable=usable)
    reading = understood(reply.text if reply.document is None else reply.document)
    key = key_of(work, route, convention)
    return key, _content(key, route, work, decoded, rendered, verification, reading)


def _prompt(work: Work, decoded: Decoded, sent: tuple[int, int], convention: str | None) -> Prompt:
    if work.kind == "base":
        return base_prompt(decoded.source, sent=sent, convention=convention)
    return target_prompt(
        decoded.source,
        work.question or "",
        sent=sent,
        region=work.region,
        cropped=work.region is not None,
        convention=convention,
    )


def _request(work: Work, rendered: Rendered, prompt: Prompt, deps: ReadingDeps) -> EngineRequest:
    budget = deps.settings.base_max_tokens if work.kind == "base" else deps.settings.target_max_tokens
    pictures = tuple(
        Picture(piece.data, piece.media_type, piece.width, piece.height, piece.sha256) for piece in rendered.pictures
    )
    return EngineRequest(
        capability=EYE,
        messages=(Message("system", prompt.system), Message("user", prompt.text, pictures)),
        max_tokens=budget or None,
        temperature=0.0,
        variant=work.kind,
        question=work.question,
        region=work.region,
    )


def _content(
    key: str,
    route: Route,
    work: Work,
    decoded: Decoded,
    rendered: Rendered,
    verification: Verification,
    reading: Reading,
) -> dict[str, Any]:
    """The timeless part of the record: equal readings are equal bytes."""
    record = EvidenceRecord(
        record_sha256="0" * 64,
        cache_key=key,
        kind=work.kind,
        question=work.question,
        region=work.region,
        source=decoded.source,
        rendition=rendered.rendition,
        route=RouteIdentity(
            id=route.id,
            provider=route.provider,
            engine=route.engine,
            model=route.model,
            verification="probed" if verification.status == "probed" else "disabled",
        ),
        contract=ContractVersions(evidence=CONTRACT, prompt=PROMPT_VERSION),
        coordinates=reading.coordinates,
        repairs=reading.repairs,
        evidence=_noted(reading.evidence, decoded),
    )
    return record.model_dump(mode="json", by_alias=True, exclude=TIMELESS)


def _noted(evidence: dict[str, Any], decoded: Decoded) -> dict[str, Any]:
    """The evidence with what intake knows about the picture, such as frames that were not read."""
    said = evidence["uncertainties"]
    added = [note for note in decoded.notes if note not in said][: MOST_UNCERTAINTIES - len(said)]
    return {**evidence, "uncertainties": [*said, *added]} if added else evidence
