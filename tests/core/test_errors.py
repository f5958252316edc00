"""The failure type."""

from __future__ import annotations

import copy
import pickle

import pytest

from deepseekeyes.core.errors import EXIT_CODES, Code, EyesError

CODE = Code("SOME_CODE", "refused-stale", "Look again: deepseekeyes {group} observe --id {id}")


def test_every_kind_has_its_own_exit_code() -> None:
    assert EXIT_CODES == {
        "verdict": 1,
        "usage": 2,
        "input": 3,
        "auth": 4,
        "unavailable": 5,
        "contract": 6,
        "refused-stale": 7,
        "unresolved": 8,
        "policy": 9,
        "partial": 10,
        "internal": 70,
        "interrupt": 130,
    }


def test_the_kind_decides_the_exit_and_fields_fill_the_hint() -> None:
    error = EyesError(CODE, "The state is old.", group="browser", id="{x}")
    assert (error.kind, error.exit_code, str(error)) == ("refused-stale", 7, "The state is old.")
    assert error.hint == "Look again: deepseekeyes browser observe --id {x}"
    assert error.details == {}


@pytest.mark.parametrize(
    ("fields", "hint"),
    [
        ({}, "Look again: deepseekeyes {group} observe --id {id}"),
        ({"group": "desktop"}, "Look again: deepseekeyes desktop observe --id {id}"),
    ],
)
def test_a_placeholder_without_a_field_stays(fields: dict[str, str], hint: str) -> None:
    assert EyesError(CODE, "x", **fields).hint == hint


@pytest.mark.parametrize("twin", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy])
def test_an_error_survives_copying_and_travelling_between_processes(twin: object) -> None:
    error = EyesError(CODE, "m", details={"path": "/a", "retryAfterSeconds": 2.0}, group="g")
    found = twin(error)  # type: ignore[operator]
    assert (found.code, found.message, found.details, found.hint, str(found)) == (
        error.code,
        "m",
        {"path": "/a", "retryAfterSeconds": 2.0},
        error.hint,
        "m",
    )
