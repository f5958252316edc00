"""Canonical JSON: golden vectors and the laws behind them."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.core.canonical import MAX_DEPTH, canonical, compact, digest
from deepseekeyes.core.errors import EyesError

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (2.0, "2"),
        (-1.0, "-1"),
        (0.1, "0.1"),
        (100, "100"),
        (123.456, "123.456"),
        (1e-6, "0.000001"),
        (1.5e-6, "0.0000015"),
        (1e-7, "1e-7"),
        (-1.25e-9, "-1.25e-9"),
        (1e16, "10000000000000000"),
        (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (2**53, "9007199254740992"),
        (2**53 + 1, "9007199254740992"),
        (-(2**53) - 3, "-9007199254740996"),
        (12345678901234567890, "12345678901234567000"),
        (10**21, "1e+21"),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        ([], "[]"),
        ({}, "{}"),
        ((1, "a"), '[1,"a"]'),
        ('"\\/\b\f\n\r\t\x00\x1f\x7f\u2028é😀', '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\u2028é😀"'),
        ("\ud800", '"\\ud800"'),
        ("a\udfffb", '"a\\udfffb"'),
        ("\ud83d\ude00", '"😀"'),
        ("\\ud800", '"\\\\ud800"'),
        ({"__proto__": 1}, '{"__proto__":1}'),
    ],
)
def test_values_print_as_ecmascript_prints_them(value: Any, text: str) -> None:
    assert canonical(value) == text


def test_keys_sort_by_utf16_code_units() -> None:
    assert canonical({"\uffff": 3, "😀": 2, "é": 1}) == '{"é":1,"😀":2,"\uffff":3}'
    assert canonical({"b": 1, "a": 2, "B": 3, "": 4}) == '{"":4,"B":3,"a":2,"b":1}'


def test_index_like_keys_get_no_special_order() -> None:
    assert canonical({"10": 1, "9": 2, "-1": 4, "01": 5, "a": 3}) == '{"-1":4,"01":5,"10":1,"9":2,"a":3}'


@pytest.mark.parametrize(
    ("value", "sha256"),
    [
        ({}, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"),
        ({"a": 1}, "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"),
        (
            {"content": [{"type": "text", "text": "a"}, {"text": "b", "type": "text"}]},
            "c9e61dfbc3b4c4e420ccda4bbee8e086e9642552d84f96dffb88789001f5ee3c",
        ),
        (
            {"content": [{"type": "image", "data": "AQID", "mimeType": "image/png"}]},
            "e0bcfafbafa65eb463c4873192feef533b682d80f8a6791275a0c5bc492fa186",
        ),
    ],
)
def test_digests_match_the_golden_vectors(value: Any, sha256: str) -> None:
    assert digest(value) == sha256


@pytest.mark.parametrize(
    ("kind", "discriminator", "sha256"),
    [
        ("base", None, "ad28408af6f0935437a9552801d182a99ebc45554d3aa1a7572db5f7ce7a717b"),
        ("target", {"question": "Read row 3"}, "c8f28e764da73c23bf6943242090cf0adbdcff2ed9bb64dbdd35440192a94f47"),
        (
            "target",
            {"question": "Read row 3", "region": {"x": 0.0, "y": 0, "width": 1.0, "height": 0.5}},
            "e10d8e4d79d78a02a977a00c78339c34f9758f1fcac7c652c760886ea0375df3",
        ),
    ],
)
def test_compact_keeps_the_given_order_and_matches_the_golden_cache_keys(
    kind: str, discriminator: dict[str, Any] | None, sha256: str
) -> None:
    key = {
        "kind": kind,
        "sourceSha256": "a" * 64,
        "provider": "eyes",
        "model": "vision-1",
        "promptVersion": "2026-08-15.3",
        "discriminator": "" if discriminator is None else compact(discriminator),
    }
    assert hashlib.sha256(compact(key).encode()).hexdigest() == sha256


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, [math.nan], {"a": math.inf}, 10**400, b"x", {1: 2}, {None: 1}, {1, 2}, object()],
)
@pytest.mark.parametrize("encode", [canonical, compact, digest])
def test_what_has_no_json_form_is_refused(encode: Any, value: Any) -> None:
    with pytest.raises(EyesError) as failure:
        encode(value)
    assert failure.value.code.name == "NOT_JSON"


def test_nesting_is_bounded_and_a_cycle_ends_there() -> None:
    deep: Any = 1
    for _ in range(MAX_DEPTH):
        deep = [deep]
    assert canonical(deep) == "[" * MAX_DEPTH + "1" + "]" * MAX_DEPTH
    circle: dict[str, Any] = {}
    circle["self"] = circle
    for value in ([deep], circle):
        with pytest.raises(EyesError) as failure:
            canonical(value)
        assert failure.value.code.name == "JSON_DEPTH_LIMIT"
        assert failure.value.details["limit"] == {"name": "canonical depth", "value": MAX_DEPTH, "setting": None}


@given(VALUES)
def test_canonical_text_is_json_and_stable_under_a_round_trip(value: Any) -> None:
    text = canonical(value)
    assert canonical(json.loads(text)) == text
    text.encode()


@given(st.lists(st.tuples(st.text(), SCALARS), max_size=8, unique_by=lambda pair: pair[0]))
def test_key_order_never_matters(pairs: list[tuple[str, Any]]) -> None:
    assert canonical(dict(pairs)) == canonical(dict(reversed(pairs)))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_printed_numbers_read_back_as_the_same_number(value: float) -> None:
    text = canonical(value)
    assert float(text) == value
    assert "e0" not in text
    assert not text.endswith(".0")


@given(VALUES)
def test_compact_and_canonical_hold_the_same_value(value: Any) -> None:
    assert json.loads(compact(value)) == json.loads(canonical(value))
