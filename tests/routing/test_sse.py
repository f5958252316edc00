"""Event streams in any cut, and their bounds."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.routing.sse import Event, EventParser, EventTooLargeError, Lines

SAMPLE = (
    "\ufeff: comment\r\nevent: first\r\ndata: one\r\ndata: two\r\n\r\n"
    "data:three\n\nid: 7\nretry: 5\n\nevent: lost\n\ndata: \u4e16\u754c\r\rdata\n\ndata: last"
).encode()
EVENTS = [Event("first", "one\ntwo"), Event("", "three"), Event("", "世界"), Event("", ""), Event("", "last")]


def parse(chunks: list[bytes]) -> list[Event]:
    parser = EventParser()
    found = [event for chunk in chunks for event in parser.feed(chunk)]
    return found + parser.close()


@given(st.lists(st.integers(0, len(SAMPLE)), max_size=12))
def test_the_cut_does_not_matter(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(SAMPLE)]
    assert parse([SAMPLE[start:end] for start, end in pairwise(places)]) == EVENTS


def test_byte_by_byte_reads_the_same() -> None:
    assert parse([SAMPLE[at : at + 1] for at in range(len(SAMPLE))]) == EVENTS


def test_a_line_without_end_is_stopped() -> None:
    parser = EventParser(limit=100)
    assert parser.feed(b"data: " + b"x" * 90) == []
    with pytest.raises(EventTooLargeError):
        parser.feed(b"x" * 5)


def test_an_event_of_many_lines_is_stopped() -> None:
    parser = EventParser(limit=100)
    assert parser.feed(b"data: 0123456789\n" * 6) == []
    with pytest.raises(EventTooLargeError):
        parser.feed(b"data: 0123456789\n")


def test_many_events_within_the_bound_are_fine() -> None:
    parser = EventParser(limit=100)
    assert sum(len(parser.feed(b"data: 0123456789\n\n")) for _ in range(50)) == 50


def test_a_line_end_may_be_cut_in_two() -> None:
    lines = Lines()
    assert [lines.feed(bytes([one])) for one in b"a\r\n\nb\n"] == [[], [b"a"], [], [b""], [], [b"b"]]


@given(st.text("ab\r\n", max_size=40).map(str.encode), st.lists(st.integers(0, 200), max_size=6))
def test_lines_are_those_of_the_whole(data: bytes, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    lines = Lines()
    found = [line for start, end in pairwise(places) for line in lines.feed(data[start:end])]
    plain = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    assert [*found, lines.rest()] == plain
