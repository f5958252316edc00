"""Whose input it was: ours never counts as a person's, however late it takes effect; a person's is noticed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from desktop_session import DesktopSession, belonging, until

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.adapters.linux import attention
from deepseekeyes.desktop.adapters.linux.attention import Attention
from deepseekeyes.desktop.adapters.linux.desktop import X11Desktop
from deepseekeyes.desktop.ports import Window

pytestmark = pytest.mark.service
Titled = Callable[[str], Window]


@contextmanager
def busy_window_manager(desktop: DesktopSession, answers_at: Callable[[], bool] | None = None) -> Iterator[None]:
    """The window manager does nothing, until a condition holds or the block ends."""
    (manager,) = [one for one in belonging(desktop.folder) if one.name() == "openbox"]
    manager.suspend()

    def wake() -> None:
        assert answers_at is not None
        until("the moment to go on", answers_at)
        manager.resume()

    waking = threading.Thread(target=wake) if answers_at is not None else None
    try:
        if waking is not None:
            waking.start()
        yield
    finally:
        if waking is not None:
            waking.join()
        manager.resume()


def refused(call: Callable[[], object]) -> tuple[str, str | None]:
    with pytest.raises(EyesError) as caught:
        call()
    return caught.value.code.name, caught.value.details.get("dispatched")


def drag(backend: X11Desktop, window: Window, duration_s: float = 0.05) -> None:
    box = window.client
    backend.drag((box.x + 10, box.y + 20), (box.x + 110, box.y + 70), duration_s=duration_s)


def test_our_own_drag_that_takes_effect_late_is_no_persons(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = desktop.run("colour")
    window = titled("colour form")
    late = threading.Event()
    place = Attention.place
    seen: list[tuple[int, int]] = []

    def looked(self: Attention) -> tuple[int, int]:
        seen.append(place(self))
        if len(seen) > 40:
            late.set()
        return seen[-1]

    monkeypatch.setattr(Attention, "place", looked)
    backend.watch()
    with busy_window_manager(desktop, late.is_set):
        drag(backend, window)
    program.tells("released", x=110, y=70)
    assert backend.disturbed() is None
    assert len(seen) > 40


def test_a_pointer_that_never_comes_where_it_is_put_is_held_by_a_program_not_by_a_person(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attention, "ARRIVAL_S", 0.2)
    desktop.run("colour")
    window = titled("colour form")
    backend.watch()
    with busy_window_manager(desktop):
        assert refused(lambda: drag(backend, window)) == ("DESKTOP_INPUT_GRABBED", "yes")
    until("the button to be up", lambda: backend.held() == ())


def test_another_hand_on_the_pointer_during_a_drag_ends_it_with_the_button_up(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    program = desktop.run("colour")
    window = titled("colour form")
    box = window.client

    def hand() -> None:
        program.tells("clicked", x=10, y=20)
        desktop.display.move_pointer(int(box.x) + 200, int(box.y) + 150)

    person = threading.Thread(target=hand)
    person.start()
    assert refused(lambda: drag(backend, window, 20.0)) == ("DESKTOP_HUMAN_INPUT", "yes")
    person.join()
    program.tells("released")
    assert backend.held() == ()


def test_a_hand_that_puts_the_pointer_back_where_it_was_is_noticed_all_the_same(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    desktop.run("colour")
    window = titled("colour form")
    heard = backend._attention
    with heard.listening():
        x, y = backend.pointer()
        desktop.display.move_pointer(x + 5, y)
        desktop.display.move_pointer(x, y)
        assert heard.disturbed() == "pointer"
    backend.watch()
    drag(backend, window)
    assert backend.disturbed() is None


def test_a_button_that_a_killed_drag_left_down_is_let_go_by_the_next(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    program = desktop.run("colour")
    box = titled("colour form").client
    with backend.connection.guard():
        backend._pointer._to(box.x + 30, box.y + 30, "no")
        killed = backend._attention.pressed(1)
        killed.__enter__()
        backend._pointer._button(1, press=True)
        backend.connection.sync()
    program.tells("clicked", x=30, y=30)
    assert backend.held() == ("left button",)
    backend.watch()
    assert backend.held() == ()
    backend.click(box.x + 60, box.y + 60)
    program.tells("clicked", x=60, y=60)


def test_a_button_that_somebody_else_holds_stays_held(backend: X11Desktop, desktop: DesktopSession) -> None:
    from Xlib import X
    from Xlib.ext.xtest import fake_input

    display = desktop.display.display
    fake_input(display, X.ButtonPress, 1)
    display.sync()
    try:
        backend.watch()
        assert backend.held() == ("left button",)
    finally:
        fake_input(display, X.ButtonRelease, 1)
        display.sync()


def test_a_reading_of_the_clock_that_comes_late_is_no_persons_input(
    backend: X11Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend.watch()
    told = Attention.idle_s
    now, late = [1000.0], [0.0]

    def idle(self: Attention) -> float | None:
        found = told(self)
        now[0] += late[0]
        return None if found is None else 500.0

    monkeypatch.setattr(attention, "time", type("Slow", (), {"monotonic": staticmethod(lambda: now[0])}))
    monkeypatch.setattr(Attention, "idle_s", idle)
    backend.watch()
    late[0] = 2.0
    assert backend.disturbed() is None


def test_a_key_of_somebody_else_between_two_actions_is_noticed(backend: X11Desktop, desktop: DesktopSession) -> None:
    if backend._attention.idle_s() is None:
        pytest.fail("Xvfb tells no idle time")
    backend.watch()
    threading.Event().wait(attention.TOLERANCE_S * 3)
    desktop.display.press_key("F8")
    assert backend.disturbed() == "keyboard or mouse"


def test_a_server_that_tells_no_events_does_not_turn_our_own_input_into_a_persons(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = desktop.run("colour")
    window = titled("colour form")
    connection: Any = backend._attention.connection
    without = {name: version for name, version in connection.extensions.items() if name != "xinput"}
    monkeypatch.setattr(connection, "extensions", without)
    backend.watch()
    drag(backend, window)
    program.tells("released", x=110, y=70)
    assert backend.disturbed() is None
    desktop.display.move_pointer(600, 600)
    assert backend.disturbed() == "pointer"
