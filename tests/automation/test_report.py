"""Run logs, reports and what tells that they were changed."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from paper_story import HOSTILE, built, story
from paper_surface import Paper

from deepseekeyes.automation import page, report
from deepseekeyes.automation.perform import look
from deepseekeyes.automation.runlog import RunLog
from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.automation.verify import verify
from deepseekeyes.core.canonical import digest
from deepseekeyes.core.errors import EyesError


@pytest.fixture
def told(make: Any) -> Paper:
    paper = make()
    asyncio.run(story(paper))
    return paper


def stored(paper: Paper) -> tuple[bytes, Callable[[str], bytes | None]]:
    return (paper.run.folder / "steps.jsonl").read_bytes(), paper.run.log.picture


def test_a_report_counts_what_happened_and_is_what_its_schema_says(told: Paper) -> None:
    found = built(told)
    assert found.schema_ == "deepseekeyes.browser-report.v1"
    assert found.summary.model_dump(by_alias=False) == {
        "passed": False,
        "step_count": 7,
        "action_count": 4,
        "action_failure_count": 1,
        "unverified_count": 0,
        "assertion_count": 2,
        "assertion_failure_count": 1,
        "screenshot_count": 3,
    }
    assert found.outcome() == "verdict"
    assert [step.index for step in found.steps] == list(range(1, 8))
    assert [image.sha256 for image in found.images()] == list(
        dict.fromkeys(step.shot.image.sha256 for step in found.steps)
    )
    assert found.chain.head == found.steps[-1].step_sha256


def test_a_run_folder_is_private_and_verifies(told: Paper) -> None:
    found = built(told)
    html = page.page(found, told.run.log.picture, AutomationSettings())
    written = report.write(found, html, told.run.log)
    again = report.write(found, html, told.run.log)
    folder = told.run.folder
    assert [path.name for path in (written.path, written.page, again.path)] == [
        "report.json",
        "report.html",
        "report-2.json",
    ]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()} == {0o600}
    verified = verify(*stored(told)[:1], json.loads(written.path.read_text()), told.run.log.picture)
    assert (verified.passed, verified.steps, verified.screenshots, verified.problems) == (True, 7, 3, ())
    assert verify(None, json.loads(written.path.read_text()), None).passed
    assert report.placed(found, written).path == str(written.path)


def test_a_report_name_never_leaves_the_folder(told: Paper) -> None:
    found = built(told)
    for name in ("../../escape", "..", "con", "a/b"):
        assert report.write(found, "", told.run.log, name).path.parent == told.run.folder


def change(paper: Paper, number: int, edit: Callable[[dict[str, Any]], Any], *, reseal: bool = False) -> bytes:
    lines = stored(paper)[0].splitlines()
    row = json.loads(lines[number])
    edit(row)
    if reseal:
        row["stepSha256"] = digest({key: value for key, value in row.items() if key != "stepSha256"})
    lines[number] = json.dumps(row).encode()
    return b"\n".join(lines) + b"\n"


def problems(paper: Paper, lines: bytes) -> set[tuple[str, str]]:
    found = verify(lines, built(paper).to_json(), paper.run.log.picture)
    assert not found.passed
    assert found.outcome() == "verdict"
    return {(problem.where, problem.what) for problem in found.problems}


def test_changed_moved_removed_and_torn_lines_are_found(told: Paper) -> None:
    lines = stored(told)[0]
    rows = lines.splitlines(keepends=True)
    assert ("steps.jsonl:4", "digest") in problems(told, change(told, 3, lambda row: row.update(verdict="refused")))
    resealed = problems(told, change(told, 3, lambda row: row.update(verdict="refused"), reseal=True))
    assert ("steps.jsonl:5", "chain") in resealed
    assert ("report", "mismatch") in resealed
    assert ("steps.jsonl:3", "chain") in problems(told, b"".join([*rows[:2], *rows[3:]]))
    assert ("steps.jsonl:3", "chain") in problems(told, b"".join([*rows[:2], rows[3], rows[2], *rows[4:]]))
    assert ("report", "missing") in problems(told, b"".join(rows[:-1]))
    assert ("steps.jsonl:9", "torn") in problems(told, lines + b'{"index":8')
    assert ("steps.jsonl:1", "format") in problems(told, b"{}\n" + lines)
    assert ("steps.jsonl:9", "format") in problems(told, lines + b"nonsense\n")
    assert ("steps.jsonl:1", "digest") in problems(told, change(told, 0, lambda row: row.update(session="other")))


def test_steps_after_the_report_do_not_break_it(told: Paper) -> None:
    earlier = built(told).to_json()
    asyncio.run(look(told, told.run))
    assert verify(*stored(told)[:1], earlier, told.run.log.picture).passed


def test_a_changed_or_missing_screenshot_is_found(told: Paper) -> None:
    one, two = sorted((told.run.folder / "screenshots").iterdir())[:2]
    one.write_bytes(one.read_bytes() + b"x")
    two.unlink()
    found = {
        (problem.where[11:], problem.what) for problem in verify(*stored(told)[:1], None, told.run.log.picture).problems
    }
    assert found == {(one.name[:12], "digest"), (two.name[:12], "missing")}


def test_a_changed_report_is_found(told: Paper) -> None:
    whole = built(told).to_json()
    changed = [
        {**whole, "summary": {**whole["summary"], "passed": True}},
        {**whole, "steps": whole["steps"][:-1]},
        {**whole, "chain": {**whole["chain"], "first": "0" * 64}},
    ]
    for document in changed:
        assert not verify(*stored(told)[:1], document, None).passed
        sealed = {**document, "reportSha256": report.own_digest(document)}
        assert verify(*stored(told)[:1], sealed, None).passed is (document is changed[0])
    assert verify(b"", None, None).problems[0].what == "format"


def test_long_runs_report_their_newest_steps_and_count_the_rest(make: Any) -> None:
    paper = make(kept_steps=10)
    asyncio.run(story(paper))
    asyncio.run(story(paper))
    found = built(paper, report_steps=3)
    assert ([step.index for step in found.steps], found.truncated, found.omitted) == ([12, 13, 14], True, 11)
    assert found.summary.step_count == 14
    assert verify(stored(paper)[0], found.to_json(), paper.run.log.picture).passed
    assert verify(None, found.to_json(), None).passed


def test_without_a_folder_everything_stays_in_memory(make: Any, tmp_path: Path) -> None:
    paper = make(memory=True)
    asyncio.run(story(paper))
    found = built(paper)
    html = page.page(found, paper.run.log.picture, AutomationSettings())
    assert report.write(found, html, paper.run.log) == report.Written()
    assert list(tmp_path.iterdir()) == []
    assert html.count("data:image/png") == 3
    assert verify(None, found.to_json(), paper.run.log.picture).passed


def test_a_long_run_in_memory_stays_small_and_forgets_no_failure(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deepseekeyes.automation.runlog.MEMORY_SHOT_BYTES", 1)
    paper = make(memory=True, kept_steps=10)
    asyncio.run(story(paper))
    for _ in range(10):
        asyncio.run(look(paper, paper.run))
    found = built(paper)
    assert (found.truncated, found.omitted, len(found.steps)) == (True, 7, 10)
    assert (found.summary.step_count, found.summary.passed, found.summary.assertion_count) == (17, False, 2)
    assert verify(None, found.to_json(), None).passed
    assert page.page(found, paper.run.log.picture, AutomationSettings()).count("data:image/png") == 1


def test_a_log_is_taken_up_where_another_process_left_it(told: Paper) -> None:
    folder = told.run.folder
    with (folder / "steps.jsonl").open("ab") as file:
        file.write(b'{"index": 8, "torn')
    log = RunLog.resume(folder)
    assert (log.count, log.last, log.run_id) == (7, told.run.log.last, told.run.id)
    log.append({"action": "observe", "at": "2026-12-01T00:00:00.000Z", "big": "x" * 200_000})
    again = RunLog.resume(folder)
    assert (again.count, again.last) == (8, log.last)
    assert verify((folder / "steps.jsonl").read_bytes(), None, None).passed
    assert [row["index"] for row in again.steps()] == list(range(1, 9))


@pytest.mark.parametrize("content", [None, b"", b"{}\n", b"\xff\n"])
def test_a_log_that_cannot_be_read_is_not_continued(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "steps.jsonl").write_bytes(content)
    with pytest.raises(EyesError) as caught:
        RunLog.resume(tmp_path)
    assert caught.value.code.name == "RUN_LOG_BROKEN"


def test_a_report_tells_what_was_begun_and_never_ended(told: Paper) -> None:
    told.run.log.begin("click", "2026-12-01T10:00:00.000Z")
    assert built(told).diagnostics["interrupted"]["action"] == "click"
    told.run.log.done()
    assert built(told).diagnostics == {}


def test_a_closed_run_forgets_its_key_and_acts_no_more(told: Paper) -> None:
    told.run.close()
    told.run.close()
    assert (told.run.keys.to_hex(), told.run.state_id) == (None, None)
    assert built(told).summary.step_count == 7


def test_the_page_escapes_everything_and_embeds_each_picture_once(make: Any) -> None:
    paper = make()
    asyncio.run(story(paper, HOSTILE))
    found = built(paper)
    html = page.page(found, paper.run.log.picture, AutomationSettings())
    assert HOSTILE not in html
    assert "&lt;/script&gt;&lt;img src=x" in html
    assert html.count("data:image/png") == found.summary.screenshot_count
    assert "hunter2" not in html
    assert html.count("<article") == 7


def test_a_page_beyond_its_bounds_keeps_the_newest_pictures_and_names_the_rest(told: Paper) -> None:
    found = built(told)
    html = page.page(found, told.run.log.picture, AutomationSettings(page_screenshots=1))
    assert html.count("data:image/png") == 1
    assert f'id="p{found.steps[-1].shot.image.sha256[:16]}"' in html
    assert "not in this page" in html
    assert page.page(found, lambda _: b"changed", AutomationSettings()).count("data:image/png") == 0
