"""Check what works here: every line says what was really seen, and what to type where it does not work."""

from __future__ import annotations

from collections.abc import Sequence

from deepseekeyes.contracts.check import Check
from deepseekeyes.contracts.doctor import DoctorReport
from deepseekeyes.contracts.examination import Examination, Finding, failed, skipped
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import surface
from deepseekeyes.doctor.codes import DOCTOR_GROUP_UNKNOWN
from deepseekeyes.doctor.deps import DoctorDeps


class RunRequest(Contract):
    """`only` names a group, `deep` adds what costs time or a connection, `strict` makes warnings fail."""

    deep: bool = False
    only: str | None = None
    strict: bool = False


async def run(request: RunRequest, deps: DoctorDeps) -> DoctorReport:
    """Run the examinations one after the other; a failing one never keeps the others from running.

    Raises:
        EyesError: DOCTOR_GROUP_UNKNOWN naming the groups there are.
    """
    checks = [await _examined(item, request, deps) for item in _chosen(request.only, deps.examinations)]
    bad = {"failed", "warning"} if request.strict else {"failed"}
    return DoctorReport(passed=not any(check.status in bad for check in checks), checks=tuple(checks))


def _chosen(only: str | None, examinations: Sequence[Examination]) -> list[Examination]:
    if only is None:
        return list(examinations)
    found = [item for item in examinations if item.group == only]
    if found:
        return found
    from deepseekeyes.core.names import nearest

    groups = list(dict.fromkeys(item.group for item in examinations))
    meant = nearest(only, groups)
    raise EyesError(
        DOCTOR_GROUP_UNKNOWN,
        f"There is no group of checks called {only!r}" + (f"; did you mean {meant}?" if meant else "."),
        details={"candidates": [meant] if meant else groups},
        groups=", ".join(groups),
    )


async def _examined(item: Examination, request: RunRequest, deps: DoctorDeps) -> Check:
    if item.deep and not request.deep:
        found = skipped("Not looked at without --deep.", "deepseekeyes doctor --deep")
        return _check(item, found, 0)
    started = deps.clock.monotonic()
    found = await _found(item)
    return _check(item, found, deps.clock.milliseconds_since(started))


async def _found(item: Examination) -> Finding:
    try:
        answer = item.run()
        return answer if isinstance(answer, Finding) else await answer
    except EyesError as error:
        return failed(f"{error.code.name}: {error.message}", error.hint)
    except Exception as bug:  # noqa: BLE001 - one broken check must not hide what the others see
        said = surface(bug)
        return failed(f"The check itself broke: {type(bug).__name__}" + (f": {said}" if said else ""), _REPORT)


_REPORT = "Report this as a bug, with the output of `deepseekeyes doctor --json`."


def _check(item: Examination, found: Finding, cost_ms: int) -> Check:
    return Check(
        id=item.id,
        group=item.group,
        status=found.status,
        seen=surface(found.seen, 1000),
        fix=None if found.fix is None else surface(found.fix),
        cost_ms=cost_ms,
    )
