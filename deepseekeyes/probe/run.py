"""`probe run`: prove routes now."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.probe import ProbeOutcome, ProbeReport, ProbeVerdict, RungName, RungResult
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.names import nearest
from deepseekeyes.probe import codes
from deepseekeyes.probe.deps import ProbeDeps
from deepseekeyes.probe.order import ORDER, SEEDS, SIGHT, SIGHT_WITHOUT_PROMPT
from deepseekeyes.probe.verdicts import all_passed
from deepseekeyes.probe.verifier import prove
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.codes import ROUTE_NOT_FOUND


class RunRequest(Contract):
    """Which routes (ids or `provider/model`; the first of the plan when none), which rungs (all when none)."""

    routes: tuple[str, ...] = ()
    every: bool = Field(default=False, alias="all")
    rungs: tuple[RungName, ...] = ()
    seed: int | None = Field(default=None, ge=0, lt=SEEDS)


async def run(request: RunRequest, deps: ProbeDeps) -> ProbeReport:
    """Run the ladder on routes, one after another, and store the verdicts.

    A route that sees nothing is not asked the other rungs unless they were named. Without a seed a verdict that another
    process stored while this one waited for its turn is taken as the answer.

    Raises:
        EyesError: `ROUTE_NOT_FOUND`, `PROBE_NO_ROUTE`. Failures of a route are in its item.
    """
    items = [await _outcome(route, request, deps) for route in chosen(request, deps)]
    return ProbeReport(passed=all(item.passed for item in items), items=tuple(items))


def chosen(request: RunRequest, deps: ProbeDeps) -> tuple[Route, ...]:
    """The routes of a request, each once."""
    if request.every:
        picked = [eye for eye in deps.eyes if eye.enabled]
    elif request.routes:
        picked = [eye for name in request.routes for eye in named(name, deps.eyes)]
    else:
        picked = [eye for eye in deps.eyes if eye.enabled][:1]
    if not picked:
        raise EyesError(codes.PROBE_NO_ROUTE, "No enabled route declares image_to_evidence.")
    return tuple({eye.id: eye for eye in picked}.values())


def named(name: str, eyes: tuple[Route, ...]) -> tuple[Route, ...]:
    """The eyes that a name means: an id, else every one with this `provider/model`.

    Raises:
        EyesError: `ROUTE_NOT_FOUND`.
    """
    found = tuple(eye for eye in eyes if eye.id == name) or tuple(eye for eye in eyes if eye.label == name)
    if found:
        return found
    known = sorted(eye.id for eye in eyes)
    guess = nearest(name, known)
    raise EyesError(
        ROUTE_NOT_FOUND,
        f"No route with image_to_evidence is called {name!r}." + (f" Did you mean {guess}?" if guess else ""),
        details={"candidates": known[:20]},
    )


async def _outcome(route: Route, request: RunRequest, deps: ProbeDeps) -> ProbeOutcome:
    rungs = request.rungs or ORDER
    began = rfc3339(deps.clock.now())

    def fresh(verdict: ProbeVerdict) -> bool:
        covered = {result.rung for result in verdict.rungs if result.at >= began} >= set(rungs)
        return request.seed is None and covered

    try:
        proof = await prove(route, rungs, deps, seed=request.seed, whole=not request.rungs, reuse=fresh)
    except EyesError as error:
        return ProbeOutcome(route=route.id, error=ErrorBody.of(error))
    asked = [result for result in proof.verdict.rungs if result.rung in rungs or _is_twin(result, rungs)]
    return ProbeOutcome(route=route.id, verdict=proof.verdict, passed=all_passed(asked), shared=proof.shared)


def _is_twin(result: RungResult, rungs: tuple[RungName, ...]) -> bool:
    """Whether a result stands for `grid` at an eye without a prompt."""
    return SIGHT in rungs and result.rung == SIGHT_WITHOUT_PROMPT and result.evidence
