"""The conversation with a reasoning model over evidence: it answers, or asks for one more look at the pixels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from deepseekeyes.contracts.answer import Answer, LookTaken
from deepseekeyes.core.errors import EyesError
from deepseekeyes.vision.answer_document import Turned, documented
from deepseekeyes.vision.bridge import evidence_text, look_text
from deepseekeyes.vision.codes import VISION_CLARIFICATION_LIMIT
from deepseekeyes.vision.conversation import Askable, Brief, bridge_text, bridged
from deepseekeyes.vision.fitting import tokens_of
from deepseekeyes.vision.gather import has_pixels, picture_of
from deepseekeyes.vision.history import pointer_of, pointer_text
from deepseekeyes.vision.reasoner import speak
from deepseekeyes.vision.reasoning import Decision, Malformed, Reply, Request, read_decision
from deepseekeyes.vision.see import see
from deepseekeyes.vision.speech import Speech
from deepseekeyes.vision.work import Work, frame_of

if TYPE_CHECKING:
    from deepseekeyes.contracts.evidence import EvidenceRecord
    from deepseekeyes.contracts.usage import UsageEvent
    from deepseekeyes.routing.metered import Annotate
    from deepseekeyes.routing.plan import Plan
    from deepseekeyes.routing.ports import EngineReply, Message
    from deepseekeyes.routing.walk import Walked
    from deepseekeyes.vision.turn import Share

LOOK_SHARE: Final = 4
"""A look's evidence may take a fourth of what a whole picture's may."""


async def converse(turned: Turned, plan: Plan, records: tuple[EvidenceRecord, ...]) -> Answer:
    """The answer of a reasoning model that reads evidence and may ask for further looks.

    Raises:
        EyesError: what the walks raise; `VISION_CLARIFICATION_LIMIT` for a request when no look is left;
            `INVALID_VISION_REQUEST` or `INVALID_MODEL_OUTPUT` for a second malformed request in a row.
    """
    deps, question = turned.deps, turned.request.question
    settings = deps.vision.settings
    known = {record.source.sha256: record for record in records}
    looked = [look for subject in turned.subjects for look in subject.looks]
    taken: list[LookTaken] = []
    brief = Brief(
        question=question,
        given=_given(turned, records),
        looked=tuple(look_text(look, limit=settings.evidence_chars // LOOK_SHARE) for look in looked),
        askable=_askable(turned, records),
        looks_left=settings.max_clarifications,
    )
    while True:
        names = [one.image_sha256 for one in brief.askable] if brief.may_look else list(known)
        walked, decision = await _round(turned, plan, brief, names)
        if isinstance(decision, Reply):
            return documented(
                turned,
                answer=decision.text,
                mode="reasoning",
                walked=walked,
                records=records,
                looks=tuple(taken),
                looks_left=brief.looks_left,
            )
        if not brief.may_look:
            raise _out_of_looks(settings.max_clarifications)
        if isinstance(decision, Malformed):
            if brief.refused is not None:
                raise EyesError(decision.code, f"The model sent no usable request, twice: {decision.reason}.")
            brief = replace(brief, refused=(walked.value.text, decision))
        else:
            look = await _look(turned, known[decision.image_sha256], decision)
            taken.append(look)
            told = look_text(look.record, limit=settings.evidence_chars // LOOK_SHARE)
            left = brief.looks_left - 1
            brief = replace(brief, looked=(*brief.looked, told), looks_left=left, refused=None)
        plan = deps.vision.plan(turned.plan.asked._replace(route=walked.route.id))


async def _round(
    turned: Turned, plan: Plan, brief: Brief, known: Sequence[str]
) -> tuple[Walked[EngineReply], Decision]:
    deps, turn = turned.deps, turned.turn
    messages = bridged(brief)
    speech = None if deps.show is None else Speech(deps.show, guarded=True)
    walked = await speak(
        plan,
        lambda _: messages,
        deps,
        annotate=_booked(messages, brief.question, lambda reply: _share(read_decision(reply.text, known))),
        speech=speech,
        wait=turned.request.wait,
    )
    decision = read_decision(walked.value.text, known)
    if speech is not None:
        speech.end(answer=isinstance(decision, Reply))
    turn.book(_share(decision), walked.usage, walked.attempts)
    return walked, decision


def _share(decision: Decision) -> Share:
    return "final" if isinstance(decision, Reply) else "clarification"


def _booked(messages: Sequence[Message], question: str, share: Callable[[EngineReply], Share]) -> Annotate:
    """Books a reasoning call under what it turned out to be, with the estimate of what the bridge added."""
    bridge = tokens_of(bridge_text(messages, question))

    def annotate(event: UsageEvent, reply: EngineReply | None) -> UsageEvent:
        purpose = "final" if reply is None else share(reply)
        counters = {**event.counters, "estimatedBridgeInputTokens": bridge}
        if reply is not None and purpose == "final":
            counters["visualTurns"] = 1
        return event.model_copy(update={"purpose": purpose, "counters": counters})

    return annotate


async def _look(turned: Turned, record: EvidenceRecord, asked: Request) -> LookTaken:
    """Read the original pixels again for one question, on the route of the first reading before any other."""
    request, deps = turned.request, turned.deps
    subject = next(one for one in turned.subjects if one.sha256 == asked.image_sha256)
    data = (await picture_of(subject, deps.vision)).data or b""
    work = Work(
        data=data,
        label=subject.label,
        sha256=subject.sha256,
        kind="target",
        question=asked.question,
        region=asked.region,
        frame=frame_of(record),
        route=request.route,
        base_route=record.route.id,
        operation="clarification",
        timeout_ms=deps.vision.settings.look_timeout_ms,
        wait=request.wait,
    )
    found = await see(work, deps.vision)
    turned.turn.book_record("target", found)
    return LookTaken(image_sha256=asked.image_sha256, question=asked.question, region=asked.region, record=found)


def _out_of_looks(allowed: int) -> EyesError:
    return EyesError(
        VISION_CLARIFICATION_LIMIT,
        "The model asked for a look although none is left."
        if allowed
        else "The model asked for a look although none is allowed.",
        details={"limit": {"name": "max_clarifications", "value": allowed, "setting": "vision.max_clarifications"}},
    )


def _given(turned: Turned, records: Sequence[EvidenceRecord]) -> tuple[str, ...]:
    """Evidence of the latest pictures, pointers for older ones."""
    settings = turned.deps.vision.settings
    older = _older(turned, records)
    texts = []
    for position, (subject, record) in enumerate(zip(turned.subjects, records, strict=True)):
        if position < older:
            summary = str(record.evidence.get("summary") or "")
            pointer = pointer_of(
                record.source, name=subject.label, summary=summary, summary_chars=settings.summary_chars
            )
            texts.append(pointer_text(pointer))
        else:
            texts.append(evidence_text(record, name=subject.label, limit=settings.evidence_chars))
    if older:
        turned.turn.note(
            f"The model got evidence of the last {len(records) - older} pictures and pointers to {older} before them "
            "(vision.history_images)."
        )
    return tuple(texts)


def _older(turned: Turned, records: Sequence[EvidenceRecord]) -> int:
    """How many pictures, from the first on, are given as pointers; the last one never is."""
    return max(0, len(records) - max(1, turned.deps.vision.settings.history_images))


def _askable(turned: Turned, records: Sequence[EvidenceRecord]) -> tuple[Askable, ...]:
    vision = turned.deps.vision
    askable = []
    for subject, record in zip(turned.subjects, records, strict=True):
        if has_pixels(subject, vision):
            askable.append(Askable(subject.sha256, record.source.width, record.source.height))
        else:
            turned.turn.note(f"{subject.label} could not be looked at again: its pixels are not in this home.")
    return tuple(askable)
