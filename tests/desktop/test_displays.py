"""Displays that stay open between calls."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.ports import Opening
from deepseekeyes.wiring.displays import Displays

OPENING = Opening({})


class Kept:
    """A backend that tells what happens to it."""

    def __init__(self) -> None:
        self.environment = "here"
        self.alive = True
        self.closed = 0
        self.gate = threading.Event()
        self.entered = threading.Event()

    def ready(self) -> bool:
        return self.alive

    def pointer(self) -> tuple[int, int]:
        return 1, 2

    def windows(self) -> tuple[Any, ...]:
        self.entered.set()
        assert self.gate.wait(60)
        return ()

    def close(self) -> None:
        self.closed += 1


class Plain(Kept):
    """One that cannot stay."""

    ready = property()  # type: ignore[assignment]


@pytest.fixture
def made() -> list[Kept]:
    return []


@pytest.fixture
def displays(made: list[Kept]) -> Displays:
    def opens(_: Opening) -> Any:
        made.append(Kept())
        return made[-1]

    return Displays(opens)


def test_calls_one_after_the_other_use_one_connection(displays: Displays, made: list[Kept]) -> None:
    for _ in range(3):
        lent = displays.take(OPENING)
        assert (lent.pointer(), lent.environment) == ((1, 2), "here")
        lent.close()
    assert [one.closed for one in made] == [0]
    displays.end()
    assert [one.closed for one in made] == [1]


def test_one_that_lost_its_display_is_closed_and_another_opened(displays: Displays, made: list[Kept]) -> None:
    displays.take(OPENING).close()
    made[0].alive = False
    displays.take(OPENING).close()
    assert [one.closed for one in made] == [1, 0]
    displays.end()


def test_calls_at_the_same_time_have_a_connection_each_and_one_stays(displays: Displays, made: list[Kept]) -> None:
    first, second = displays.take(OPENING), displays.take(OPENING)
    first.close()
    second.close()
    assert [one.closed for one in made] == [0, 1]
    displays.end()


def test_what_comes_back_after_the_end_is_closed(displays: Displays, made: list[Kept]) -> None:
    lent = displays.take(OPENING)
    displays.end()
    lent.close()
    lent.close()
    assert [one.closed for one in made] == [1]


def test_one_in_use_by_a_thread_whose_call_was_broken_off_is_closed(displays: Displays, made: list[Kept]) -> None:
    lent = displays.take(OPENING)
    thread = threading.Thread(target=lent.windows)
    thread.start()
    assert made[0].entered.wait(60)
    lent.close()
    assert [one.closed for one in made] == [1]
    made[0].gate.set()
    thread.join(60)
    with pytest.raises(EyesError) as refused:
        lent.pointer()
    assert (refused.value.code.name, refused.value.details["dispatched"]) == ("DESKTOP_DISPLAY_LOST", "no")
    displays.take(OPENING).close()
    assert [one.closed for one in made] == [1, 0]
    displays.end()


def test_one_that_nobody_wants_is_closed_after_a_while(made: list[Kept]) -> None:
    def opens(_: Opening) -> Any:
        made.append(Kept())
        return made[-1]

    displays = Displays(opens, idle_s=0)
    lent = displays.take(OPENING)
    lent.close()
    timer = displays._timer
    if timer is not None:
        timer.join(60)
    assert [one.closed for one in made] == [1]


def test_a_backend_that_cannot_stay_is_closed_after_each_call() -> None:
    plain = Plain()
    lent = Displays(lambda _: plain).take(OPENING)  # type: ignore[arg-type,return-value]
    lent.close()
    assert plain.closed == 1
