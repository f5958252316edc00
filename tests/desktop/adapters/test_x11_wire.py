"""Calls to the accessibility bus are packed as jeepney packs them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jeepney import DBusAddress, new_method_call

from deepseekeyes.desktop.adapters.linux.atspi_wire import (
    ACCESSIBLE,
    COMPONENT,
    EDITABLE_TEXT,
    PROPERTIES,
    VALUE,
    Call,
    packed,
    prop,
)

QUESTIONS = {
    "no arguments": Call(":1.5", "/", ACCESSIBLE, "GetChildren"),
    "a number": Call(":1.22", "/", COMPONENT, "GetExtents", "u", (1,)),
    "a property": prop("org.a11y.atspi.Registry", "/", ACCESSIBLE, "Description"),
    "a variant": Call(":1.5", "/", PROPERTIES, "Set", "ssv", (VALUE, "CurrentValue", ("d", 4.5))),
    "text of a person": Call(":1.5", "/", EDITABLE_TEXT, "InsertText", "isi", (0, "Zoë 😀", -1)),
}
PATHS = st.lists(st.text("abcXYZ_019", min_size=1, max_size=40), max_size=6).map(lambda parts: "/" + "/".join(parts))


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
@given(path=PATHS, serial=st.integers(1, 2**32 - 1))
def test_a_call_is_the_bytes_that_the_library_makes_of_it(question: Call, path: str, serial: int) -> None:
    call = Call(question.bus, path, question.interface, question.member, question.signature, question.body)
    address = DBusAddress(path, bus_name=call.bus, interface=call.interface)
    wanted = new_method_call(address, call.member, call.signature or None, call.body).serialise(serial=serial)
    assert packed(call, serial) == wanted
