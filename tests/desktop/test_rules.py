"""The pure rules: names of windows, delivery of pixels, tiles, how much a tree tells, what was entered."""

from __future__ import annotations

import hashlib
import io
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples
from PIL import Image

from deepseekeyes.automation.state import state_id
from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.acting import notches
from deepseekeyes.desktop.delivery import Delivery, Situation, decide
from deepseekeyes.desktop.identity import element_ref, element_refs, window_ref, window_refs
from deepseekeyes.desktop.judging import entered, same_value
from deepseekeyes.desktop.launch import told_arguments
from deepseekeyes.desktop.semantics import quality, status
from deepseekeyes.desktop.tiles import Limits, tiles


def test_refs_and_states_are_those_of_the_golden_vectors() -> None:
    assert window_ref("42:0") == "win_547345cae1ce"
    assert element_ref("42:0:0.1") == "el_a88c13128190"
    expected = "desktop-state:5952793a5e62d8d21801f50d7c4662c3b6655818ee54aa29ff5c2192e7398033"
    assert state_id("desktop", "run", 1, "a" * 64, "linux") == expected
    assert told_arguments(("--fixture", "value")) == {
        "argumentCount": 2,
        "argumentsSha256": "92b3322d9b209f8727313ef05d077e9f2e21ca208f95acc778ef2465b59ee773",
    }


@given(st.lists(st.text(max_size=30), unique=True, max_size=60))
def test_every_identity_has_a_ref_of_its_own_that_does_not_depend_on_the_others(identities: list[str]) -> None:
    windows, elements = window_refs(identities), element_refs(identities)

    assert len(set(windows.values())) == len(set(elements.values())) == len(identities)
    assert all(windows[one] == window_ref(one) and elements[one] == element_ref(one) for one in identities)


_SEEN: dict[str, Any] = {"action": "observe", "quality": "available"}
DELIVERY = [
    ("nothing was captured", {"captured": False, "asked": True}, (False, "screenshot-unavailable")),
    ("asked for", {"asked": True, "mode": "manual"}, (True, "explicit-request")),
    ("not wanted", {"asked": False, "mode": "always"}, (False, "explicit-omit")),
    ("always", {"mode": "always"}, (True, "configured-always")),
    ("only by hand", {"mode": "manual", "visual": True}, (False, "configured-manual")),
    ("a visual claim", {"action": "assert", "visual": True}, (True, "visual-assertion")),
    ("the tree tells enough", {}, (False, "semantic-state-sufficient")),
    ("a launch, too", {"action": "launch"}, (False, "semantic-state-sufficient")),
    ("the tree was cut", {"truncated": True}, (True, "semantic-available-fallback")),
    ("the tree tells little", {"action": "wait", "quality": "sparse"}, (True, "semantic-sparse-fallback")),
    ("there is no tree", {"quality": "empty"}, (True, "semantic-empty-fallback")),
    ("trees cannot be read", {"quality": "disabled"}, (True, "semantic-disabled-fallback")),
    ("an action", {"action": "click"}, (False, "action-result-fast-path")),
    (
        "a click by coordinates in a window without a tree",
        {"action": "click", "quality": "sparse", "pointed": True, "changed": True},
        (True, "sparse-action-fallback"),
    ),
    (
        "the same without a change",
        {"action": "click", "quality": "sparse", "pointed": True, "changed": False},
        (False, "action-result-fast-path"),
    ),
    (
        "the same switched off",
        {"action": "click", "quality": "empty", "pointed": True, "changed": True, "sparse_actions": False},
        (False, "action-result-fast-path"),
    ),
    (
        "a click by coordinates where the tree tells enough",
        {"action": "click", "pointed": True, "changed": True},
        (False, "action-result-fast-path"),
    ),
]


@pytest.mark.parametrize(("values", "expected"), [row[1:] for row in DELIVERY], ids=[row[0] for row in DELIVERY])
def test_pixels_are_shown_by_the_first_rule_that_fits(values: dict[str, Any], expected: tuple[bool, str]) -> None:
    assert decide(Situation(**{**_SEEN, **values})) == Delivery(*expected)


def _row(role: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "name": "", "value": None, "actions": [], "editable": False, "container": False, **more}


@pytest.mark.parametrize(
    ("rows", "readable", "expected"),
    [
        ([], False, "disabled"),
        ([], True, "empty"),
        ([_row("frame", name="Editor"), _row("filler", container=True, name="x")], True, "sparse"),
        ([_row("frame"), _row("unknown")], True, "sparse"),
        ([_row("frame"), _row("push_button", name="Save")], True, "available"),
        ([_row("panel", container=True), _row("custom", actions=["click"])], True, "available"),
        ([_row("text", editable=True)], True, "available"),
    ],
)
def test_a_tree_of_empty_containers_counts_as_sparse(rows: list[dict[str, Any]], readable: bool, expected: str) -> None:
    assert quality(readable=readable, elements=rows) == expected


def test_a_walk_that_ran_out_of_time_says_so_in_the_status() -> None:
    walk = {"status": "timeout", "reason": "app-timeout", "leftOut": 0, "elapsedMs": 900}
    found = status(readable=True, reason=None, elements=[], total=0, walk=walk)

    assert (found["quality"], found["truncated"], found["limitReason"]) == ("empty", True, "app-timeout")
    assert found["preferredTargeting"] == "screenshot-coordinates"


