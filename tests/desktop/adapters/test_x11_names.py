"""What the X11 adapter knows without a display: chords, layouts, roles, and why there is no display."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box
from deepseekeyes.desktop.adapters.linux.atspi_names import ROLES, role_name, state_names
from deepseekeyes.desktop.adapters.linux.atspi_nodes import Node, Ref, Space, handle_of, placed, ref_of
from deepseekeyes.desktop.adapters.linux.chords import MODIFIERS, NAMED, character_keysym, keysym_of, parse_chord
from deepseekeyes.desktop.adapters.linux.monitors import on_a_monitor, ordered, resource
from deepseekeyes.desktop.adapters.linux.opening import open_linux
from deepseekeyes.desktop.ports import Monitor, Opening


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("CTRL+SHIFT+S", ("CTRL", "SHIFT", "s")),
        ("shift+control+s", ("CTRL", "SHIFT", "s")),
        ("Return", ("ENTER",)),
        ("ctrl++", ("CTRL", "PLUS")),
        ("+", ("PLUS",)),
        ("alt+F4", ("ALT", "F4")),
        ("super", ("META",)),
        ("é", ("é",)),
    ],
)
def test_a_chord_is_taken_apart_into_proper_names(text: str, names: tuple[str, ...]) -> None:
    assert parse_chord(text).names == names


@pytest.mark.parametrize("text", ["", "CTRL+", "CTRL+CTRL+A", "A+B", "HYPER+X", "CTRL+ENTR", "F25"])
def test_a_chord_that_no_keyboard_has_is_refused_with_nothing_dispatched(text: str) -> None:
    with pytest.raises(EyesError) as caught:
        parse_chord(text)
    assert (caught.value.code.name, caught.value.details) == ("DESKTOP_KEY_UNKNOWN", {"dispatched": "no"})


def test_every_named_key_has_a_keysym() -> None:
    assert [name for name in (*MODIFIERS, *NAMED) if not keysym_of(name)] == []


@pytest.mark.parametrize(
    ("character", "keysym"), [("a", 0x61), ("é", 0xE9), ("€", 0x10020AC), ("你", 0x1004F60), ("😀", 0x101F600)]
)
def test_a_character_beyond_latin_1_is_named_by_its_unicode_number(character: str, keysym: int) -> None:
    assert character_keysym(character) == keysym


def test_monitors_keep_their_signs_and_the_primary_one_comes_first() -> None:
    left, main = Box(-1920, -200, 1920, 1080), Box(0, 0, 2560, 1440)
    known = ordered([("left", left, False), ("main", main, True), ("off", Box(0, 0, 0, 0), False)], 1.5)
    assert known == (Monitor(1, "main", main, 1.5, primary=True), Monitor(2, "left", left, 1.5))
    assert on_a_monitor((-500, 0), known)
    assert on_a_monitor((-1920, -200), known)
    assert not on_a_monitor((-1921, 0), known)
    assert not on_a_monitor((-500, -201), known)
    assert not on_a_monitor((2560, 0), known)


@given(st.lists(st.tuples(st.text(max_size=3), st.booleans()), max_size=5))
def test_there_is_exactly_one_primary_monitor_whatever_the_layout(rows: list[tuple[str, bool]]) -> None:
    known = ordered([(name, Box(10 * at, 0, 10, 10), main) for at, (name, main) in enumerate(rows)], 1.0)
    assert [one.index for one in known] == list(range(1, len(rows) + 1))
    assert not known or known[0].primary


def test_a_line_of_the_resource_database_is_found_by_its_whole_name() -> None:
    text = "Xft.dpi:\t192\nNot.Xft.dpi: 96\n"
    assert (resource(text, "Xft.dpi"), resource(text, "Xft"), resource("", "Xft.dpi")) == ("192", None, None)


def test_roles_and_states_carry_the_names_of_the_standard() -> None:
    assert (len(ROLES), role_name(43), role_name(40), role_name(9_999)) == (
        130,
        "push_button",
        "password_text",
        "unknown",
    )
    assert state_names([1 << 12 | 1 << 25, 1 << 11]) == {"focused", "showing", "read_only"}


@pytest.mark.parametrize(
    "extents",
    [
        None,
        (-2147483648, -2147483648, 10, 10),
        (0, 0, 0, 10),
        (5, 5, -1, -1),
        (-1, -1, 1, 1),
        (0, 0, 40_000, 10),
    ],
)
def test_extents_that_mean_nowhere_give_no_box(extents: tuple[int, int, int, int] | None) -> None:
    states = frozenset({"showing", "visible"})
    node = Node(Ref(":1.1", "/a"), "push_button", states, "Go", 0, frozenset(), extents)
    assert placed(node, Space("w")) is None


def test_a_box_outside_what_is_seen_is_dropped_and_the_element_kept() -> None:
    node = Node(Ref(":1.1", "/a"), "push_button", frozenset({"visible"}), "Go", 0, frozenset(), (1, 2, 3, 4))
    assert placed(node, Space("w")) is None


@given(st.text(alphabet=st.characters(exclude_characters="|"), max_size=9))
def test_a_handle_tells_its_node_and_window(window: str) -> None:
    ref = Ref(":1.42", "/org/a11y/atspi/accessible/7")
    assert ref_of(handle_of(ref, window)) == (ref, window)


@pytest.mark.parametrize("handle", ["", "rubbish", "a|b"])
def test_a_handle_of_something_else_is_no_node(handle: str) -> None:
    assert ref_of(handle)[0].null


@pytest.mark.parametrize(
    ("environ", "code"),
    [
        ({}, "DESKTOP_DISPLAY_MISSING"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "DESKTOP_WAYLAND_ONLY"),
        ({"XDG_SESSION_TYPE": "wayland"}, "DESKTOP_WAYLAND_ONLY"),
        ({"DISPLAY": "unix:59999"}, "DESKTOP_DISPLAY_MISSING"),
        ({"DISPLAY": "no display"}, "DESKTOP_DISPLAY_MISSING"),
    ],
)
def test_without_a_display_the_failure_says_what_to_do(environ: dict[str, str], code: str) -> None:
    with pytest.raises(EyesError) as caught:
        open_linux(Opening(environ))
    assert caught.value.code.name == code
    assert caught.value.hint
