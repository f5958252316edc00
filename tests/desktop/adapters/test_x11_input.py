"""Real input: text of any script, chords, pointer, and everything that makes it stop."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from desktop_session import DesktopSession, desktop_session, until

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.adapters.linux.desktop import X11Desktop
from deepseekeyes.desktop.adapters.linux.opening import open_linux
from deepseekeyes.desktop.ports import Element, Opening, Typed, Window

pytestmark = pytest.mark.service
Titled = Callable[[str], Window]
Find = Callable[..., Element]
TEXT = "Zoë Ünïcode: 你好，世界 — €100 ½ Привет 😀 e\u0301 שלום {x}[y]~@#^`\\"


def refused(call: Callable[[], object]) -> tuple[str, str | None]:
    with pytest.raises(EyesError) as caught:
        call()
    return caught.value.code.name, caught.value.details.get("dispatched")


def into_entry(backend: X11Desktop, window: Window, entry: Element | None) -> None:
    if entry is None:  # Tk shows no tree; its entry is at a known place
        box = window.client
        backend.click(box.x + box.width / 2, box.y + 40)
    else:
        assert backend.focus_element(entry.handle)


@pytest.mark.parametrize("toolkit", ["gtk3", "gtk4", "qt6"])
def test_text_of_every_script_arrives_as_it_was_sent(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find, toolkit: str
) -> None:
    program = desktop.run(toolkit)
    window = titled(f"{toolkit} form")
    backend.focus_window(window.identity)
    entry = element(window, "text", "Name")
    into_entry(backend, window, entry)
    spare = desktop.display.spare_keycodes()
    backend.watch()
    assert backend.type_text(TEXT, window=window.identity) == Typed(len(TEXT), len(TEXT), "keys")
    program.tells("name", value=TEXT)
    assert backend.read_text(entry.handle) == TEXT
    assert desktop.display.spare_keycodes() == spare
    assert backend.disturbed() is None


def test_more_foreign_characters_than_free_keys_arrive_in_order(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    program = desktop.run("tk")
    window = titled("tk form")
    backend.focus_window(window.identity)
    into_entry(backend, window, None)
    text = "".join(chr(0x4E00 + number) for number in range(60))
    backend.type_text(text, window=window.identity)
    program.tells("name", value=text)


@pytest.mark.parametrize("text", ["a\x07b", "a\ud800", "\x85"])
def test_what_no_key_can_give_is_refused_before_anything_is_sent(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, text: str
) -> None:
    program = desktop.run("colour")
    window = titled("colour form")
    backend.focus_window(window.identity)
    assert refused(lambda: backend.type_text(text, window=window.identity)) == ("DESKTOP_TEXT_UNSENDABLE", "no")
    backend.press("z", window=window.identity)
    program.tells("key", name="z")
    assert [one["name"] for one in program.told() if one["event"] == "key"] == ["z"]


def test_newline_and_tab_are_keys(backend: X11Desktop, desktop: DesktopSession, titled: Titled) -> None:
    program = desktop.run("colour")
    window = titled("colour form")
    backend.focus_window(window.identity)
    backend.type_text("a\r\nb\t\nC", window=window.identity)
    program.tells("key", name="C")
    keys = [one["name"] for one in program.told() if one["event"] == "key"]
    assert [name for name in keys if not name.startswith("Shift")] == ["a", "Return", "b", "Tab", "Return", "C"]


def test_capital_letters_stay_right_while_caps_lock_is_on(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    program = desktop.run("tk")
    window = titled("tk form")
    backend.focus_window(window.identity)
    into_entry(backend, window, None)
    desktop.display.press_key("Caps_Lock")
    try:
        backend.watch()
        backend.type_text("aB é", window=window.identity)
        program.tells("name", value="aB é")
        assert desktop.display.root.query_pointer().mask & 2
    finally:
        desktop.display.press_key("Caps_Lock")


def test_a_chord_reaches_the_program_with_its_modifiers(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Find
) -> None:
    desktop.run("gtk3")
    window = titled("gtk3 form")
    backend.focus_window(window.identity)
    entry = element(window, "text", "Name")
    into_entry(backend, window, entry)
    backend.type_text("one two", window=window.identity)
    backend.press("CTRL+A", window=window.identity)
    backend.press("DELETE", window=window.identity)
    until("the text to go", lambda: backend.read_text(entry.handle) == "")
    assert backend.held() == ()


def test_keys_for_a_window_without_the_focus_are_refused(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    behind, front = desktop.run("colour", title="behind"), desktop.run("colour", title="front")
    identity = titled("behind").identity
    backend.focus_window(titled("front").identity)
    assert refused(lambda: backend.type_text("abc", window=identity)) == ("TARGET_FOCUS_MISMATCH", "no")
    assert refused(lambda: backend.press("ENTER", window=identity)) == ("TARGET_FOCUS_MISMATCH", "no")
    assert [one for program in (behind, front) for one in program.told() if one["event"] == "key"] == []


def test_a_window_that_takes_the_focus_while_typing_gets_none_of_the_rest(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    program = desktop.run("tk", "--thief-after", "3")
    window = titled("tk form")
    backend.focus_window(window.identity)
    into_entry(backend, window, None)
    text = "abcdefghij" * 40
    with pytest.raises(EyesError) as caught:
        backend.type_text(text, window=window.identity)
    assert (caught.value.code.name, caught.value.details["dispatched"]) == ("TARGET_FOCUS_MISMATCH", "yes")
    assert 3 <= caught.value.fields["sent"] < len(text)
    program.tells("thief")


def test_a_held_keyboard_gets_nothing(backend: X11Desktop, desktop: DesktopSession, titled: Titled) -> None:
    desktop.run("colour")
    window = titled("colour form")
    backend.focus_window(window.identity)
    with desktop.display.keyboard_held():
        assert backend.grabbed() == "keyboard"
        assert refused(lambda: backend.type_text("pw", window=window.identity)) == ("DESKTOP_INPUT_GRABBED", "no")
        assert refused(lambda: backend.press("ENTER", window=window.identity)) == ("DESKTOP_INPUT_GRABBED", "no")
    assert backend.grabbed() is None


@contextmanager
def shift_down(desktop: DesktopSession) -> Any:
    from Xlib.ext.xtest import fake_input
    from Xlib.X import KeyPress, KeyRelease
    from Xlib.XK import XK_Shift_L

    display = desktop.display.display
    code = display.keysym_to_keycode(XK_Shift_L)
    fake_input(display, KeyPress, code)
    display.sync()
    try:
        yield
    finally:
        fake_input(display, KeyRelease, code)
        display.sync()


def test_a_modifier_somebody_holds_is_not_joined(backend: X11Desktop, desktop: DesktopSession, titled: Titled) -> None:
    desktop.run("colour")
    window = titled("colour form")
    backend.focus_window(window.identity)
    with shift_down(desktop):
        assert backend.held() == ("SHIFT",)
        box = window.client
        assert refused(lambda: backend.click(box.x + 9, box.y + 9)) == ("DESKTOP_KEYS_HELD", "no")
        assert refused(lambda: backend.press("ENTER", window=window.identity)) == ("DESKTOP_KEYS_HELD", "no")
        assert refused(lambda: backend.type_text("a", window=window.identity)) == ("DESKTOP_KEYS_HELD", "no")
    assert backend.held() == ()


def test_a_hand_on_the_mouse_between_looking_and_acting_is_noticed(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    program = desktop.run("colour")
    box = titled("colour form").client
    backend.move(600, 600)
    backend.watch()
    desktop.display.move_pointer(611, 602)
    assert backend.disturbed() == "pointer"
    assert refused(lambda: backend.click(box.x + 9, box.y + 9)) == ("DESKTOP_HUMAN_INPUT", "no")
    assert backend.pointer() == (611, 602)
    backend.watch()
    backend.click(box.x + 9, box.y + 9)
    program.tells("clicked", x=9, y=9)
    assert backend.disturbed() is None


def test_a_foreign_key_during_our_own_input_is_told_from_ours(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    desktop.run("colour")
    titled("colour form")
    backend.watch()
    attention = backend._attention
    with attention.listening():
        backend._keyboard._hold([backend._keymap.modifiers() and 38])
        assert attention.disturbed() is None
        desktop.display.press_key("q")
        assert attention.disturbed() == "key"
    assert backend.disturbed() == "key"


def test_a_drag_ends_where_it_should_with_the_button_up(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    program = desktop.run("colour")
    box = titled("colour form").client
    backend.drag((box.x + 10, box.y + 20), (box.x + 110, box.y + 70), duration_s=0.05)
    program.tells("clicked", x=10, y=20)
    program.tells("released", x=110, y=70)
    assert backend.held() == ()


def test_buttons_and_the_wheel_reach_the_point(backend: X11Desktop, desktop: DesktopSession, titled: Titled) -> None:
    program = desktop.run("colour")
    box = titled("colour form").client
    backend.click(box.x + 30, box.y + 40, button="right")
    program.tells("menu", x=30, y=40)
    backend.click(box.x + 50, box.y + 60, count=2)
    program.tells("double", x=50, y=60)
    backend.scroll(box.x + 70, box.y + 80, dx=0, dy=2)
    backend.scroll(box.x + 70, box.y + 80, dx=0, dy=-1)
    program.tells("up", x=70, y=80)
    assert [one["event"] for one in program.told() if one["event"] in {"up", "down"}] == ["down", "down", "up"]


def test_without_a_free_key_foreign_text_is_refused_and_plain_text_goes_through() -> None:
    with desktop_session() as full:
        display = full.display.display
        first, last = display.display.info.min_keycode, display.display.info.max_keycode
        for code, row in enumerate(display.get_keyboard_mapping(first, last - first + 1), first):
            if not any(row):
                display.change_keyboard_mapping(code, [[0x1008FF00 + code]])
        display.sync()
        assert full.display.spare_keycodes() == 0
        program = full.run("colour")
        backend = open_linux(Opening(full.environ, semantic=False))
        try:
            window = backend.windows()[0].identity
            assert refused(lambda: backend.type_text("你", window=window)) == ("DESKTOP_TEXT_UNSENDABLE", "no")
            backend.type_text("b", window=window)
            program.tells("key", name="b")
        finally:
            backend.close()


def test_keys_that_a_killed_process_left_borrowed_are_given_back(tmp_path: Path, desktop: DesktopSession) -> None:
    before = desktop.display.spare_keycodes()
    killed = open_linux(Opening(desktop.environ, semantic=False, state_dir=tmp_path))
    assert isinstance(killed, X11Desktop)
    killed._keymap.refresh()
    killed._keymap.borrow([0x1004F60, 0x101F600, 0x1000416])
    killed.connection.close()
    assert desktop.display.spare_keycodes() == before - 2
    (note,) = tmp_path.iterdir()
    told = json.loads(note.read_text())
    assert len(told["keycodes"]) == 2
    open_linux(Opening(desktop.environ, semantic=False, state_dir=tmp_path)).close()
    assert desktop.display.spare_keycodes() == before - 2, "a living process still types with them"
    note.write_text(json.dumps(told | {"started": 1}))
    open_linux(Opening(desktop.environ, semantic=False, state_dir=tmp_path)).close()
    assert (desktop.display.spare_keycodes(), list(tmp_path.iterdir())) == (before, [])
