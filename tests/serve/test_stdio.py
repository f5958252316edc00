"""The server's byte reader."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage

from deepseekeyes.serve.stdio import Lines, _message


@given(st.lists(st.binary(max_size=30).map(lambda part: part.replace(b"\n", b"")), max_size=8), st.data())
def test_lines_do_not_depend_on_how_the_bytes_arrive(lines: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(line + b"\n" for line in lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=6)))
    pieces = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    reader = Lines(1000)
    found = [line for piece in pieces for line in reader.feed(piece)]
    assert found == [line for line in lines if line.strip()]
    assert reader.dropped == 0


def test_a_line_over_the_cap_is_dropped_and_the_next_one_is_read() -> None:
    reader = Lines(10)
    found = [
        line for piece in (b"ok\n" + b"x" * 8, b"x" * 8, b"xx\nnext\n", b"10 bytes..\n") for line in reader.feed(piece)
    ]
    assert (found, reader.dropped) == ([b"ok", b"next", b"10 bytes.."], 1)


def test_a_byte_order_mark_before_the_first_message_does_no_harm() -> None:
    read = _message(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}')
    assert isinstance(read, SessionMessage)
