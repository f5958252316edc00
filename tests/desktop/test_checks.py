"""The desktop's lines in the doctor's report."""

from __future__ import annotations

from paper_desktop import PaperDesktop

from deepseekeyes.contracts.examination import Finding
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.checks import DesktopChecks, checks
from deepseekeyes.desktop.codes import DESKTOP_DISPLAY_MISSING
from deepseekeyes.desktop.ports import Backend


def _found(seen: DesktopChecks) -> dict[str, Finding]:
    results = {one.id.partition(".")[2]: one.run() for one in checks(seen)}
    assert all(isinstance(one, Finding) for one in results.values())
    return results  # type: ignore[return-value]


def test_a_display_that_works_is_told_line_by_line_and_let_go_of(paper: PaperDesktop) -> None:
    found = _found(DesktopChecks(True, {}, lambda: paper))
    assert {name: one.status for name, one in found.items()} == {
        "enabled": "ok",
        "display": "ok",
        "manager": "ok",
        "capture": "ok",
        "input": "ok",
        "accessibility": "ok",
        "notes": "ok",
        "pixels": "ok",
    }
    assert ":paper" in found["display"].seen
    assert paper.closed


def test_trees_that_cannot_be_read_are_a_warning_with_the_reason(paper: PaperDesktop) -> None:
    paper.semantic = False
    found = _found(DesktopChecks(True, {}, lambda: paper))
    assert (found["accessibility"].status, found["accessibility"].seen) == ("warning", "no trees on paper")


def test_a_missing_display_fails_once_and_only_where_desktops_are_wanted() -> None:
    asked: list[int] = []

    def none() -> Backend:
        asked.append(1)
        raise EyesError(DESKTOP_DISPLAY_MISSING, "DISPLAY is not set.")

    found = _found(DesktopChecks(True, {}, none))
    assert (found["display"].status, found["manager"].status, len(asked)) == ("failed", "skipped", 1)
    off = _found(DesktopChecks(False, {}, none))
    assert (off["enabled"].status, off["display"].status) == ("skipped", "warning")


def test_an_unreadable_configuration_is_said(paper: PaperDesktop) -> None:
    assert _found(DesktopChecks(None, {}, lambda: paper))["enabled"].status == "skipped"
