"""The desktop of the tests itself: every kind of program opens a window, has the tree it is known to have, and ends."""

from __future__ import annotations

import pytest
from desktop_session import PROGRAMS, DesktopSession, belonging, desktop_session, until

pytestmark = [pytest.mark.service, pytest.mark.timeout(300)]


@pytest.mark.parametrize(("name", "least"), [("gtk3", 12), ("gtk4", 6), ("qt6", 8)])
def test_a_toolkit_shows_a_window_and_tells_its_tree(desktop: DesktopSession, name: str, least: int) -> None:
    program = desktop.run(name)
    seen = program.window()
    assert seen.pid == program.pid
    node = until("the application", lambda: desktop.accessibility.of(program.pid))
    until("the tree", lambda: desktop.accessibility.count(node) >= least)


def test_tk_shows_a_window_and_has_no_tree(desktop: DesktopSession) -> None:
    program = desktop.run("tk")
    assert program.window().box[2] > 100
    assert desktop.accessibility.of(program.pid) is None


def test_chromium_shows_a_window_and_tells_its_tree_when_told_to(desktop: DesktopSession) -> None:
    program = desktop.chromium(PROGRAMS / "page.html", "chromium form", "--force-renderer-accessibility")
    node = until("the application", lambda: desktop.accessibility.of(program.window().pid or 0))
    until("the tree", lambda: desktop.accessibility.count(node) >= 12)


def test_a_desktop_ends_with_everything_on_it() -> None:
    with desktop_session() as session:
        session.run("tk")
        folder = session.folder
        assert len(belonging(folder)) >= 5
        assert folder.stat().st_mode & 0o777 == 0o700
    assert (belonging(folder), folder.exists()) == ([], False)
