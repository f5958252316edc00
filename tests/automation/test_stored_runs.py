"""Runs found by what a caller calls them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from paper_story import built, story

from deepseekeyes.automation import page, report
from deepseekeyes.automation.codes import TEXT_MISSING as UNREADABLE
from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.automation.stored_runs import VerifyRequest, verify_run
from deepseekeyes.contracts.automation import ReportVerification
from deepseekeyes.core.errors import EyesError


@pytest.fixture
def folder(make: Any) -> Path:
    """A run with a report that a caller gave a name."""
    paper = make()
    asyncio.run(story(paper))
    found = built(paper)
    report.write(found, page.page(found, paper.run.log.picture, AutomationSettings()), paper.run.log, name="shop")
    return Path(paper.run.folder)


def check(folder: Path, run: str | None = None) -> ReportVerification:
    return verify_run(VerifyRequest(run=run), root=folder.parent, cwd=folder, unreadable=UNREADABLE)


def test_a_run_is_found_as_the_newest_by_id_by_folder_and_by_report(folder: Path) -> None:
    found = [check(folder, run) for run in (None, folder.name, str(folder), "shop.json", str(folder / "shop.json"))]
    assert all(each == found[0] for each in found)
    assert (found[0].passed, found[0].steps) == (True, 7)


@pytest.mark.parametrize("run", [None, "shop.json"])
def test_a_changed_report_is_told_whatever_its_name_is(folder: Path, run: str | None) -> None:
    file = folder / "shop.json"
    file.write_text(
        file.read_text().replace('"stepCount":7', '"stepCount":6').replace('"stepCount": 7', '"stepCount": 6')
    )
    assert not check(folder, run).passed


@pytest.mark.parametrize("run", ["nothing", "/dev/null", "empty", "list.json", "torn.json", "huge.json"])
def test_what_is_no_run_has_the_code_of_its_surface(folder: Path, run: str) -> None:
    (folder / "empty").mkdir()
    (folder / "list.json").write_text("[]")
    (folder / "torn.json").write_text('{"schema": ')
    with (folder / "huge.json").open("wb") as file:
        file.truncate(5_000_000_000)
    with pytest.raises(EyesError) as refused:
        check(folder, run)
    assert refused.value.code is UNREADABLE
