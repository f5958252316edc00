"""Proves a route once for all processes, remembers the verdict, and tells the router."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from deepseekeyes.contracts.probe import ProbeVerdict, RungName, Sight, Verification
from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.codes import LOCK_TIMEOUT
from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.core.lock import locked
from deepseekeyes.evidence.codes import INVALID_MODEL_OUTPUT
from deepseekeyes.probe import codes
from deepseekeyes.probe.deps import ProbeDeps
from deepseekeyes.probe.order import SEEDS, SIGHT
from deepseekeyes.routing.catalog import Route

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.02, 0.5
Known = Literal["probed", "failed", "unprobed"]
_STATUS: dict[Sight, Known] = {"passed": "probed", "failed": "failed", "unknown": "unprobed"}
_REASONS: dict[str, Code] = {
    code.name: code for code in (codes.VISION_PROBE_FAILED, codes.IMAGE_NOT_CONSUMED, INVALID_MODEL_OUTPUT)
}


@dataclass(frozen=True, slots=True)
class Proof:
    """A verdict and what this caller spent on it: nothing when another one had just made it."""

    verdict: ProbeVerdict
    usage: TokenUsage
    shared: bool


async def prove(
    route: Route,
    rungs: Sequence[RungName],
    deps: ProbeDeps,
    *,
    seed: int | None = None,
    whole: bool = False,
    reuse: Callable[[ProbeVerdict], bool],
) -> Proof:
    """Run rungs on a route, one caller at a time over all processes.

    Args:
        route: the route to prove.
        rungs: which, in order.
        deps: see `ProbeDeps`.
        seed: of the challenges; a random one when None.
        whole: stop after the sight rung when it shows a blind route.
        reuse: whether a stored verdict that holds is good enough; asked once it is this caller's turn.

    Raises:
        EyesError: `PROBE_BUSY`; what the engine or the store raised.
    """
    from deepseekeyes.probe.climb import climb

    await loop_needed()
    async with _turn(route, deps):
        stored = deps.verdicts.current(route)
        if stored is not None and reuse(stored):
            return Proof(stored, TokenUsage(), shared=True)
        chosen = deps.clock.randbelow(SEEDS) if seed is None else seed
        made = await climb(route, rungs, chosen, deps, whole=whole)
        verdict = deps.verdicts.add(route, made.results, made.tally.usage, made.picture_tokens)
        return Proof(verdict, made.tally.usage, shared=False)


@dataclass(frozen=True, slots=True)
class Verifier:
    """Fills the `RouteVerifier` seam."""

    deps: ProbeDeps

    def known(self, route: Route) -> Verification | None:
        """What is stored about a route, without asking it; None when nothing is.

        The convention found for a configuration outlives the proof of sight.
        """
        verdict = self.deps.verdicts.remembered(route)
        if verdict is None:
            return None
        holds = self.deps.verdicts.state(verdict, route) == "valid"
        return _verification(verdict, TokenUsage(), _STATUS[verdict.sight] if holds else "unprobed")

    async def verify(self, route: Route) -> Verification:
        """Prove a route before its first evidence; free while an earlier verdict holds, failed ones included.

        Raises:
            EyesError: `VISION_PROBE_FAILED`, `INVALID_MODEL_OUTPUT` or `IMAGE_NOT_CONSUMED`, with the usage of this
                call in `details`; `PROBE_BUSY`; what the engine raised.
        """
        rungs = self._rungs(route)
        if not self.deps.enabled:
            found = self.deps.verdicts.remembered(route)
            return Verification(status="disabled", convention=None if found is None else found.convention)
        stored = self.deps.verdicts.current(route)
        if stored is not None and _settled(stored, rungs):
            proof = Proof(stored, TokenUsage(), shared=True)
        else:
            proof = await prove(route, rungs, self.deps, whole=True, reuse=lambda verdict: _settled(verdict, rungs))
        if proof.verdict.sight == "passed":
            return _verification(proof.verdict, proof.usage, "probed")
        raise _failure(proof)

    def _rungs(self, route: Route) -> tuple[RungName, ...]:
        calibrate = self.deps.settings.calibrate and route.coordinates is None
        return (SIGHT, "place") if calibrate else (SIGHT,)


def _settled(verdict: ProbeVerdict, rungs: Sequence[RungName]) -> bool:
    """Whether a verdict answers the router: sight is known, and a route that sees has run what is asked."""
    run = {result.rung for result in verdict.rungs}
    return verdict.sight == "failed" or (verdict.sight == "passed" and run >= set(rungs))


def _verification(verdict: ProbeVerdict, usage: TokenUsage, status: Known) -> Verification:
    return Verification(
        status=status,
        rungs=verdict.rungs,
        convention=verdict.convention,
        code=verdict.code,
        at=verdict.at,
        expires_at=verdict.expires_at,
        usage=usage,
    )


def _failure(proof: Proof) -> EyesError:
    verdict = proof.verdict
    code = _REASONS.get(verdict.code or "", codes.VISION_PROBE_FAILED)
    said = {
        codes.IMAGE_NOT_CONSUMED.name: "did not take in the probe picture: its input tokens are the same without it",
        INVALID_MODEL_OUTPUT.name: "did not answer the probe picture with the JSON object it was asked for",
    }.get(code.name, "did not name what the probe picture shows")
    message = f"Route {verdict.route} {said} (probed {verdict.at}, holds until {verdict.expires_at})."
    return EyesError(code, message, details={"usage": proof.usage.model_dump(mode="json", by_alias=True)})


@asynccontextmanager
async def _turn(route: Route, deps: ProbeDeps) -> AsyncIterator[None]:
    """Hold the lock of a route without blocking the event loop."""
    if deps.lock_dir is None:
        yield
        return
    import asyncio

    path = deps.lock_dir / f"probe-{hashlib.sha256(route.id.encode()).hexdigest()[:16]}.lock"
    until, pause = deps.clock.monotonic() + deps.settings.wait_s, _FIRST_PAUSE_S
    with ExitStack() as held:
        while not _taken(held, path):
            if deps.clock.monotonic() >= until:
                raise _busy(route, deps.settings.wait_s)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)
        yield


def _taken(held: ExitStack, path: Path) -> bool:
    try:
        held.enter_context(locked(path, timeout_s=0))
    except EyesError as error:
        if error.code.name != LOCK_TIMEOUT.name:
            raise
        return False
    return True


def _busy(route: Route, wait_s: int) -> EyesError:
    return EyesError(
        codes.PROBE_BUSY,
        f"Route {route.id} was still being probed by another process after {wait_s} s.",
        details={"limit": {"name": "wait for another probe, seconds", "value": wait_s, "setting": "probe.wait_s"}},
    )
