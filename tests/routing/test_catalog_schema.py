"""The published schema is the generated one, and it agrees with the loader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing.catalog_schema import catalog_schema
from deepseekeyes.routing.merge import CATALOG_SCHEMA, build_catalog

ROOT = Path(__file__).resolve().parents[2]
WHOLE: dict[str, Any] = {
    "engine": "openai_chat",
    "base_url": "https://example.invalid/v1",
    "model": "some-model",
    "capabilities": ["image_to_evidence"],
}
LOCAL: dict[str, Any] = {"engine": "replay", "model": "m", "capabilities": ["text_to_text"]}


@pytest.mark.parametrize("place", ["schemas", "deepseekeyes/schemas"])
def test_the_published_schema_is_the_generated_one(place: str) -> None:
    assert json.loads((ROOT / place / "catalog.schema.json").read_text(encoding="utf-8")) == catalog_schema()


def test_it_is_a_valid_schema() -> None:
    Draft202012Validator.check_schema(catalog_schema())


GOOD: list[dict[str, Any]] = [
    {},
    {"some": WHOLE},
    {"some": LOCAL},
    {"local": {"enabled": False}},
    {"deepseek-official": {"model": "other", "limits": {"timeout_s": 5}}},
    {"some": {**WHOLE, "$comment": "why"}},
    {"some": {**WHOLE, "key": {"env": "NAME"}, "headers": {"X-Title": {"env": "OTHER"}}}},
    {"some": {**WHOLE, "limits": {"max_side": 1000, "formats": ["image/png"]}, "coordinates": "yxyx-1000"}},
    {"some": {**WHOLE, "prices": {"as_of": "2026-08-01", "input": 1, "output": 2.5}}},
    {"some": {**WHOLE, "extra_body": {"top_p": 0.5}, "options": {"anything": [1]}}},
]
BAD: list[dict[str, Any]] = [
    {"some": {}},
    {"some": {**WHOLE, "engine": "openai"}},
    {"some": {**WHOLE, "priorty": 3}},
    {"some": {**WHOLE, "priority": "3"}},
    {"some": {**WHOLE, "enabled": "yes"}},
    {"some": {**WHOLE, "capabilities": []}},
    {"some": {**WHOLE, "capabilities": ["image_to_evidence", "image_to_evidence"]}},
    {"some": {**WHOLE, "capabilities": ["chat"]}},
    {"some": {**WHOLE, "inputs": ["smell"]}},
    {"some": {**WHOLE, "key": "sk-abc"}},
    {"some": {**WHOLE, "key": {"env": "9"}}},
    {"some": {**WHOLE, "key": {"env": "A", "b": 1}}},
    {"some": {**WHOLE, "limits": {"maxSide": 4}}},
    {"some": {**WHOLE, "limits": {"max_side": 4}}},
    {"some": {**WHOLE, "limits": {"timeout_s": 0}}},
    {"some": {**WHOLE, "coordinates": "norm"}},
    {"some": {**WHOLE, "base_url": "ftp://x"}},
    {"some": {**WHOLE, "base_url": "https://user:word@x/v1"}},
    {"some": {**WHOLE, "base_url": "https://"}},
    {"some": {**WHOLE, "headers": {"HOST": {"env": "X"}}}},
    {"some": {**WHOLE, "headers": {"a b": {"env": "X"}}}},
    {"some": {**WHOLE, "extra_body": {"model": "x"}}},
    {"some": {**WHOLE, "prices": {"input": 1, "output": 1}}},
    {"some": {**WHOLE, "prices": {"as_of": "1 Aug", "input": 1, "output": 1}}},
    {"some": {**WHOLE, "builtin": True}},
    {"some": {**WHOLE, "id": "some"}},
    {"Some": WHOLE},
    {"some": {name: value for name, value in WHOLE.items() if name != "base_url"}},
    {"some": {name: value for name, value in WHOLE.items() if name != "model"}},
    {"local": {"enabled": 1}},
    {"some": 4},
]


@pytest.mark.parametrize(("routes", "good"), [(one, True) for one in GOOD] + [(one, False) for one in BAD])
def test_schema_and_loader_agree(routes: dict[str, Any], good: bool) -> None:
    document = {"schema": CATALOG_SCHEMA, "routes": routes}
    try:
        build_catalog(home=document)
        loaded = True
    except EyesError:
        loaded = False
    assert (loaded, Draft202012Validator(catalog_schema()).is_valid(document)) == (good, good)
