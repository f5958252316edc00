"""Whether a stored run is as it was written: chain, screenshots, report. Pure but for the reader it is given."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from deepseekeyes.automation.report import UNHASHED
from deepseekeyes.automation.runlog import SCHEMA
from deepseekeyes.contracts.automation import ChainProblem, ReportVerification
from deepseekeyes.core.canonical import digest
from deepseekeyes.core.errors import EyesError

MOST_PROBLEMS = 100

Row = Mapping[str, Any]
Picture = Callable[[str], bytes | None]


def verify(lines: bytes | None, report: Row | None, picture: Picture | None) -> ReportVerification:
    """Check a run again.

    The chain shows that no line was changed, left out, put in or moved since the report's head was told; a run that
    was rewritten as a whole can only be told by comparing that head with one kept elsewhere.

    Args:
        lines: the content of `steps.jsonl`; None to check the steps inside the report.
        report: the report document, if there is one.
        picture: reads a screenshot by its hash; None leaves them unchecked.
    """
    problems: list[ChainProblem] = []
    head: Row | None = None
    first: str | None
    if lines is not None:
        rows, problems = _parsed(lines)
        if rows and rows[0].get("schema") == SCHEMA:
            head, rows = rows[0], rows[1:]
            problems += _digest("steps.jsonl:1", head, "headSha256")
        elif not problems:
            problems.append(_problem("steps.jsonl:1", "format", "The first line does not name the run."))
        first = str((head or {}).get("headSha256"))
    else:
        rows = [row for row in (report or {}).get("steps") or () if isinstance(row, dict)]
        first = str(_in(report, "chain", "first")) if not (report or {}).get("truncated") else None
    problems += _chain(rows, first, offset=2 if lines is not None else 1, where="steps.jsonl" if lines else "report")
    if report is not None:
        problems += _report(report, rows, head if lines is not None else None, stored=lines is not None)
    shots = _screenshots(rows)
    if picture is not None:
        problems += _pictures(shots, picture)
    run_id = (head or report or {}).get("runId")
    return ReportVerification(
        passed=not problems,
        run_id=run_id if isinstance(run_id, str) else None,
        steps=len(rows),
        screenshots=len(shots),
        problems=tuple(problems[:MOST_PROBLEMS]),
    )


def _parsed(lines: bytes) -> tuple[list[Row], list[ChainProblem]]:
    rows: list[Row] = []
    problems: list[ChainProblem] = []
    *whole, torn = lines.split(b"\n")
    for number, line in enumerate(whole, 1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict):
            rows.append(row)
        else:
            problems.append(_problem(f"steps.jsonl:{number}", "format", "The line is no JSON object."))
    if torn:
        problems.append(_problem(f"steps.jsonl:{len(whole) + 1}", "torn", "The last line was not written to its end."))
    return rows, problems


def _chain(rows: Sequence[Row], first: str | None, *, offset: int, where: str) -> Iterator[ChainProblem]:
    previous = first
    for place, row in enumerate(rows):
        at = f"{where}:{place + offset}"
        yield from _digest(at, row, "stepSha256")
        if previous is not None and row.get("previousSha256") != previous:
            yield _problem(at, "chain", "The step does not follow the one before it.")
        if first is not None and row.get("index") != place + 1:
            yield _problem(at, "chain", f"The step has number {row.get('index')} in place {place + 1}.")
        previous = str(row.get("stepSha256"))


def _digest(where: str, row: Row, name: str, left_out: Sequence[str] = ()) -> Iterator[ChainProblem]:
    content = {key: value for key, value in row.items() if key != name and key not in left_out}
    try:
        found = digest(content)
    except EyesError:
        found = None
    if found != row.get(name):
        yield _problem(where, "digest", "The content does not match its digest: it was changed.")


def _report(report: Row, rows: Sequence[Row], head: Row | None, *, stored: bool) -> Iterator[ChainProblem]:
    yield from _digest("report", report, "reportSha256", UNHASHED)
    steps = [row for row in report.get("steps") or () if isinstance(row, dict)]
    told = _in(report, "chain", "steps")
    if stored:
        if head is not None and _in(report, "chain", "first") != head.get("headSha256"):
            yield _problem("report", "mismatch", "The report belongs to another run.")
            return
        if not isinstance(told, int) or told > len(rows):
            yield _problem("report", "missing", f"The report tells of {told} steps; {len(rows)} are there.")
            return
    covered = rows[:told] if stored else rows
    if covered and _in(report, "chain", "head") != covered[-1].get("stepSha256"):
        yield _problem("report", "mismatch", "The report's head is not the digest of its last step.")
    tail = covered[len(covered) - len(steps) :]
    if [row.get("stepSha256") for row in steps] != [row.get("stepSha256") for row in tail]:
        yield _problem("report", "mismatch", "The report's steps are not those of the run.")
    elif any(dict(one) != dict(other) for one, other in zip(steps, tail, strict=True)):
        yield _problem("report", "mismatch", "A step of the report differs from the stored one.")


def _screenshots(rows: Sequence[Row]) -> list[str]:
    found: dict[str, None] = {}
    for row in rows:
        for name in ("shotBefore", "shot"):
            sha256 = _in(row, name, "image", "sha256")
            if isinstance(sha256, str):
                found[sha256] = None
    return list(found)


def _pictures(shots: Sequence[str], picture: Picture) -> Iterator[ChainProblem]:
    for sha256 in shots:
        data = picture(sha256)
        if data is None:
            yield _problem(f"screenshot {sha256[:12]}", "missing", "The screenshot is not there any more.")
        elif hashlib.sha256(data).hexdigest() != sha256:
            yield _problem(f"screenshot {sha256[:12]}", "digest", "The screenshot does not match its hash.")


def _in(value: Any, *path: str) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _problem(where: str, what: Any, sentence: str) -> ChainProblem:
    return ChainProblem(where=where, what=what, sentence=sentence)
