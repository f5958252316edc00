"""States, refs, digests, deltas, verdicts, pixels: the pure rules."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from deepseekeyes.automation import pixels
from deepseekeyes.automation.delta import changed_fields, delta, is_empty
from deepseekeyes.automation.keys import Keys
from deepseekeyes.automation.refs import RefBook, ref_key
from deepseekeyes.automation.state import state_id
from deepseekeyes.automation.surface import Check, Control, Seen, Snapshot
from deepseekeyes.automation.verdict import differs, equal, verdict
from deepseekeyes.contracts.automation import Compared, Delta, ItemChange, SetDelta, TextDelta
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import Box

VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
CONTROLS = st.lists(
    st.builds(
        Control,
        ref=st.text("ab", min_size=1, max_size=3),
        key=st.just("k"),
        role=st.sampled_from(["button", "link"]),
        name=st.text(max_size=4),
        box=st.none() | st.builds(Box, *[st.floats(0, 100)] * 4),
        fields=st.dictionaries(st.sampled_from(["value", "checked"]), VALUES, max_size=2),
    ),
    unique_by=lambda one: one.ref,
    max_size=5,
).map(tuple)
SNAPSHOTS = st.builds(
    Snapshot,
    scope=st.sampled_from(["page", "window"]),
    tail=st.just(""),
    facts=st.dictionaries(st.sampled_from(["url", "title"]), VALUES),
    text=st.text(max_size=30),
    elements=CONTROLS,
    windows=CONTROLS,
)


def seen(snapshot: Snapshot) -> Seen:
    return Seen("browser-state:1", 1, "2026-12-01T00:00:00.000Z", snapshot)


@pytest.mark.parametrize(
    ("kind", "tail", "digest"),
    [
        ("browser", "https://example.com/", "c191224b31504e642d8175ef04843a28f14d858886ea47294cf4d851e30e1e81"),
        ("desktop", "linux", "5952793a5e62d8d21801f50d7c4662c3b6655818ee54aa29ff5c2192e7398033"),
    ],
)
def test_state_ids_are_the_known_ones(kind: Any, tail: str, digest: str) -> None:
    assert state_id(kind, "run", 1, "a" * 64, tail) == f"{kind}-state:{digest}"


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans()), max_size=40))
def test_a_ref_belongs_to_one_node_for_ever(story: list[tuple[str, bool]]) -> None:
    book = RefBook()
    owners: dict[str, str] = {}
    alive: dict[str, str] = {}
    births = 0
    for node, dies in story:
        if node not in alive:
            births += 1
            alive[node] = f"{node}{births}"
        ref = book.ref(alive[node])
        assert owners.setdefault(ref, alive[node]) == alive[node]
        assert book.identity(ref) == alive[node]
        if dies:
            book.retire([alive.pop(node)])
            assert book.identity(ref) is None
        book = RefBook.from_json(book.to_json())


def test_refs_forgotten_for_room_are_never_given_again() -> None:
    book = RefBook("w", kept=2)
    assert [book.ref(node) for node in "abcab"] == ["w1", "w2", "w3", "w4", "w5"]
    assert [book.ref(node) for node in "ab"] == ["w4", "w5"]


def test_the_same_control_has_the_same_key_in_another_observation() -> None:
    one = ref_key("br", "button", "Send", "https://a.example/", "submit", "send")
    assert one == ref_key("br", "button", "Send", "https://a.example/", "submit", "send")
    assert len({one, ref_key("br", "button", "Send", "https://b.example/", "submit", "send"), one.upper()}) == 3
    assert one != ref_key("br", "button", "Send", "https://a.example/", "submit", "send", ordinal=1)
    assert one.startswith("br_")
    assert len(one) == 15


def test_keyed_digests_compare_within_a_run_only_and_end_with_it() -> None:
    keys, other = Keys(), Keys()
    assert keys.digest("pin 1234") == Keys.from_hex(keys.to_hex()).digest("pin 1234") != other.digest("pin 1234")
    told = keys.told("a😀")
    assert (told["length"], told["utf16Length"]) == (2, 3)
    keys.close()
    assert keys.to_hex() is None
    for closed in (keys, Keys.from_hex(None)):
        with pytest.raises(EyesError) as caught:
            closed.digest("x")
        assert caught.value.code.name == "RUN_CLOSED"


@given(SNAPSHOTS)
def test_the_delta_of_equal_observations_is_empty(snapshot: Snapshot) -> None:
    found = delta(seen(snapshot), replace(snapshot))
    assert is_empty(found)
    assert not is_empty(delta(None, snapshot))


@given(SNAPSHOTS, SNAPSHOTS)
def test_a_delta_is_empty_only_where_nothing_differs_and_mirrors_itself(one: Snapshot, two: Snapshot) -> None:
    forth, back = delta(seen(one), two), delta(seen(two), one)
    assert set(forth.elements.added) == set(back.elements.removed)
    assert set(forth.elements.removed) == set(back.elements.added)
    if is_empty(forth):
        assert one.scope == two.scope
        assert all(one.facts.get(name) == two.facts.get(name) for name in ("url", "title"))
        assert {control.ref for control in one.elements} == {control.ref for control in two.elements}


def test_a_delta_names_what_changed_and_never_a_value_of_a_control() -> None:
    field = Control("e1", "k", "textbox", "Name", fields={"value": "secret text", "focused": True})
    old = Snapshot("page", "", {"url": "a"}, "one\ntwo\ntwo", (field, Control("e2", "k", "link", "Go")))
    new = Snapshot("page", "", {"url": "b"}, "two\nthree", (replace(field, fields={"value": "", "focused": False}),))
    assert delta(seen(old), new) == Delta(
        from_state_id="browser-state:1",
        facts=(Compared(what="url", before="a", after="b"),),
        text=TextDelta(added=("three",), removed=("one", "two")),
        elements=SetDelta(removed=("e2",), changed=(ItemChange(ref="e1", fields=("focused", "value")),)),
    )
    assert changed_fields(field, replace(field, box=Box(0, 0, 1, 1))) == ("bbox",)


def test_long_deltas_are_cut_and_counted() -> None:
    many = tuple(Control(f"e{n}", "k", "button", "") for n in range(250))
    found = delta(seen(Snapshot("p", "")), Snapshot("p", "", text="\n".join(map(str, range(100))), elements=many))
    assert (len(found.elements.added), found.elements.omitted) == (200, 50)
    assert found.text is not None
    assert (len(found.text.added), found.text.omitted) == (40, 60)


def check(holds: bool | None, weight: Any = "must") -> Check:
    return Check(Compared(what="x", holds=holds), weight)


@pytest.mark.parametrize(
    ("checks", "expected"),
    [
        ([], "unverified"),
        ([check(True)], "verified"),
        ([check(True), check(False)], "unverified"),
        ([check(None)], "unverified"),
        ([check(True), check(False, "may")], "verified"),
        ([check(False), check(True, "may")], "unverified"),
        ([check(False, "may"), check(True, "may")], "verified"),
        ([check(None, "may")], "unverified"),
    ],
)
def test_musts_all_hold_or_without_any_one_may_does(checks: list[Check], expected: str) -> None:
    assert verdict(checks) == expected


def test_checks_compare_what_they_say() -> None:
    assert equal("value", "", "a", "a").compared.holds is True
    assert differs("url", "a", "a").compared.holds is False


def png(
    colour: str, size: tuple[int, int] = (100, 70), mode: str = "RGB", spot: tuple[int, int] | None = None
) -> bytes:
    picture = Image.new(mode, size, colour)
    if spot is not None:
        picture.putpixel(spot, (1, 2, 3))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def test_masked_pixels_are_gone_and_still_tell_changes_apart() -> None:
    keys = Keys()
    plain, marked = png("white"), png("white", spot=(15, 15))
    mask = [Box(9.5, 10, 20, 20), Box(200, 0, 5, 5)]
    one, two = (pixels.take(data, keys, masks=mask) for data in (plain, marked))
    assert one.data == two.data
    assert one.masks == (Box(9, 10, 21, 20),)
    assert one.pixel_digest != two.pixel_digest
    assert pixels.changed_near(one.grid, two.grid, Box(10, 10, 2, 2), margin=0) is True
    assert pixels.changed_near(one.grid, two.grid, Box(80, 50, 2, 2), margin=0) is False
    assert pixels.areas(one.grid, two.grid) == (Box(0, 0, 32, 32),)
    assert Image.open(io.BytesIO(one.data)).getpixel((15, 15)) == pixels.MASK_COLOUR
    assert pixels.take(plain, keys).data == plain


def test_equal_pixels_in_another_encoding_are_unchanged() -> None:
    keys = Keys()
    opaque = Image.new("RGBA", (100, 70), (255, 255, 255, 255))
    out = io.BytesIO()
    opaque.save(out, "PNG", compress_level=0)
    one, two = pixels.take(png("white"), keys), pixels.take(out.getvalue(), keys)
    assert one.sha256 != two.sha256
    assert (one.pixel_digest, one.grid) == (two.pixel_digest, two.grid)
    assert pixels.take(png("white", (70, 100)), keys).pixel_digest != one.pixel_digest


def test_pictures_of_another_size_cannot_be_compared_by_area() -> None:
    keys = Keys()
    one, two = pixels.take(png("white"), keys), pixels.take(png("white", (300, 70)), keys)
    assert pixels.changed_near(one.grid, two.grid, Box(0, 0, 1, 1)) is None
    assert pixels.areas(one.grid, two.grid) == ()


def test_bytes_that_are_no_picture_are_refused() -> None:
    with pytest.raises(EyesError) as caught:
        pixels.take(b"\x89PNG\r\n\x1a\n", Keys())
    assert caught.value.code.name == "SCREENSHOT_UNUSABLE"


def test_a_part_that_is_captured_anew_is_compared_like_the_whole() -> None:
    whole = Image.new("RGB", (100, 70), "white")
    marked = whole.copy()
    marked.paste((0, 0, 0), (90, 60, 96, 66))
    keys = Keys()
    one, two = pixels.take(encoded(whole), keys), pixels.take(encoded(marked), keys)
    assert one.grid is not None
    box = Box(92, 62, 2, 2)
    tiles = pixels.tiles_around(one.grid, box, margin=0)
    assert tiles == (2, 1, 1, 1)
    same, other = (
        pixels.patch(encoded(each.crop((64, 32, 96, 64))), keys, one.grid, (2, 1)) for each in (whole, marked)
    )
    assert same == one.grid
    assert pixels.changed_near(other, two.grid, Box(80, 40, 2, 2), margin=0) is False
    assert pixels.changed_near(same, two.grid, Box(80, 40, 2, 2), margin=0) is True
    assert pixels.patch(encoded(whole), keys, one.grid, (1, 0)) is None
    assert pixels.tiles_around(one.grid, Box(500, 500, 5, 5)) is None


def encoded(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()
