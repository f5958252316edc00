"""What a walk that served nothing says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from deepseekeyes.contracts.attempt import Attempt
from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.core.errors import Details, EyesError
from deepseekeyes.core.redact import surface
from deepseekeyes.routing import codes
from deepseekeyes.routing.capabilities import EYE
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.plan import Plan


@dataclass(frozen=True, slots=True)
class Failed:
    """One failed attempt: the code on record, the failure as ours, and the exception as it came."""

    route: Route
    code: str
    error: EyesError
    cause: Exception


def failure(
    plan: Plan,
    failed: Sequence[Failed],
    *,
    attempts: Sequence[Attempt],
    usage: TokenUsage,
    untried: int,
    resting: int,
    retry_after_s: float | None,
) -> Exception:
    """The exception that ends a walk: the only failure as it was, else the chain of all of them."""
    details = _details(attempts, usage, retry_after_s)
    if not failed:
        return EyesError(codes.ROUTES_COOLING, _resting_text(plan, resting, retry_after_s), details=details)
    budget = plan.asked.attempt_budget
    if untried and budget is not None:
        setting = "vision.failover_attempts" if plan.capability == EYE else None
        details["limit"] = {"name": "attempt_budget", "value": budget, "setting": setting}
    if len(failed) == 1:
        only = failed[0]
        if only.error is not only.cause:
            return only.cause
        only.error.details.update(details)
        return only.error
    code = codes.VISION_FAILOVER_EXHAUSTED if plan.capability == EYE else codes.ROUTES_EXHAUSTED
    ended = EyesError(code, _chain_text(failed, untried, resting), details=details)
    ended.__cause__ = failed[-1].cause
    return ended


def unresolved(error: EyesError, route: Route, attempts: Sequence[Attempt], usage: TokenUsage) -> EyesError:
    """Work that may or may not have been done: never tried again by itself."""
    details = _details(attempts, usage, None)
    details["dispatched"] = "unknown"
    return EyesError(
        codes.INVOCATION_UNRESOLVED,
        f"The answer of {route.label} was lost after the work was submitted [{error.code.name}].",
        details=details,
    )


def _details(attempts: Sequence[Attempt], usage: TokenUsage, retry_after_s: float | None) -> Details:
    details: Details = {
        "attempts": [one.model_dump(mode="json", by_alias=True) for one in attempts],
        "usage": usage.model_dump(mode="json", by_alias=True),
    }
    if retry_after_s is not None:
        details["retryAfterSeconds"] = math.ceil(retry_after_s * 1000) / 1000
    return details


def _resting_text(plan: Plan, resting: int, retry_after_s: float | None) -> str:
    wait = f"; the first returns in {math.ceil(retry_after_s)} seconds" if retry_after_s is not None else ""
    many = "The only route" if resting == 1 else f"All {resting} routes"
    return f"{many} for {plan.capability} rest{'s' if resting == 1 else ''}{wait}."


def _chain_text(failed: Sequence[Failed], untried: int, resting: int) -> str:
    chain = " -> ".join(f"{one.route.label} [{one.code}]" for one in failed)
    rest = f" {resting} more rest." if resting else ""
    left = f" {untried} more were not tried because the attempt budget was spent." if untried else ""
    return f"{len(failed)} routes failed: {chain}.{rest}{left} Last: {surface(str(failed[-1].cause))}"
