"""Answer a question about pictures: evidence, then a reasoning model that may ask back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from pydantic import Field, field_validator

from deepseekeyes.contracts.answer import Answer
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import clip
from deepseekeyes.routing.capabilities import REASONING
from deepseekeyes.routing.plan import Asked, Plan, failover_for
from deepseekeyes.vision.answer_document import Turned, documented
from deepseekeyes.vision.answering import converse
from deepseekeyes.vision.codes import QUESTION_IS_FILE, UPSTREAM_MODEL_LOCKED, VISION_STATE_MISMATCH
from deepseekeyes.vision.extract import extracts
from deepseekeyes.vision.gather import Subject, gather, picture_of
from deepseekeyes.vision.native import see_natively, seeing
from deepseekeyes.vision.reasoning import LONGEST_QUESTION
from deepseekeyes.vision.see import see
from deepseekeyes.vision.turn import Turn
from deepseekeyes.vision.work import FrameNumber, Work, frame_of

if TYPE_CHECKING:
    from deepseekeyes.contracts.evidence import EvidenceRecord
    from deepseekeyes.vision.ask_deps import AskDeps

MAX_IMAGES: Final = 256


class AskRequest(Contract):
    """One question about one or more pictures.

    Attributes:
        images: as the user names them; `-` brings pictures, or documents with records and pictures.
        question: 1 to 2000 characters, blanks at the ends ignored.
        route: the eye, an id or `provider/model`; the plan decides when absent.
        reasoner: the model that answers, likewise.
        fresh: read the pictures again although records exist.
        frame: of animations, from 0; `sheet` for a contact sheet of many.
        allow_url: whether http(s) URLs are fetched.
        wait: whether walks may wait for a resting route, up to `routing.max_wait_ms`.
    """

    images: tuple[str, ...] = Field(min_length=1, max_length=MAX_IMAGES)
    question: str
    route: str | None = Field(default=None, min_length=1, max_length=1024)
    reasoner: str | None = Field(default=None, min_length=1, max_length=1024)
    fresh: bool = False
    frame: FrameNumber | Literal["sheet"] | None = None
    allow_url: bool = False
    wait: bool = False

    @field_validator("question")
    @classmethod
    def _one_question(cls, value: str) -> str:
        question = value.strip()
        if not 0 < len(question) <= LONGEST_QUESTION:
            raise ValueError(f"a question has 1 to {LONGEST_QUESTION} characters, this one has {len(question)}")
        return question


async def ask(request: AskRequest, deps: AskDeps) -> Answer:
    """Answer one question.

    A reasoning model that declares image input gets the pictures. Any other gets validated evidence of every picture
    and may ask for further looks at the pixels, within `vision.max_clarifications`. Without a reasoning route the
    answer is an extract.

    Raises:
        EyesError: `QUESTION_IS_FILE`, `UPSTREAM_MODEL_LOCKED`; what intake, plan and walks raise;
            `INVALID_VISION_REQUEST`, `INVALID_MODEL_OUTPUT`, `VISION_CLARIFICATION_LIMIT`, `FINAL_CONTEXT_EXHAUSTED`.
            Details hold the attempts and the tokens of the whole turn.
    """
    if deps.names_file(request.question):
        raise EyesError(QUESTION_IS_FILE, f"The question is the name of a file: {clip(request.question, 200)}.")
    turn = Turn(deps.vision.clock.monotonic())
    try:
        return await _answer(request, deps, turn)
    except EyesError as error:
        raise turn.dressed(error) from error.__cause__


async def _answer(request: AskRequest, deps: AskDeps, turn: Turn) -> Answer:
    plan = reasoning_plan(request, deps, turn)
    subjects = await gather(request.images, deps, allow_url=request.allow_url)
    for subject in subjects:
        if subject.note is not None:
            turn.note(subject.note)
    turned = Turned(request, deps, turn, plan, subjects)
    own_eyes = seeing(plan, subjects, deps.vision, turn)
    if own_eyes is not None:
        outcome = await see_natively(turned, own_eyes)
        if isinstance(outcome, Answer):
            return outcome
        plan = outcome
    records = await _evidence(request, subjects, deps, turn)
    if plan.places:
        return await converse(turned, plan, records)
    return documented(
        turned,
        answer=None,
        mode="extract",
        records=records,
        extracts=extracts(records, request.question),
        hint=how_to_add(plan),
    )


def reasoning_plan(request: AskRequest, deps: AskDeps, turn: Turn) -> Plan:
    """Who may answer, in order; without any place nobody can, and nobody was asked for.

    Raises:
        EyesError: `UPSTREAM_MODEL_LOCKED`, and what `Plan.demand` raises for a route that was asked for.
    """
    locked = deps.locked_to
    asked = Asked(
        capability=REASONING,
        route=locked or request.reasoner,
        kinds=frozenset({"text"}),
        failover=failover_for(REASONING, locked=locked is not None),
    )
    plan = deps.vision.plan(asked)
    if asked.route is not None:
        plan.demand()
    if locked is not None and request.reasoner is not None:
        first = plan.places[0].route
        if request.reasoner not in (first.id, first.label):
            raise EyesError(UPSTREAM_MODEL_LOCKED, f"Answers come from {first.id} only.")
    for name in plan.unknown.get("configured", ()):
        turn.note(f"vision.reasoning_route names no route: {clip(name, 200)}.")
    return plan


async def _evidence(
    request: AskRequest, subjects: tuple[Subject, ...], deps: AskDeps, turn: Turn
) -> tuple[EvidenceRecord, ...]:
    """Validated evidence of every picture; one that cannot be read ends the turn."""
    records: list[EvidenceRecord] = []
    for subject in subjects:
        record = _handed_in(request, subject)
        if record is None:
            with_pixels = await picture_of(subject, deps.vision)
            previous = records[-1].route.id if records else None
            record = await see(_work(request, with_pixels, previous), deps.vision)
            turn.book_record("base", record)
        if record.source.sha256 != subject.sha256:
            raise EyesError(VISION_STATE_MISMATCH, f"{subject.label} is not the picture that its evidence is about.")
        records.append(record)
        deps.vision.progress(len(records), len(subjects), "reading")
    return tuple(records)


def _handed_in(request: AskRequest, subject: Subject) -> EvidenceRecord | None:
    """The record that came with a picture, unless the request wants another reading."""
    record = subject.base
    if record is None or request.fresh:
        return None
    route = record.route
    same_route = request.route in (None, route.id, f"{route.provider}/{route.model}")
    same_frame = request.frame in (None, frame_of(record) or 0)
    return record if same_route and same_frame else None


def _work(request: AskRequest, subject: Subject, previous: str | None) -> Work:
    assert subject.data is not None
    base = Work(data=subject.data, label=subject.label, sha256=subject.sha256)
    return base._replace(
        route=request.route,
        base_route=previous if request.route is None else None,
        fresh=request.fresh,
        frame=request.frame,
        wait=request.wait,
    )


def how_to_add(plan: Plan) -> str:
    """The line that adds a reasoning model: a variable that a known route waits for, and an entry of one's own."""
    entry = (
        'routes.reasoner = { engine = "openai_chat", base_url = "http://127.0.0.1:8080/v1", model = "NAME", '
        'capabilities = ["text_to_text"] }'
    )
    waiting = (gone.route.key for gone in plan.excluded if gone.cause == "unconfigured")
    variable = next((key.env for key in waiting if key is not None), None)
    start = f"export {variable}=... adds a model; so does" if variable else "This adds a model:"
    return f"{start} one line at the top of config.toml: {entry}"
