"""Takes one route up the ladder: asks, judges, and tells a dropped picture from a bad eye."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from deepseekeyes.contracts.probe import RungName, RungResult
from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.evidence.codes import INVALID_MODEL_OUTPUT
from deepseekeyes.imaging import challenge_art
from deepseekeyes.probe import codes, ladder, place
from deepseekeyes.probe.deps import ProbeDeps
from deepseekeyes.probe.order import SIGHT, SIGHT_WITHOUT_PROMPT
from deepseekeyes.probe.rung import Challenge, Grade
from deepseekeyes.routing.ask import ask
from deepseekeyes.routing.capabilities import EYE
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.codes import NO_ANSWER, VISION_OUTPUT_TRUNCATED
from deepseekeyes.routing.ports import Engine, EngineReply, EngineRequest, Message, Picture
from deepseekeyes.routing.tally import Tally, usage_of

PNG = "image/png"
_CUT = (NO_ANSWER.name, VISION_OUTPUT_TRUNCATED.name)
_CUT_SHORT = "the answer was cut at its token budget"
_BLIND_BUDGET = 64


@dataclass(slots=True)
class Climb:
    """One route on the ladder, and what was found so far.

    Attributes:
        picture_tokens: input tokens that the picture of the sight rung cost; known only when that was measured.
        tally: tokens of every call, failed ones included.
    """

    route: Route
    deps: ProbeDeps
    seed: int
    results: list[RungResult] = field(default_factory=list)
    picture_tokens: int | None = None
    tally: Tally = field(default_factory=Tally)

    async def rung(self, name: RungName) -> RungResult:
        """One rung: the question, the judgement, and where sight failed, whether the picture arrived at all."""
        started, at, earlier = self.deps.clock.monotonic(), rfc3339(self.deps.clock.now()), self.tally.usage
        self.tally.usage = TokenUsage()
        try:
            challenge = ladder.challenge(name, self.seed, max_side=longest_side(self.route))
            engine = self.deps.engine_for(self.route)
            request = self._request(challenge)
            reply = await self._asked(engine, request)
            grade = self._judged(challenge, reply)
            if name == SIGHT and not grade.passed and reply.document is None:
                grade = await self._told_apart(engine, request, reply, grade)
            spent = self.tally.usage
        finally:
            self.tally.usage = earlier + self.tally.usage
        return RungResult(
            rung=name,
            status="passed" if grade.passed else "failed",
            seed=self.seed,
            at=at,
            score=round(grade.score, 6),
            guess_probability=challenge.guess_probability,
            code=None if grade.code is None else grade.code.name,
            evidence=reply.document is not None,
            duration_ms=self.deps.clock.milliseconds_since(started),
            usage=spent,
            details=grade.details,
        )

    def skipped(self, name: RungName, code: str | None) -> RungResult:
        """A rung that was not run; `code` is the failure that kept it from being run, None where there was no need."""
        return RungResult(
            rung=name,
            status="skipped",
            seed=self.seed,
            at=rfc3339(self.deps.clock.now()),
            guess_probability=ladder.guess_probability(name),
            code=code,
        )

    def _request(self, challenge: Challenge) -> EngineRequest:
        return EngineRequest(
            capability=EYE,
            messages=(Message("user", challenge.prompt, (_picture(self.route, challenge),)),),
            max_tokens=self.deps.settings.max_tokens,
            temperature=0.0,
            variant="base",
        )

    async def _asked(self, engine: Engine, request: EngineRequest) -> EngineReply:
        """The answer; an empty one when the model spent twice its budget without giving any."""
        try:
            return await ask(engine, self.route, request, tally=self.tally, clock=self.deps.clock)
        except EyesError as error:
            if error.code.name not in _CUT:
                raise
            return EngineReply(finish="max-tokens", usage=usage_of(error))

    def _judged(self, challenge: Challenge, reply: EngineReply) -> Grade:
        side = longest_side(self.route)
        if reply.document is not None:
            return ladder.grade_evidence(challenge.rung, self.seed, reply.document, max_side=side)
        if reply.finish == "max-tokens" and not reply.text:
            return Grade(passed=False, score=0.0, code=INVALID_MODEL_OUTPUT, details={"problem": _CUT_SHORT})
        limit = self.deps.settings.max_answer_chars
        return ladder.grade(challenge.rung, self.seed, reply.text, max_side=side, limit=limit)

    async def _told_apart(self, engine: Engine, request: EngineRequest, reply: EngineReply, grade: Grade) -> Grade:
        """Ask the same question without the picture: equal input tokens mean that the picture never arrived."""
        cost = reply.usage.image_tokens or await self._difference(engine, request, reply)
        if cost is None:
            return grade
        self.picture_tokens = cost
        dropped = cost < self.deps.settings.min_picture_tokens
        details = {**grade.details, "pictureTokens": cost}
        return replace(grade, code=codes.IMAGE_NOT_CONSUMED if dropped else grade.code, details=details)

    async def _difference(self, engine: Engine, request: EngineRequest, reply: EngineReply) -> int | None:
        """Input tokens with the picture less those without it; None where the endpoint does not report them."""
        seen = _input_tokens(reply.usage)
        if seen is None:
            return None
        bare = tuple(replace(message, pictures=()) for message in request.messages)
        try:
            blind = await engine.run(self.route, replace(request, messages=bare, max_tokens=_BLIND_BUDGET))
        except EyesError as error:
            self.tally.add_failed(error)
            return None
        self.tally.add(blind.usage)
        unseen = _input_tokens(blind.usage)
        return None if unseen is None else max(0, seen - unseen)


async def climb(route: Route, rungs: Sequence[RungName], seed: int, deps: ProbeDeps, *, whole: bool) -> Climb:
    """Run rungs on a route, in order.

    An eye that returns evidence and does not name the colours is asked for `text` next, the twin of `grid`, which then
    counts as `skipped`. On a climb of the whole ladder a route that sees nothing is not asked further: the rungs left
    are `skipped`.

    Raises:
        EyesError: what the engine raised on the first rung, with the usage spent in `details`. Later failures of the
            engine skip their rung and keep what was proved.
    """
    made = Climb(route, deps, seed)
    left = list(rungs)
    while left:
        name = left.pop(0)
        try:
            made.results.append(await made.rung(name))
        except EyesError as error:
            if not made.results:
                error.details["usage"] = made.tally.usage.model_dump(mode="json", by_alias=True)
                raise
            made.results.append(made.skipped(name, error.code.name))
        left = _next(made, left, whole=whole)
    return made


def _next(made: Climb, left: list[RungName], *, whole: bool) -> list[RungName]:
    last = made.results[-1]
    if last.rung != SIGHT or last.status != "failed":
        return left
    if last.evidence:
        made.results[-1] = last.model_copy(update={"status": "skipped", "code": None})
        return [SIGHT_WITHOUT_PROMPT, *(name for name in left if name != SIGHT_WITHOUT_PROMPT)]
    if whole:
        made.results += [made.skipped(name, None) for name in left]
        return []
    return left


def longest_side(route: Route) -> int | None:
    """The longest side in pixels that a challenge may have on a route; None when it declares no bound."""
    limits = route.limits
    sides = [limits.max_side] if limits.max_side is not None else []
    if limits.max_pixels is not None:
        sides.append(int((limits.max_pixels * place.LONG / place.SHORT) ** 0.5))
    return min(sides, default=None)


def _input_tokens(usage: TokenUsage) -> int | None:
    if usage.input_tokens is None:
        return None
    return usage.input_tokens + (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)


def _picture(route: Route, challenge: Challenge) -> Picture:
    formats = route.limits.formats
    media_type = PNG if PNG in formats else formats[0]
    data = challenge.png if media_type == PNG else challenge_art.encoded_as(challenge.png, media_type)
    return Picture(data, media_type, challenge.width, challenge.height, hashlib.sha256(data).hexdigest())
