"""The published contract and what is derived from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from deepseekeyes.evidence import schema as contract
from deepseekeyes.evidence.validate import problems

ROOT = Path(__file__).resolve().parents[2]
NAME = "visual-evidence.schema.json"


def test_the_packaged_schema_is_the_published_one_byte_for_byte():
    assert (ROOT / "schemas" / NAME).read_bytes() == (ROOT / "deepseekeyes" / "schemas" / NAME).read_bytes()


@pytest.mark.parametrize("variant", [None, "base", "target"])
def test_every_variant_is_a_draft_07_schema_without_dangling_references(variant):
    document = contract.schema(variant)
    Draft7Validator.check_schema(document)
    assert document["$schema"] == "http://json-schema.org/draft-07/schema#"
    text = json.dumps(document)
    names = {part.split('"')[0] for part in text.split('"#/definitions/')[1:]}
    assert names <= document["definitions"].keys()


def test_a_variant_carries_only_the_definitions_it_reaches():
    assert set(contract.schema("base")["definitions"]) == {
        "nonEmptyString",
        "normalizedBbox",
        "confidence",
        "ocrEntry",
        "regionEntry",
        "objectEntry",
    }
    assert set(contract.schema("target")["definitions"]) == {
        "nonEmptyString",
        "normalizedBbox",
        "confidence",
        "ocrEntry",
        "observationEntry",
    }


def test_every_object_forbids_what_it_does_not_name_and_requires_all_it_names():
    for rule in contract.schema()["definitions"].values():
        if rule.get("type") == "object":
            assert rule["additionalProperties"] is False
            assert rule["required"] == list(rule["properties"])


def test_the_shape_of_a_variant_follows_from_the_schema():
    base, target = contract.shape("base"), contract.shape("target")
    assert (base.version, base.headline) == ("deepseekeyes.evidence.v1", "summary")
    assert [(item.name, item.entry, item.text, item.boxed, item.limit) for item in base.lists] == [
        ("ocr", "object", "text", True, 5000),
        ("regions", "object", "description", True, 1000),
        ("objects", "object", "name", True, 2000),
        ("relations", "string", None, False, 2000),
        ("quantitativeFacts", "string", None, False, 2000),
        ("uncertainties", "string", None, False, 2000),
    ]
    assert (target.version, target.headline) == ("deepseekeyes.target.v1", "answer")
    assert [(item.name, item.text, item.limit) for item in target.lists] == [
        ("observations", "fact", 2000),
        ("ocr", "text", 5000),
        ("uncertainties", None, 2000),
    ]


@pytest.mark.parametrize("variant", ["base", "target"])
def test_the_example_keeps_the_contract(variant):
    assert not problems(contract.example(variant), variant)
    Draft7Validator(contract.schema()).validate(contract.example(variant))


def test_callers_may_change_the_schema_they_got():
    contract.schema("base")["definitions"].clear()
    contract.schema()["definitions"].clear()
    assert contract.schema("base")["definitions"]


def test_a_version_names_its_variant():
    named = [contract.variant_of(word) for word in ("deepseekeyes.evidence.v1", "deepseekeyes.target.v1", "x", None, 1)]
    assert named == ["base", "target", None, None, None]
