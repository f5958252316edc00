"""The report: nothing hidden, nothing leaked, and the exit code says the same in every form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from deepseekeyes.contracts.doctor import DoctorReport
from deepseekeyes.contracts.examination import Examination, Finding, failed, ok, skipped, warning
from deepseekeyes.core.clock import Clock
from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.core.eventloop import loop_needed, run
from deepseekeyes.doctor.deps import DoctorDeps
from deepseekeyes.doctor.run import RunRequest
from deepseekeyes.doctor.run import run as doctor

GOOD = Examination("a.good", "a", lambda: ok("Seen."))
WARNED = Examination("a.warned", "a", lambda: warning("Odd.", "mend it"))
BROKEN = Examination("b.broken", "b", lambda: failed("Gone.", "bring it back"))
SKIPPED = Examination("b.skipped", "b", lambda: skipped("Not there."))
REFUSED = Code("SOMETHING_REFUSED", "input", "Type {what}.")


def report(*examinations: Examination, **request: Any) -> DoctorReport:
    ticks = iter(range(1000))
    clock = Clock(monotonic=lambda: next(ticks) / 4)
    return run(doctor(RunRequest(**request), DoctorDeps(examinations, clock)))


def lines(document: DoctorReport) -> list[tuple[str, str]]:
    return [(check.id, check.status) for check in document.checks]


def test_a_report_shows_every_check_with_what_was_seen_the_fix_and_the_cost() -> None:
    assert report(GOOD, BROKEN).to_json() == {
        "schema": "deepseekeyes.doctor.v1",
        "passed": False,
        "checks": [
            {"id": "a.good", "group": "a", "status": "ok", "seen": "Seen.", "fix": None, "costMs": 250},
            {
                "id": "b.broken",
                "group": "b",
                "status": "failed",
                "seen": "Gone.",
                "fix": "bring it back",
                "costMs": 250,
            },
        ],
    }


@pytest.mark.parametrize(
    ("examinations", "strict", "outcome"),
    [
        ((GOOD, SKIPPED), False, None),
        ((GOOD, SKIPPED), True, None),
        ((GOOD, WARNED), False, None),
        ((GOOD, WARNED), True, "verdict"),
        ((BROKEN,), False, "verdict"),
        ((BROKEN, WARNED), True, "verdict"),
        ((), False, None),
    ],
    ids=["ok", "ok-strict", "K01-warning", "K01-warning-strict", "K01-failed", "both", "nothing"],
)
def test_only_a_failed_check_fails_the_report_unless_it_is_strict(
    examinations: tuple[Examination, ...], strict: bool, outcome: str | None
) -> None:
    assert report(*examinations, strict=strict).outcome() == outcome


@pytest.mark.parametrize("form", ["json", "text"])
def test_k05_the_exit_code_does_not_depend_on_the_form(form: str) -> None:
    from deepseekeyes.cli.exits import exit_code

    document = report(GOOD, BROKEN)
    assert document.to_json()["passed"] is False
    assert exit_code(document) == 1
    assert exit_code(report(GOOD, WARNED)) == 0


def test_only_runs_one_group() -> None:
    assert lines(report(GOOD, WARNED, BROKEN, only="b")) == [("b.broken", "failed")]
    ran: list[str] = []
    other = Examination("c.side", "c", lambda: ok(ran.append("c") or ""))
    report(other, GOOD, only="a")
    assert ran == []


def test_an_unknown_group_is_refused_with_the_groups_there_are() -> None:
    with pytest.raises(EyesError) as caught:
        report(Examination("config.valid", "config", lambda: ok("")), GOOD, only="confg")
    assert (caught.value.code.name, caught.value.kind) == ("DOCTOR_GROUP_UNKNOWN", "input")
    assert caught.value.details["candidates"] == ["config"]
    assert "config, a" in caught.value.hint


def test_a_deep_check_runs_only_when_asked_for() -> None:
    ran: list[str] = []

    def look() -> Finding:
        ran.append("x")
        return ok("Asked.")

    deep = Examination("a.deep", "a", look, deep=True)
    assert lines(report(deep)) == [("a.deep", "skipped")]
    assert ran == []
    assert lines(report(deep, deep=True)) == [("a.deep", "ok")]


def test_a_check_may_wait() -> None:
    async def slow() -> Finding:
        await loop_needed()
        import asyncio

        await asyncio.sleep(0)
        return ok("Waited.")

    assert lines(report(Examination("a.slow", "a", slow), GOOD)) == [("a.slow", "ok"), ("a.good", "ok")]


def raising(error: BaseException) -> Callable[[], Finding]:
    def look() -> Finding:
        raise error

    return look


SECRET = "9f8e7d6c5b4a-odd-shape"


@pytest.mark.parametrize(
    "error",
    [
        ValueError(f"login with {SECRET} failed"),
        RuntimeError(f"https://user:{SECRET}@example.invalid/?token={SECRET}"),
        OSError(5, SECRET),
        EyesError(REFUSED, f"The endpoint said {SECRET}.", what=SECRET),
        KeyError(SECRET),
    ],
    ids=lambda error: f"K03-{type(error).__name__}",
)
def test_k03_a_check_that_raises_becomes_a_failed_line_without_the_secret(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXAMPLE_API_KEY", SECRET)
    document = report(Examination("a.raises", "a", raising(error)), GOOD)
    assert lines(document) == [("a.raises", "failed"), ("a.good", "ok")]
    assert SECRET not in str(document.to_json())


def test_k03_a_check_that_reports_a_secret_is_redacted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXAMPLE_API_KEY", SECRET)
    document = report(Examination("a.tells", "a", lambda: warning(f"Saw {SECRET}.", f"export KEY={SECRET}")))
    assert SECRET not in str(document.to_json())


def test_a_line_to_type_keeps_the_name_of_its_variable_while_its_value_never_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EXAMPLE_API_KEY", SECRET)
    lost = report(Examination("a.tells", "a", lambda: warning(f"Saw {SECRET}.", "export EXAMPLE_API_KEY=..."))).checks
    told = report(Examination("a.tells", "a", lambda: warning("x", f"export EXAMPLE_API_KEY={SECRET}"))).checks
    assert [check.fix for check in (*lost, *told)] == [
        "export EXAMPLE_API_KEY=...",
        "export EXAMPLE_API_KEY=[REDACTED]",
    ]


def test_an_error_of_ours_brings_its_code_and_hint() -> None:
    error = EyesError(REFUSED, "It was refused.", what="this")
    (check,) = report(Examination("a.x", "a", raising(error))).checks
    assert (check.seen, check.fix) == ("SOMETHING_REFUSED: It was refused.", "Type this.")


def test_an_interrupt_is_not_a_finding() -> None:
    with pytest.raises(KeyboardInterrupt):
        report(Examination("a.x", "a", raising(KeyboardInterrupt())))
