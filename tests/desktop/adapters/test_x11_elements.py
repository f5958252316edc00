"""Elements of real programs, whatever their toolkit and however they behave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from desktop_session import PROGRAMS, DesktopSession, until

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.adapters.linux.desktop import X11Desktop
from deepseekeyes.desktop.adapters.linux.opening import open_linux
from deepseekeyes.desktop.ports import Element, Opening, Typed, Walk, Window

pytestmark = pytest.mark.service
Titled = Callable[[str], Window]
Find = Callable[..., Element]


def walk(backend: X11Desktop, window: Window, **more: Any) -> Walk:
    return backend.elements(window.identity, **{"deadline_s": 20.0, "most": 300, **more})


def middle(element: Element) -> tuple[float, float]:
    assert element.bounds is not None
    box = element.bounds
    return box.x + box.width / 2, box.y + box.height / 2


@pytest.mark.parametrize("toolkit", ["gtk3", "gtk4", "qt6"])
def test_a_form_reads_the_same_in_every_toolkit_and_its_boxes_are_true(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find, toolkit: str
) -> None:
    program = desktop.run(toolkit)
    window = backend.move_window(titled(f"{toolkit} form").identity, 333, 222)
    greet = element(window, "push_button", "Greet")
    entry, agree = element(window, "text", "Name"), element(window, "check_box", "Agree")
    assert (entry.editable, entry.value, entry.protected, greet.editable) == (True, "", False, False)
    assert all(one.enabled and one.visible and one.window == window.identity for one in (greet, entry, agree))
    assert "checked" not in agree.states
    assert greet.bounds_derived is (toolkit == "gtk4")
    for one in (greet, entry, agree):
        assert one.bounds is not None
        assert one.bounds.intersection(window.client) == one.bounds
    backend.click(*middle(agree))
    program.tells("agree", value=True)
    until("the check", lambda: "checked" in (backend.element(agree.handle) or agree).states)
    backend.click(*middle(greet))
    program.tells("greet")


@pytest.mark.parametrize("toolkit", ["gtk3", "qt6"])
def test_a_protected_field_never_tells_its_text(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find, toolkit: str
) -> None:
    program = desktop.run(toolkit)
    window = titled(f"{toolkit} form")
    backend.focus_window(window.identity)
    field = element(window, "password_text", "Password")
    assert field.protected
    assert backend.focus_element(field.handle)
    backend.type_text("Geheimnis7", window=window.identity)
    program.tells("password", value="Geheimnis7")
    assert backend.read_text(field.handle) is None
    assert (backend.element(field.handle) or field).value is None
    assert backend.set_value(field.handle, "anders") is None
    program.tells("password", value="anders")
    seen = repr(walk(backend, window, hidden=True))
    assert "Geheimnis" not in seen
    assert "anders" not in seen
    assert "\u25cf" not in seen


def test_text_goes_in_at_the_caret_in_place_of_the_selection(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find
) -> None:
    for toolkit in ("gtk3", "qt6"):
        desktop.run(toolkit)
        window = titled(f"{toolkit} form")
        backend.focus_window(window.identity)
        entry = element(window, "text", "Name")
        assert backend.set_value(entry.handle, "é😀你") == "é😀你"
        assert backend.focus_element(entry.handle)
        backend.press("END", window=window.identity)
        assert backend.insert_text(entry.handle, " plus é") == Typed(7, 7, "semantic")
        assert backend.read_text(entry.handle) == "é😀你 plus é"
        backend.press("CTRL+A", window=window.identity)
        until("the selection", lambda entry=entry, window=window: _replaced(backend, entry))


def _replaced(backend: X11Desktop, entry: Element) -> bool:
    backend.insert_text(entry.handle, "neu")
    return backend.read_text(entry.handle) == "neu"


def test_a_range_takes_a_number_within_its_bounds(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find
) -> None:
    for toolkit, role in (("gtk3", "spin_button"), ("qt6", "slider")):
        program = desktop.run(toolkit)
        level = element(titled(f"{toolkit} form"), role, "Level")
        assert backend.set_value(level.handle, "42") == "42"
        program.tells("level", value=42)
    with pytest.raises(EyesError) as caught:
        backend.set_value(level.handle, "much")
    assert (caught.value.code.name, caught.value.details["dispatched"]) == ("DESKTOP_TYPE_TARGET_NOT_EDITABLE", "no")


def test_an_action_is_carried_out_by_its_machine_name_or_the_natural_one(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find
) -> None:
    program = desktop.run("gtk3", LANG="de_DE.UTF-8", LANGUAGE="de")
    window = titled("gtk3 form")
    greet, agree = element(window, "push_button", "Greet"), element(window, "check_box", "Agree")
    assert greet.actions == ("click",)
    assert backend.do_action(greet.handle, None) == "click"
    program.tells("greet")
    assert backend.do_action(agree.handle, "click") == "click"
    program.tells("agree", value=True)
    with pytest.raises(EyesError) as caught:
        backend.do_action(greet.handle, "explode")
    assert (caught.value.code.name, caught.value.details) == (
        "DESKTOP_ACTION_NOT_EXPOSED",
        {"dispatched": "no", "candidates": ["click"]},
    )


def test_text_is_not_put_into_what_takes_none(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find
) -> None:
    desktop.run("gtk3")
    greet = element(titled("gtk3 form"), "push_button", "Greet")
    for call in (lambda: backend.insert_text(greet.handle, "x"), lambda: backend.set_value(greet.handle, "x")):
        with pytest.raises(EyesError) as caught:
            call()
        assert (caught.value.code.name, caught.value.details["dispatched"]) == (
            "DESKTOP_TYPE_TARGET_NOT_EDITABLE",
            "no",
        )


def test_rows_that_are_scrolled_out_are_left_out_and_come_into_view(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find
) -> None:
    desktop.run("gtk3", "--rows", "60")
    window = titled("gtk3 form")
    element(window, "push_button", "Row 1")
    shown = [one.name for one in walk(backend, window).elements if one.name.startswith("Row ")]
    assert "Row 1" in shown
    assert "Row 60" not in shown
    everything = walk(backend, window, hidden=True, most=500)
    last = next(one for one in everything.elements if one.name == "Row 60")
    assert (last.bounds, last.visible) == (None, False)


def test_two_windows_of_one_title_and_process_have_their_own_elements(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find
) -> None:
    desktop.run("gtk3", "--at", "20,30")
    desktop.run("gtk3", "--at", "600,300")
    first, second = until("both", lambda: both if len(both := list(backend.windows())) == 2 else None)
    for window in (first, second):
        one = element(window, "push_button", "Greet")
        assert one.bounds is not None
        assert one.bounds.intersection(window.client) == one.bounds


def test_a_limit_ends_the_walk_and_says_so(backend: X11Desktop, desktop: DesktopSession, titled: Titled) -> None:
    desktop.run("many")
    window = titled("many form")
    full = until("all of it", lambda: one if len((one := walk(backend, window, most=500)).elements) == 500 else None)
    assert (full.status, full.reason, full.left_out > 0) == ("partial", "element-limit", True)
    few = walk(backend, window, most=20)
    assert (len(few.elements), few.status, few.reason) == (20, "partial", "element-limit")
    late = walk(backend, window, deadline_s=0.0)
    assert (late.elements, late.status) == ((), "unavailable")


def test_a_frozen_program_cannot_hold_up_the_others(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find
) -> None:
    frozen, lively = desktop.run("gtk3"), desktop.run("qt6")
    still, moving = titled("gtk3 form"), titled("qt6 form")
    greet = element(still, "push_button", "Greet")
    frozen.freeze()
    try:
        stuck = walk(backend, still)
        assert (stuck.elements, stuck.status, stuck.reason) == ((), "timeout", "app-timeout")
        assert stuck.elapsed_ms < 15_000
        assert backend.element(greet.handle) is None
        with pytest.raises(EyesError) as caught:
            backend.do_action(greet.handle, None)
        assert (caught.value.code.name, caught.value.details["dispatched"]) == ("DESKTOP_TARGET_CHANGED", "no")
        assert backend.capture(still.identity).width == still.client.width
        assert walk(backend, moving).status == "ok"
        assert element(moving, "push_button", "Greet").enabled
    finally:
        frozen.thaw()
    assert lively.process.poll() is None
    until("it to answer again", lambda: walk(backend, still).status == "ok")


def test_a_program_that_ended_leaves_no_element_behind(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find
) -> None:
    program = desktop.run("gtk3")
    window = titled("gtk3 form")
    greet = element(window, "push_button", "Greet")
    program.end()
    until("the window to go", lambda: not desktop.display.windows())
    assert backend.element(greet.handle) is None
    with pytest.raises(EyesError) as caught:
        walk(backend, window)
    assert caught.value.code.name == "DESKTOP_WINDOW_GONE"


def test_tk_has_no_tree_and_that_is_no_failure(backend: X11Desktop, desktop: DesktopSession, titled: Titled) -> None:
    desktop.run("tk")
    told = walk(backend, titled("tk form"))
    assert (told.elements, told.status, told.reason) == ((), "unavailable", "no-tree")


def test_chromium_shows_the_page_in_its_window(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find
) -> None:
    desktop.chromium(PROGRAMS / "page.html", "chromium form", "--force-renderer-accessibility")
    window = titled("chromium form")
    backend.focus_window(window.identity)
    entry = element(window, "entry", "Name")
    backend.click(*middle(entry))
    backend.type_text("Zoë 你好 😀", window=window.identity)
    until("the text", lambda: backend.read_text(entry.handle) == "Zoë 你好 😀")
    backend.click(*middle(element(window, "push_button", "Greet")))
    element(window, "static", "Hello Zoë 你好 😀")
    assert element(window, "password_text", "Password").protected


def test_the_focused_element_is_found(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find
) -> None:
    desktop.run("gtk3")
    window = titled("gtk3 form")
    backend.focus_window(window.identity)
    entry = element(window, "text", "Name")
    assert backend.focus_element(entry.handle)
    found = backend.focused(window.identity)
    assert found is not None
    assert found.handle == entry.handle


def test_without_an_accessibility_bus_everything_else_works(desktop: DesktopSession) -> None:
    desktop.run("gtk3")
    environ = {"DISPLAY": desktop.environ["DISPLAY"]}
    backend = open_linux(Opening({**environ, "AT_SPI_BUS_ADDRESS": "unix:path=/nowhere/at-all"}))
    try:
        told = backend.environment.capabilities
        assert told.semantic is False
        assert told.semantic_reason
        window = next(one for one in backend.windows() if one.title == "gtk3 form")
        nothing = backend.elements(window.identity, deadline_s=5, most=100)
        assert (nothing.elements, nothing.status, nothing.reason) == ((), "unavailable", "no-bus")
        assert backend.capture(window.identity).width == window.client.width
        assert backend.focused(window.identity) is None
    finally:
        backend.close()
