"""Secrets by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from deepseekeyes.core import secrets
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.secrets import SecretRef, available, known_values, remember, reveal, watch


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_revealed", {})
    monkeypatch.setattr(secrets, "_watched", {})
    return


class Strict(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    key: SecretRef | None = None


def test_a_revealed_secret_is_trimmed_and_known_from_then_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QWEN", "  value-1 \n")
    assert known_values() == ()
    assert reveal(SecretRef("QWEN")) == "value-1"
    assert known_values() == ("value-1",)


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_or_blank_variable_is_an_auth_failure_that_names_it(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if value is not None:
        monkeypatch.setenv("QWEN", value)
    assert not available(SecretRef("QWEN"))
    with pytest.raises(EyesError) as failure:
        reveal(SecretRef("QWEN"))
    assert (failure.value.code.name, failure.value.exit_code) == ("CREDENTIAL_MISSING", 4)
    assert "QWEN" in failure.value.hint


def test_watched_and_telling_variables_are_known_before_anybody_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "PLAIN": "abcd",
        "SOME_API_KEY": "k" * 9,
        "DB_PASSWORD": "p" * 8,
        "A_TOKEN": "short",
        "KEYBOARD": "k" * 20,
        "SECRET": "s" * 10,
        "PWD": str(Path.cwd()),
        "APP_CREDENTIALS": __file__,
    }.items():
        monkeypatch.setenv(name, value)
    watch(SecretRef("PLAIN"))
    watch(SecretRef("UNSET"))
    assert known_values() == ("s" * 10, "k" * 9, "p" * 8, "abcd")


def test_values_too_short_to_replace_are_not_remembered() -> None:
    remember("abc")
    remember("abcd")
    assert known_values() == ("abcd",)


def test_a_reference_is_read_in_strict_mode_and_dumped_as_it_was_written() -> None:
    settings = Strict.model_validate({"key": {"env": "QWEN_KEY"}})
    assert settings.key == SecretRef("QWEN_KEY")
    assert settings.model_dump(mode="json") == {"key": {"env": "QWEN_KEY"}}
    assert Strict(key=SecretRef("A")) == Strict.model_validate_json('{"key":{"env":"A"}}')


@pytest.mark.parametrize(
    "value", ["sk-plain", {"env": "a b"}, {"env": ""}, {"env": 1}, {"env": "A", "x": 1}, {}, ["A"], 1]
)
def test_anything_but_a_named_variable_is_refused(value: object) -> None:
    with pytest.raises(ValidationError) as failure:
        Strict.model_validate({"key": value})
    assert [(error["type"], error["loc"]) for error in failure.value.errors()] == [("secret_ref", ("key",))]


def test_the_published_schema_is_the_written_form() -> None:
    schema = Strict.model_json_schema()["properties"]["key"]["anyOf"][0]
    assert (schema["required"], schema["additionalProperties"]) == (["env"], False)
    assert schema["properties"]["env"] == {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$", "maxLength": 256}
