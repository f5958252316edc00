"""Name and payload to a validated request."""

from __future__ import annotations

from importlib import import_module
from typing import Literal

import pytest
from pydantic import Field, field_validator

from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import run
from deepseekeyes.dispatch import dispatch, request_type, validated
from deepseekeyes.operations import OPERATIONS


class Inner(Contract):
    x: float = Field(ge=0)


class Request(Contract):
    count: int | Literal["all"] = 1
    names: tuple[str, ...] = ()
    inner: Inner | None = None
    text: str = ""
    day: str = Field(default="2026-12-01", pattern=r"^\d{4}-\d{2}-\d{2}$", description="a day as YYYY-MM-DD")
    shape: str = Field(default="a", pattern="^a+$")

    @field_validator("text")
    @classmethod
    def _short(cls, value: str) -> str:
        if len(value) > 3:
            raise ValueError("is longer than 3 characters")
        return value


def refused(payload: dict[str, object]) -> EyesError:
    with pytest.raises(EyesError) as raised:
        validated(Request, payload)
    assert raised.value.code.name == "INVALID_REQUEST"
    return raised.value


def test_snake_and_camel_case_are_one_request() -> None:
    class Wide(Contract):
        allow_url: bool = False

    assert validated(Wide, {"allow_url": True}) == validated(Wide, {"allowUrl": True})


@pytest.mark.parametrize(
    ("payload", "path"),
    [
        ({"count": "many"}, "/count"),
        ({"names": ["a", 1]}, "/names/1"),
        ({"inner": {"x": -1}}, "/inner"),
        ({"text": "long text"}, "/text"),
        ({"unknown": 1}, "/unknown"),
    ],
)
def test_a_wrong_payload_names_the_field(payload: dict[str, object], path: str) -> None:
    assert refused(payload).details["path"] == path


def test_every_form_that_was_tried_is_named() -> None:
    assert "integer" in refused({"count": "many"}).message
    assert "'all'" in refused({"count": "many"}).message


def test_a_wrong_shape_is_told_in_words_never_as_a_pattern() -> None:
    assert refused({"day": "yesterday"}).message == "day: Input should be a day as YYYY-MM-DD."
    assert "^" not in refused({"shape": "b"}).message


def test_a_patterned_text_of_the_wrong_length_is_told_its_shape_too() -> None:
    from deepseekeyes.vision.cache_get import CacheGetRequest

    with pytest.raises(EyesError) as raised:
        validated(CacheGetRequest, {"record": "abc"}, "vision.cache.get")

    assert raised.value.message.startswith("record: Input should be the first 4 or more of the 64 hexadecimal digits")


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_every_patterned_field_of_a_request_describes_the_shape_of_its_text(operation: str) -> None:
    """The sentence continues "Input should be", so it begins small and ends without a full stop."""
    module, _, name = OPERATIONS[operation].target.partition(":")
    model = request_type(getattr(import_module(module), name))
    for key, field in model.model_fields.items():
        if any(getattr(rule, "pattern", None) for rule in field.metadata):
            told = field.description or ""
            assert told[:1].islower() or told[:1].isdigit(), f"{operation} {key}: {told!r}"
            assert not told.endswith("."), f"{operation} {key}: {told!r}"


def test_the_value_never_shows_in_the_message() -> None:
    assert "s3cret" not in refused({"text": "s3cret-value"}).message


def test_an_unknown_operation_is_a_usage_error() -> None:
    with pytest.raises(EyesError) as raised:
        run(dispatch("vision.dream", {}, None))  # type: ignore[arg-type]
    assert (raised.value.code.name, raised.value.exit_code) == ("UNKNOWN_OPERATION", 2)
