"""Catalog entries: what is accepted, what is refused and with which word, and what changes a reading."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.secrets import SecretRef
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.catalog_file import read_catalog_file
from deepseekeyes.routing.merge import BUILT_IN, CATALOG_SCHEMA, build_catalog, carried_route, read_entry

WHOLE: dict[str, Any] = {
    "engine": "openai_chat",
    "base_url": "https://example.invalid/v1",
    "model": "some-model",
    "key": {"env": "SOME_KEY"},
    "capabilities": ["image_to_evidence"],
    "inputs": ["text", "image"],
    "priority": 10,
    "coordinates": "0-1000",
}


def problems(config: dict[str, Any], home: dict[str, Any] | None = None) -> list[str]:
    with pytest.raises(EyesError) as caught:
        build_catalog(config, home)
    assert caught.value.code.name == "CATALOG_INVALID"
    return caught.value.details["candidates"]


def test_an_entry_of_the_config_joins_what_the_program_carries() -> None:
    catalog = build_catalog({"some": WHOLE})
    assert [(route.id, catalog.origins[route.id]) for route in catalog.routes] == [
        ("deepseek-official", "built-in"),
        ("local", "built-in"),
        ("some", "config"),
    ]
    route = catalog.get("some")
    assert route is not None
    assert (route.label, route.sees, route.key) == ("some/some-model", True, SecretRef("SOME_KEY"))


def test_the_built_in_reasoner_and_eye_are_as_promised() -> None:
    catalog = build_catalog(local_model="engine 1, weights 2")
    eye, mind = catalog.get("local"), catalog.get("deepseek-official")
    assert eye is not None
    assert mind is not None
    assert (eye.engine, eye.model, eye.capabilities, eye.inputs, eye.builtin) == (
        "local",
        "engine 1, weights 2",
        ("image_to_evidence",),
        ("text", "image"),
        True,
    )
    assert (mind.base_url, mind.capabilities, mind.inputs, mind.key) == (
        "https://api.deepseek.com",
        ("text_to_text",),
        ("text",),
        SecretRef("DEEPSEEK_API_KEY"),
    )


def test_fields_lie_over_those_of_the_same_id_below() -> None:
    home = {"schema": CATALOG_SCHEMA, "routes": {"some": {**WHOLE, "limits": {"max_side": 1000, "max_images": 2}}}}
    catalog = build_catalog({"local": {"enabled": False}, "some": {"priority": 1, "limits": {"max_images": 4}}}, home)
    local, some = catalog.get("local"), catalog.get("some")
    assert local is not None
    assert some is not None
    assert (local.enabled, local.engine) == (False, "local")
    assert (some.priority, some.model, some.limits.max_side, some.limits.max_images) == (1, "some-model", 1000, 4)
    assert catalog.origins["some"] == "config"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"engine": "openai_compatible"}, "write 'openai_chat'"),
        ({"engine": "http_json"}, "write 'a1111'"),
        ({"engine": "subscription"}, "write 'option'"),
        ({"engine": "cli"}, "write 'exec'"),
        ({"engine": "opnai_chat"}, "write 'openai_chat'"),
        ({"coordinates": "norm"}, "write 'normalized'"),
        ({"coordinates": "px"}, "write 'pixel'"),
        ({"coordinates": "0..1000"}, "write '0-1000'"),
        ({"capabilities": ["text_generation"]}, "write 'text_to_text'"),
        ({"capabilities": ["image_to_evidense"]}, "write 'image_to_evidence'"),
        ({"priorty": 1}, "routes.some.priorty is no known key; write priority"),
        ({"baseUrl": "https://e.invalid"}, "routes.some.baseUrl is no known key; write base_url"),
        ({"adapter": "openai_chat"}, "; write engine"),
        ({"endpoint": "https://e.invalid"}, "; write base_url"),
        ({"apiKeyEnv": "X"}, "; write key"),
        ({"api_key": "sk-abcdefghijklmnopqrstuv"}, "routes.some.api_key is no known key; write key"),
        ({"maxSide": 3}, "; write limits.max_side"),
        ({"limits": {"maxSide": 300}}, "routes.some.limits.maxSide is no known key; write max_side"),
        ({"key": "sk-abcdefghijklmnopqrstuv"}, "a secret is named, never given"),
        ({"key": {"env": "9x"}}, "routes.some.key: env must be the name of a variable"),
        ({"key": {"env": "A", "file": "x"}}, "a secret is named, never given"),
        ({"base_url": "ftp://e.invalid"}, "routes.some.base_url: must be an http or https address"),
        ({"provider": "a b"}, "routes.some.provider: must be one word"),
        ({"prices": {"as_of": "yesterday", "input": 1, "output": 1}}, "prices.as_of: must be a day as YYYY-MM-DD"),
        ({"headers": {"Host": {"env": "X"}}}, "may not set Host"),
        ({"extra_body": {"model": "other"}}, "may not set model"),
        ({"base_url": "https://user:pass@e.invalid/v1"}, "may not carry user information"),
        ({"base_url": "ftp://e.invalid"}, "routes.some.base_url"),
        ({"priority": "10"}, "routes.some.priority"),
        ({"enabled": 1}, "routes.some.enabled"),
        ({"inputs": ["text", "text"]}, "lists something twice"),
        ({"capabilities": []}, "routes.some.capabilities"),
        ({"builtin": True}, "routes.some.builtin is no known key"),
        ({"id": "x"}, "routes.some.id is no known key"),
    ],
)
def test_wrong_spellings_are_refused_and_the_right_one_is_named(change: dict[str, Any], told: str) -> None:
    found = problems({"some": {**WHOLE, **change}})
    assert any(told in problem for problem in found), found
    assert "sk-abcdefghijklmnopqrstuv" not in " ".join(found)


def test_every_problem_of_every_entry_is_told_at_once() -> None:
    found = problems({"one": {**WHOLE, "priority": "x"}, "two": {**WHOLE, "enabled": "yes"}, "Three": WHOLE, "four": 4})
    assert [problem.split(":")[0] for problem in found] == [
        "routes.four",
        "routes.Three",
        "routes.one.priority",
        "routes.two.enabled",
    ]


def test_an_engine_over_the_network_needs_an_endpoint() -> None:
    fields = {name: value for name, value in WHOLE.items() if name != "base_url"}
    assert problems({"some": fields}) == ["routes.some.base_url: engine openai_chat needs an endpoint"]


@pytest.mark.parametrize("name", ["some\n", "some/thing", "-some", ""])
def test_an_id_is_matched_whole(name: str) -> None:
    assert "an id is" in problems({name: WHOLE})[0]


def test_comments_are_kept_out_of_the_entry() -> None:
    assert read_entry("some", {**WHOLE, "$comment": "why"}) == read_entry("some", WHOLE)


def test_inputs_default_to_what_the_capabilities_take() -> None:
    fields = {name: value for name, value in WHOLE.items() if name != "inputs"}
    assert read_entry("some", fields).inputs == ("text", "image")
    assert read_entry("some", {**fields, "capabilities": ["text_to_text"]}).inputs == ("text",)


def test_a_date_of_toml_is_a_price_date() -> None:
    prices = {"as_of": date(2026, 8, 1), "input": 1, "output": 2.5}
    found = read_entry("some", {**WHOLE, "prices": prices}).prices
    assert found is not None
    assert (found.as_of, found.currency, found.input, found.cache_read) == ("2026-08-01", "USD", 1.0, None)


READING = {
    "model": "other",
    "base_url": "https://other.invalid/v1",
    "engine": "ollama",
    "provider": "other",
    "coordinates": "pixel",
    "inputs": ["text", "image", "file"],
    "thinking_switch": "thinking",
    "image_detail": "low",
    "extra_body": {"top_p": 0.5},
    "options": {"keep_alive": 0},
    "limits": {"max_side": 512},
}
NOT_READING = {
    "priority": 1,
    "enabled": False,
    "tags": ["local"],
    "notes": "x",
    "key": {"env": "OTHER"},
    "stream": False,
    "idempotent": False,
    "prices": {"as_of": "2026-08-01", "input": 1, "output": 1},
    "limits": {"timeout_s": 3, "max_answer_bytes": 2048},
}


@pytest.mark.parametrize("name", sorted(READING))
def test_the_digest_changes_with_what_changes_a_reading(name: str) -> None:
    before = read_entry("some", WHOLE).config_digest()
    assert read_entry("some", {**WHOLE, name: READING[name]}).config_digest() != before


@pytest.mark.parametrize("name", sorted(NOT_READING))
def test_the_digest_stays_with_what_does_not(name: str) -> None:
    before = read_entry("some", WHOLE).config_digest()
    assert read_entry("some", {**WHOLE, name: NOT_READING[name]}).config_digest() == before


def test_the_digest_does_not_depend_on_the_id_or_on_spelled_out_defaults() -> None:
    named = {**WHOLE, "provider": "p"}
    spelled = {**named, "stream": True, "limits": {"max_images": 8}}
    assert read_entry("one", named).config_digest() == read_entry("two", spelled).config_digest()


def test_a_route_is_found_by_id_or_by_provider_and_model() -> None:
    catalog = build_catalog({"one": {**WHOLE, "provider": "p"}, "two": {**WHOLE, "provider": "p"}})
    assert [[route.id for route in catalog.named(text)] for text in ("one", "p/some-model", "p", "three")] == [
        ["one"],
        ["one", "two"],
        [],
        [],
    ]


def test_a_catalog_file_is_read_whole_or_refused(tmp_path: Path) -> None:
    assert read_catalog_file(tmp_path) is None
    for text in ("{", "[]", '{"routes": {}, "routes": {}}', '{"a": NaN}'):
        (tmp_path / "catalog.json").write_text(text)
        with pytest.raises(EyesError) as caught:
            read_catalog_file(tmp_path)
        assert caught.value.code.name == "CATALOG_INVALID"
    (tmp_path / "catalog.json").write_text("\ufeff" + json.dumps({"schema": CATALOG_SCHEMA, "routes": {"some": WHOLE}}))
    assert build_catalog(home=read_catalog_file(tmp_path)).get("some") == read_entry("some", WHOLE)


def test_a_catalog_file_of_another_version_is_refused() -> None:
    with pytest.raises(EyesError) as caught:
        build_catalog(home={"schema": "deepseekeyes.catalog.v2", "routes": {}})
    assert caught.value.code.name == "CATALOG_INVALID"


def test_built_in_entries_stand_by_themselves() -> None:
    assert [read_entry(name, fields).id for name, fields in BUILT_IN.items()] == ["local", "deepseek-official"]
    assert all(isinstance(route, Route) for route in build_catalog().routes)


@pytest.mark.parametrize("key", BUILT_IN)
def test_an_entry_of_this_package_is_the_one_the_checks_would_make(key: str) -> None:
    checked = read_entry(key, BUILT_IN[key])
    carried = carried_route(key, BUILT_IN[key])
    assert carried.model_dump() == checked.model_dump()
    assert carried.config_digest() == checked.config_digest()
    assert carried.builtin
