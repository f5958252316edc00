"""How well an eye reads: a suite of pictures with known truth, read for real and held to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import Field

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.eval import (
    AssertionCounts,
    CaseStatus,
    EvalCase,
    EvalCaseResult,
    EvalReport,
    EvalRoute,
    EvalSuite,
    EvalSuiteIdentity,
)
from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.imaging.inputs import Loaded
from deepseekeyes.routing.tally import usage_of
from deepseekeyes.vision import scoring
from deepseekeyes.vision.codes import EVAL_CATEGORY_UNKNOWN, EVAL_PICTURE_CHANGED
from deepseekeyes.vision.see import see
from deepseekeyes.vision.stored import planned
from deepseekeyes.vision.work import Work

if TYPE_CHECKING:
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.vision.deps import VisionDeps


class EvalRequest(Contract):
    """What to examine.

    Attributes:
        suite: a suite's file or its folder; the suite that comes with the package when absent.
        route: an id or `provider/model`; the first eye of the plan when absent. No other route ever steps in.
        min_accuracy: share of assertions that must hold; below it the verdict is no.
        only: categories to run; all when empty.
    """

    suite: str | None = Field(default=None, min_length=1)
    route: str | None = Field(default=None, min_length=1, max_length=1024)
    min_accuracy: float | None = Field(default=None, ge=0, le=1)
    only: tuple[str, ...] = Field(default=(), max_length=64)


@dataclass(frozen=True, slots=True)
class FoundSuite:
    """A suite with the digest of its file and the way to its pictures' bytes."""

    suite: EvalSuite
    sha256: str
    picture: Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class EvalDeps:
    """What an evaluation touches.

    Attributes:
        vision: a way to evidence whose stores are empty and forgotten afterwards, so that nothing is answered from
            the cache and no picture of the suite stays behind.
        suite: finds a suite by its name, or the one that comes with the package.
    """

    vision: VisionDeps
    suite: Callable[[str | None], FoundSuite]


async def evaluate(request: EvalRequest, deps: EvalDeps) -> EvalReport:
    """Read every picture once on one route, one after the other, and judge what comes back.

    The route is proved before the clock starts. An eye in this process reads the first picture once more beforehand,
    so that loading its networks is nobody's latency.

    Raises:
        EyesError: `EVAL_SUITE_INVALID`, `EVAL_CATEGORY_UNKNOWN`, `EVAL_PICTURE_CHANGED`, what plan and probe raise.
    """
    found = deps.suite(request.suite)
    cases = _chosen(found.suite, request.only)
    route, vision = _pinned(request.route, deps.vision)
    await vision.verifier().verify(route)
    if route.in_process:
        await _judged(cases[0], found, vision)
    started, results = vision.clock.monotonic(), []
    first_error: EyesError | None = None
    for case in cases:
        result, error = await _judged(case, found, vision)
        results.append(result)
        first_error = first_error or error
        vision.progress(len(results), len(cases), "evaluating")
    counts = scoring.counts(results)
    accuracy = scoring.accuracy(counts)
    read = sum(result.status == "read" for result in results)
    usage = sum((result.usage for result in results), TokenUsage())
    answered = any(result.status != "failed" for result in results)
    return EvalReport(
        suite=EvalSuiteIdentity(
            name=found.suite.name, version=found.suite.version, sha256=found.sha256, only=request.only
        ),
        route=EvalRoute(id=route.id, provider=route.provider, engine=route.engine, model=route.model),
        at=rfc3339(vision.clock.now()),
        duration_ms=vision.clock.milliseconds_since(started),
        accuracy=accuracy,
        min_accuracy=request.min_accuracy,
        passed=None if request.min_accuracy is None else accuracy >= request.min_accuracy,
        validity=round(read / len(results), 4),
        total=len(results),
        cases_passed=scoring.flawless(results),
        assertions=counts,
        latency_ms=scoring.latency(results),
        usage=usage,
        tokens_per_case=round(usage.total / len(results), 1) if usage.total else None,
        categories=scoring.categories(results),
        cases=tuple(results),
        error=None if answered or first_error is None else ErrorBody.of(first_error),
        persistence=vision.persistence(),
    )


def _chosen(suite: EvalSuite, only: Sequence[str]) -> list[EvalCase]:
    known = sorted({case.category for case in suite.cases})
    foreign = next((name for name in only if name not in known), None)
    if foreign is not None:
        raise EyesError(
            EVAL_CATEGORY_UNKNOWN,
            f"The suite has no category called {foreign[:64]!r}.",
            details={"candidates": known},
            known=", ".join(known),
        )
    return [case for case in suite.cases if not only or case.category in only]


def _pinned(asked: str | None, vision: VisionDeps) -> tuple[Route, VisionDeps]:
    """The route to examine, and deps whose plan holds nothing else: what another route says must not count for it."""
    whole = planned(Work(data=b"", label="", sha256="", route=asked), vision).demand()
    alone = whole._replace(places=whole.places[:1])
    return alone.places[0].route, vision._replace(plan=lambda _: alone)


async def _judged(case: EvalCase, found: FoundSuite, vision: VisionDeps) -> tuple[EvalCaseResult, EyesError | None]:
    """One picture. Only an answer that keeps the contract is held to the assertions."""
    data = found.picture(case.image)
    work = Work.of(Loaded(data, case.image))
    if work.sha256 != case.sha256:
        raise EyesError(EVAL_PICTURE_CHANGED, f"The picture {case.image} is not the one the suite was made with.")
    total = len(case.assertions)
    try:
        record = await see(work._replace(fresh=True, operation="eval"), vision)
    except EyesError as error:
        status: CaseStatus = "unparsed" if error.kind == "contract" else "failed"
        counts = AssertionCounts(total=total, passed=0, missed=0, unparsed=0, failed=0).model_copy(
            update={status: total}
        )
        result = _result(case, status, counts)
        return result.model_copy(update={"code": error.code.name, "usage": usage_of(error)}), error
    missed = scoring.misses(case.assertions, record.evidence)
    counts = AssertionCounts(total=total, passed=total - len(missed), missed=len(missed), unparsed=0, failed=0)
    assert record.run is not None
    read = {
        "misses": missed,
        "repairs": len(record.repairs),
        "latency_ms": record.run.duration_ms,
        "usage": record.run.usage,
    }
    return _result(case, "read", counts).model_copy(update=read), None


def _result(case: EvalCase, status: CaseStatus, counts: AssertionCounts) -> EvalCaseResult:
    return EvalCaseResult(
        id=case.id,
        category=case.category,
        image=case.image,
        image_sha256=case.sha256,
        status=status,
        assertions=counts,
    )