def _png(width: int, height: int, *, noise: int | None = None, mode: str = "RGB") -> bytes:
    picture = Image.new(mode, (width, height), 7 if mode == "L" else None)
    if noise is not None:
        data = random.Random(noise).randbytes(width * height * len(picture.getbands()))
        picture = Image.frombytes(mode, (width, height), data)
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=0)
    return out.getvalue()


def _rebuilt(data: bytes, limits: Limits) -> bool:
    """Whether the tiles, put where they belong, are the picture again, pixel for pixel."""
    with Image.open(io.BytesIO(data)) as source:
        source.load()
        whole = Image.new(source.mode, source.size)
        for one in tiles(data, limits):
            assert hashlib.sha256(one.data).hexdigest() == one.sha256
            with Image.open(io.BytesIO(one.data)) as part:
                assert part.size == (one.width, one.height)
                whole.paste(part, (one.x, one.y))
        return whole.tobytes() == source.tobytes()


def test_a_picture_that_fits_stays_one_and_shrinks() -> None:
    data = _png(300, 200)
    found = tiles(data, Limits())

    assert [(one.x, one.y, one.width, one.height) for one in found] == [(0, 0, 300, 200)]
    assert len(found[0].data) < len(data)


def test_random_pixels_are_cut_by_their_bytes_and_rebuild_exactly() -> None:
    data = _png(256, 160, noise=1)
    found = tiles(data, Limits(bytes=65_536))

    assert len(found) > 1
    assert all(len(one.data) <= 65_536 for one in found)
    assert _rebuilt(data, Limits(bytes=65_536))


def test_the_order_of_tiles_is_depth_first() -> None:
    found = tiles(_png(5120, 2880, mode="L"), Limits())
    assert [(one.x, one.y) for one in found[:6]] == [(0, 0), (1280, 0), (0, 1440), (1280, 1440), (2560, 0), (3840, 0)]


SIZES = [
    (1920, 1080, 1),
    (2560, 1440, 2),
    (2880, 1800, 2),
    (3440, 1440, 2),
    (3840, 2160, 4),
    (5120, 1440, 4),
    (5120, 2880, 8),
    (1280, 10_000, 8),
    (5120, 2, 4),
]


@pytest.mark.parametrize(("width", "height", "count"), SIZES)
def test_the_side_limit_alone_gives_so_many_tiles(width: int, height: int, count: int) -> None:
    assert len(tiles(_png(width, height, mode="L"), Limits())) == count


@examples(25)
@given(
    width=st.integers(1, 90),
    height=st.integers(1, 90),
    side=st.integers(8, 90),
    pixels=st.integers(16, 5_000),
    mode=st.sampled_from(["RGB", "RGBA", "L", "LA"]),
)
def test_tiles_of_any_size_keep_the_limits_and_rebuild_the_picture(
    width: int, height: int, side: int, pixels: int, mode: str
) -> None:
    limits = Limits(side=side, pixels=pixels, tiles=10_000)
    data = _png(width, height, noise=width, mode=mode)

    assert all(
        one.width <= side and one.height <= side and one.width * one.height <= pixels for one in tiles(data, limits)
    )
    assert _rebuilt(data, limits)


@pytest.mark.parametrize(
    ("limits", "name"),
    [
        (Limits(bytes=10), "screenshot_bytes"),
        (Limits(side=10, tiles=3), "screenshot_tiles"),
        (Limits(total=100), "screenshot_total_bytes"),
    ],
)
def test_a_limit_that_cannot_be_kept_names_its_setting(limits: Limits, name: str) -> None:
    with pytest.raises(EyesError) as caught:
        tiles(_png(64, 64, noise=2), limits)

    assert caught.value.code.name == "DESKTOP_SCREENSHOT_LIMIT"
    assert caught.value.details["limit"]["setting"] == f"desktop.{name}"


@pytest.mark.parametrize(
    ("before", "now", "text", "whole"),
    [
        ("", "hello", "hello", True),
        ("say: ", "say: hello", "hello", True),
        ("ab", "aXb", "X", True),
        ("a selected b", "a new b", "new", True),
        ("", "hello ttttttt", "hello this is", False),
        ("", "hell", "hello", False),
        ("", "hellohello", "hello", False),
        ("", "a\nb", "a\r\nb", True),
        (None, "x", "x", True),
        ("e", "eé😀", "é😀", True),
    ],
    ids=["empty", "appended", "inside", "selection", "D17", "cut", "twice", "newline", "unknown", "emoji"],
)
def test_text_counts_as_entered_only_when_it_is_there_once_and_whole(
    before: str | None, now: str, text: str, whole: bool
) -> None:
    assert entered(before, now, text) is whole


@given(st.text(max_size=20), st.text(min_size=1, max_size=20), st.text(max_size=20))
def test_text_put_in_anywhere_counts_as_entered(head: str, text: str, tail: str) -> None:
    assert entered(head + tail, head + text + tail, text)


def test_values_are_the_same_as_text_or_as_number() -> None:
    assert same_value("42.0", "42")
    assert same_value("abc", "abc")
    assert not same_value("42", "43")
    assert not same_value("abc", "abd")


def test_pixels_of_a_scroll_become_whole_notches_and_never_none() -> None:
    assert [notches(one) for one in (0, 1, 60, 89, 300, -10, -600)] == [0, 1, 1, 1, 5, -1, -10]
