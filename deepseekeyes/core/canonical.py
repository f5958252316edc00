"""Canonical JSON: one text for one value, so that equal values have equal digests.

`canonical()` is version `canonical.v1`, in the manner of RFC 8785: keys sorted by UTF-16 code units, numbers printed
as ECMAScript prints them, only the escapes JSON needs, no white space. Where RFC 8785 refuses or is silent:

- integers are numbers like any other: beyond 2**53 they print as the nearest double does, so that a verifier written
  in any language comes to the same digest. Digits that must survive belong in a string.
- a surrogate pair spelled as two code points is the one character it stands for; a lone surrogate prints as `\\udXXX`.
- keys that look like array indices get no special order.
- NaN, infinities and everything that is not JSON are refused, and so is nesting deeper than `MAX_DEPTH`.
"""

from __future__ import annotations

import hashlib
import json.encoder
import math
import re
from collections.abc import Callable, Iterable
from typing import Any

from deepseekeyes.core.codes import JSON_DEPTH_LIMIT, NOT_JSON
from deepseekeyes.core.errors import EyesError

VERSION = "canonical.v1"
MAX_DEPTH = 200

_SURROGATE = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")
_quote: Callable[[str], str] = getattr(json.encoder, "c_encode_basestring", None) or json.encoder.encode_basestring
_CONSTANTS = {None: "null", True: "true", False: "false"}

_Keys = Callable[[dict[str, Any]], Iterable[str]]


def canonical(value: Any) -> str:
    """The canonical text of a JSON value; every cache key and digest is made from it.

    Args:
        value: None, bool, int, float, str, list, tuple or dict with string keys, nested at most `MAX_DEPTH` deep.

    Raises:
        EyesError: NOT_JSON, JSON_DEPTH_LIMIT.
    """
    return _finish(value, _sorted_keys)


def compact(value: Any) -> str:
    """The shortest JSON text of a value with its keys in the order they were inserted.

    Numbers print as in `canonical()`. It exists for formats that fix their own key order.

    Raises:
        EyesError: NOT_JSON, JSON_DEPTH_LIMIT.
    """
    return _finish(value, _own_keys)


def digest(value: Any) -> str:
    """SHA-256 (64 hex digits) of the UTF-8 bytes of `canonical(value)`.

    Raises:
        EyesError: NOT_JSON, JSON_DEPTH_LIMIT.
    """
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def number(value: float) -> str:
    """A finite number as ECMAScript's Number::toString prints it (`1.0` is `1`, `1e-7` is `1e-7`).

    Raises:
        EyesError: NOT_JSON for NaN, infinities and integers beyond the range of a double.
    """
    if isinstance(value, int):
        if -(2**53) <= value <= 2**53:
            return int.__repr__(value)
        value = _as_double(value)
    if not math.isfinite(value):
        raise EyesError(NOT_JSON, "A number that is not finite has no JSON form.")
    if value == 0:
        return "0"
    text = float.__repr__(value)
    if "e" not in text:
        return text.removesuffix(".0")
    return _from_exponent(text)


def _as_double(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        raise EyesError(NOT_JSON, "An integer is too large for a JSON number.") from None


def _from_exponent(text: str) -> str:
    """Python's shortest digits (`1.5e+300`, `1e-05`) in ECMAScript's layout."""
    mantissa, _, power = text.partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).rstrip("0") if fraction != "0" else whole
    point = int(power) + 1
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{tail}e{point - 1:+d}"


def _finish(value: Any, keys: _Keys) -> str:
    parts: list[str] = []
    _encode(value, parts.append, keys, 0)
    text = "".join(parts)
    return text if text.isascii() else _SURROGATE.sub(_surrogate, text)


def _surrogate(found: re.Match[str]) -> str:
    units = found[0]
    if len(units) == 2:
        return chr(0x10000 + ((ord(units[0]) - 0xD800) << 10) + ord(units[1]) - 0xDC00)
    return f"\\u{ord(units):04x}"


def _encode(value: Any, write: Callable[[str], None], keys: _Keys, depth: int) -> None:
    if isinstance(value, str):
        write(_quote(value))
    elif value is None or value is True or value is False:
        write(_CONSTANTS[value])
    elif isinstance(value, int | float):
        write(number(value))
    elif isinstance(value, dict):
        _encode_object(value, write, keys, depth + 1)
    elif isinstance(value, list | tuple):
        _encode_array(value, write, keys, depth + 1)
    else:
        raise EyesError(NOT_JSON, f"A value of type {type(value).__name__} has no JSON form.")


def _encode_object(value: dict[str, Any], write: Callable[[str], None], keys: _Keys, depth: int) -> None:
    _check_depth(depth)
    lead = "{"
    for key in keys(value):
        write(lead + _quote(key) + ":")
        _encode(value[key], write, keys, depth)
        lead = ","
    write("}" if lead == "," else "{}")


def _encode_array(value: list[Any] | tuple[Any, ...], write: Callable[[str], None], keys: _Keys, depth: int) -> None:
    _check_depth(depth)
    lead = "["
    for item in value:
        write(lead)
        _encode(item, write, keys, depth)
        lead = ","
    write("]" if lead == "," else "[]")


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise EyesError(
            JSON_DEPTH_LIMIT,
            f"A document is nested more than {MAX_DEPTH} levels deep, or contains itself.",
            details={"limit": {"name": "canonical depth", "value": MAX_DEPTH, "setting": None}},
        )


def _own_keys(value: dict[str, Any]) -> Iterable[str]:
    for key in value:
        if not isinstance(key, str):
            raise EyesError(NOT_JSON, f"An object key of type {type(key).__name__} has no JSON form.")
    return value


def _sorted_keys(value: dict[str, Any]) -> Iterable[str]:
    names = list(_own_keys(value))
    if "".join(names).isascii():
        names.sort()
    else:
        names.sort(key=_utf16)
    return names


def _utf16(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")
