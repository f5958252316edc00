"""Windows of real programs: identity, order, focus, pixels."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from desktop_session import DesktopSession, desktop_session, until

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.desktop import X11Desktop
from deepseekeyes.desktop.adapters.linux.opening import open_linux
from deepseekeyes.desktop.ports import Grab, Opening, Window

pytestmark = pytest.mark.service
Titled = Callable[[str], Window]
BLUE, RED = (0x20, 0x60, 0xC0), (0xC0, 0x20, 0x20)


def colours(grab: Grab) -> set[tuple[int, ...]]:
    raw = grab.rgb
    return {tuple(raw[at : at + 3]) for at in range(0, len(raw), 3)}


def test_the_display_says_what_it_can_do(backend: X11Desktop, desktop: DesktopSession) -> None:
    told = backend.environment
    assert (told.system, told.backend, told.display) == ("linux", "x11", desktop.environ["DISPLAY"])
    assert told.lock_key == "x11-" + desktop.environ["DISPLAY"].lstrip(":")
    can = told.capabilities
    assert (can.window_capture, can.keyboard, can.window_manager, can.semantic, can.human_input) == (True,) * 5
    assert backend.monitors()[0].bounds == Box(0, 0, 1280, 800)


def test_a_window_is_listed_with_its_frame_and_its_inside(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    program = desktop.run("colour", title="blue")
    seen = program.window()
    window = titled("blue")
    assert (window.pid, window.client, window.kind, window.z) == (program.pid, Box(*seen.box), "normal", 0)
    assert window.bounds.intersection(window.client) == window.client
    assert window.bounds.y < window.client.y
    assert not window.weak
    hit = backend.top_at(window.client.x + 5, window.client.y + 5)
    assert hit.window is not None
    assert hit.window.identity == window.identity
    assert backend.top_at(1279, 799).window is None


def test_a_covered_window_shows_itself_and_not_what_covers_it(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    desktop.run("colour", "--at", "100,100", title="below")
    desktop.run("colour", "--at", "150,130", "--colour", "#c02020", title="above")
    above = titled("above")
    backend.focus_window(above.identity)
    below = titled("below")
    assert backend.top_at(200, 200).label == '"above"'
    grab = backend.capture(below.identity)
    assert (grab.method, grab.covered, grab.origin) == ("window", False, (below.client.x, below.client.y))
    assert colours(grab) == {BLUE}
    assert colours(backend.capture(above.client)) == {RED}


def test_a_window_half_off_the_screen_is_captured_whole(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    program = desktop.run("colour", title="edge")
    desktop.display.place(program.window().xid, -150, 300)
    window = until("the move", lambda: one if (one := titled("edge")).client.x == -150 else None)
    grab = backend.capture(window.identity)
    assert (grab.width, grab.height, grab.origin, colours(grab)) == (300, 200, (-150, 300), {BLUE})


def test_a_window_with_the_number_of_an_ended_one_is_another_window(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    first = desktop.run("gtk3")
    old, xid = titled("gtk3 form"), first.window().xid
    first.end()
    until("the window to go", lambda: not desktop.display.windows())
    second = desktop.run("gtk3")
    new = titled("gtk3 form")
    assert second.window().xid == xid, "the server gave the number out again"
    assert new.identity != old.identity
    with pytest.raises(EyesError) as caught:
        backend.capture(old.identity)
    assert (caught.value.code.name, caught.value.details) == ("DESKTOP_WINDOW_GONE", {"dispatched": "no"})


def test_a_number_used_twice_by_one_program_is_two_windows(backend: X11Desktop, desktop: DesktopSession) -> None:
    display, root = desktop.display.display, desktop.display.root
    identities = []
    window = root.create_window(10, 10, 80, 60, 0, display.screen().root_depth, override_redirect=True)
    for _ in range(2):
        window.map()
        display.sync()
        identities.append(next(one.identity for one in backend.windows() if one.client == Box(10, 10, 80, 60)))
        window.destroy()
        display.sync()
        assert [one for one in backend.windows() if one.client == Box(10, 10, 80, 60)] == []
        _again(display, root, window)
    window.destroy()
    display.sync()
    assert identities[0] != identities[1]
    assert identities[0].rpartition(":")[0] == identities[1].rpartition(":")[0]


def _again(display: object, root: object, window: object) -> None:
    """A window with the very number of one that was destroyed."""
    from Xlib import X
    from Xlib.protocol import request

    request.CreateWindow(
        display=display.display, depth=24, wid=window.id, parent=root.id, x=10, y=10, width=80, height=60,
        border_width=0, window_class=X.InputOutput, visual=X.CopyFromParent, attrs={"override_redirect": True},
    )  # fmt: skip
    display.sync()


def test_a_minimised_window_has_no_pixels_and_comes_back_with_the_focus(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled
) -> None:
    program = desktop.run("colour", title="small")
    identity = titled("small").identity
    desktop.display.display.create_resource_object("window", program.window().xid).set_wm_state(state=3, icon=0)
    desktop.display._tell(program.window().xid, "WM_CHANGE_STATE", [3, 0, 0, 0, 0])
    desktop.display.display.flush()
    until("the window to hide", lambda: titled("small").minimised)
    with pytest.raises(EyesError) as caught:
        backend.capture(identity)
    assert caught.value.code.name == "DESKTOP_WINDOW_NOT_VIEWABLE"
    focus = backend.focus_window(identity)
    assert (focus.window, focus.verified, focus.restored) == (identity, "window", True)
    assert backend.active() == identity
    assert colours(backend.capture(identity)) == {BLUE}


def test_a_window_moves_takes_a_size_and_closes(backend: X11Desktop, desktop: DesktopSession, titled: Titled) -> None:
    desktop.run("colour", title="moving")
    window = titled("moving")
    moved = backend.move_window(window.identity, 40, 60)
    assert (moved.bounds.x, moved.bounds.y) == (40, 60)
    sized = backend.resize_window(window.identity, 420, 333)
    assert (sized.client.width, sized.client.height) == (420, 333)
    assert backend.capture(window.identity).width == 420
    beyond = backend.move_window(window.identity, -30, 60)
    assert (beyond.bounds.x, beyond.bounds.y) == (-30, 60)
    assert backend.close_window(window.identity) is True
    with pytest.raises(EyesError) as caught:
        backend.focus_window(window.identity)
    assert caught.value.code.name == "DESKTOP_WINDOW_GONE"


def test_a_modal_dialog_names_its_owner_and_keeps_the_focus(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Callable[..., object]
) -> None:
    program = desktop.run("gtk3")
    form = titled("gtk3 form")
    button = element(form, "push_button", "Ask")
    box = button.bounds
    backend.click(box.x + box.width / 2, box.y + box.height / 2)
    program.tells("asking")
    dialog = titled("Sure?")
    assert (dialog.modal, dialog.dialog, dialog.transient_for) == (True, True, form.identity)
    with pytest.raises(EyesError) as caught:
        backend.focus_window(form.identity)
    assert caught.value.code.name == "TARGET_FOCUS_MISMATCH"
    assert "Sure?" in caught.value.message


def test_an_open_menu_is_a_window_and_is_seen_over_its_program(
    backend: X11Desktop, desktop: DesktopSession, titled: Titled, element: Callable[..., object]
) -> None:
    program = desktop.run("gtk3")
    form = titled("gtk3 form")
    before = backend.capture(form.identity)
    box = element(form, "toggle_button", "More").bounds
    backend.click(box.x + box.width / 2, box.y + box.height / 2)
    program.tells("menu")
    menu = until("the menu", lambda: next((one for one in backend.windows() if one.kind == "menu"), None))
    assert (menu.pid, menu.z) == (program.pid, 0)
    grab = until("the menu's pixels", lambda: one if (one := backend.capture(form.identity)).popups else None)
    assert grab.popups == (menu.identity,)
    assert grab.rgb != before.rgb
    assert backend.grabbed() == "keyboard"
    backend.press("ESC", window=form.identity)
    until("the menu to close", lambda: all(one.kind != "menu" for one in backend.windows()))
    assert backend.grabbed() is None


def test_the_same_menus_and_windows_without_a_window_manager() -> None:
    with desktop_session(window_manager=False) as bare:
        program = bare.start(["/usr/bin/python3", str(_program("colour")), "--title", "bare", "--at", "30,40"], "bare")
        program.tells("ready")
        backend = open_linux(Opening(bare.environ))
        try:
            window = until("the window", lambda: next((one for one in backend.windows() if one.title == "bare"), None))
            assert (window.kind, window.client, window.bounds) == ("normal", window.client, window.client)
            assert not backend.environment.capabilities.window_manager
            focus = backend.focus_window(window.identity)
            assert focus.verified == "input"
            assert backend.active() == window.identity
            assert colours(backend.capture(window.identity)) == {BLUE}
            backend.press("a", window=window.identity)
            program.tells("key", name="a")
            moved = backend.move_window(window.identity, -30, -20)
            assert (moved.bounds.x, moved.bounds.y) == (-30, -20)
            far = backend.move_window(window.identity, -100_000, 100_000)
            assert (far.bounds.x, far.bounds.y) == (-32_768, 32_767)
            assert backend.resize_window(window.identity, 100_000, 1).client.width <= 32_767
        finally:
            backend.close()


def test_two_monitors_are_told_apart_and_a_point_on_neither_is_refused() -> None:
    with desktop_session("2000x1000x24") as wide:
        wide.display.split(main=(800, 0, 1200, 1000), left=(0, 100, 800, 600))
        backend = open_linux(Opening({**wide.environ, "GDK_SCALE": "2"}))
        try:
            assert [(one.name, one.bounds, one.scale, one.primary) for one in backend.monitors()] == [
                ("main", Box(800, 0, 1200, 1000), 2.0, True),
                ("left", Box(0, 100, 800, 600), 2.0, False),
            ]
            backend.move(100, 150)
            assert backend.pointer() == (100, 150)
            with pytest.raises(EyesError) as caught:
                backend.click(100, 50)
            assert caught.value.code.name == "DESKTOP_COORDINATE_OUT_OF_BOUNDS"
            assert caught.value.details == {"dispatched": "no"}
            assert backend.pointer() == (100, 150)
        finally:
            backend.close()


def test_a_started_program_is_found_by_its_window(backend: X11Desktop, desktop: DesktopSession) -> None:
    words = ["/usr/bin/python3", str(_program("colour")), "--title", "started"]
    launched = backend.launch(words, desktop.environ, wait_s=60)
    window = next(one for one in backend.windows() if one.title == "started")
    assert (launched.windows, launched.pid, launched.reused) == ((window.identity,), window.pid, False)
    assert backend.close_window(window.identity)


@pytest.mark.parametrize("words", [[], ["no-such-program-here"], ["/usr/bin/false"]])
def test_a_program_that_does_not_start_is_a_failure(
    backend: X11Desktop, desktop: DesktopSession, words: list[str]
) -> None:
    with pytest.raises(EyesError) as caught:
        backend.launch(words, desktop.environ, wait_s=30)
    assert caught.value.code.name == "DESKTOP_LAUNCH_FAILED"


def test_a_display_that_goes_away_is_a_clear_failure() -> None:
    with desktop_session(window_manager=False) as short:
        backend = open_linux(Opening(short.environ, semantic=False))
    with pytest.raises(EyesError) as caught:
        backend.windows()
    assert caught.value.code.name == "DESKTOP_DISPLAY_LOST"
    backend.close()


def _program(name: str) -> object:
    from desktop_session import PROGRAMS

    return PROGRAMS / f"{name}.py"
