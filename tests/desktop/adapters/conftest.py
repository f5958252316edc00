"""A desktop with real programs, and the backend under test on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from desktop_session import DesktopSession, desktop, until, whole_desktop  # noqa: F401 fixtures

from deepseekeyes.desktop.adapters.linux.desktop import X11Desktop
from deepseekeyes.desktop.adapters.linux.opening import open_linux
from deepseekeyes.desktop.ports import Element, Opening, Window


@pytest.fixture
def backend(desktop: DesktopSession) -> Iterator[X11Desktop]:  # noqa: F811
    opened = open_linux(Opening(desktop.environ, timeout_s=60))
    assert isinstance(opened, X11Desktop)
    yield opened
    opened.close()


@pytest.fixture
def titled(backend: X11Desktop) -> Callable[[str], Window]:
    """The window of a title, waited for until it has the keyboard or is just there."""

    def find(title: str) -> Window:
        def look() -> Window | None:
            return next((one for one in backend.windows() if one.title == title), None)

        return until(f"the window {title!r}", look)

    return find


@pytest.fixture
def element(backend: X11Desktop) -> Callable[..., Element]:
    """An element by role and name in a window, waited for."""

    def find(window: Window, role: str, name: str) -> Element:
        def look() -> Element | None:
            walk = backend.elements(window.identity, deadline_s=10, most=300)
            return next((one for one in walk.elements if (one.role, one.name) == (role, name)), None)

        return until(f"{role} {name!r}", look)

    return find
