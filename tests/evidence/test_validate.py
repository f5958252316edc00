"""Holding evidence against its contract."""

from __future__ import annotations

import pickle

import pytest

from deepseekeyes.evidence.validate import InvalidEvidence, problems, validate

BOX = [0.1, 0.1, 0.2, 0.2]


def reasons(document, variant="base"):
    return [(problem.path, problem.reason) for problem in problems(document, variant).items]


def test_valid_evidence_comes_back_as_the_same_object(base, target):
    assert validate(base, "base") is base
    assert validate(target, "target") is target


def test_empty_lists_are_valid():
    lists = ("ocr", "regions", "objects", "relations", "quantitativeFacts", "uncertainties")
    document = {"schemaVersion": "deepseekeyes.evidence.v1", "summary": " ", **{name: [] for name in lists}}
    assert reasons(document) == []


def test_equal_region_ids_are_valid(base):
    base["regions"] = base["regions"] * 2
    assert reasons(base) == []


def test_all_faults_are_told_at_once(base):
    base["ocr"][0].update(extra=1, confidence=1.1)
    base["objects"][0]["attributes"] = [3]
    base["objects"][0]["bbox"] = [0.9, 0.9, 0.5, 0.5]
    del base["relations"]
    assert set(reasons(base)) == {
        ("/ocr/0", 'has an unknown property "extra"'),
        ("/ocr/0/confidence", "is 1.1, more than 1"),
        ("/objects/0/attributes/0", "must be a string"),
        ("/objects/0/bbox", "leaves the picture: x + width and y + height must not exceed 1"),
        ("/", 'lacks the property "relations"'),
    }


def test_the_error_carries_every_fault_as_a_value_and_survives_pickling(base):
    del base["relations"], base["ocr"]
    with pytest.raises(InvalidEvidence) as caught:
        validate(base, "base")
    error = pickle.loads(pickle.dumps(caught.value))
    assert error.code.name == "INVALID_VISION_EVIDENCE"
    assert error.exit_code == 6
    assert error.details == {"path": "/"}
    assert [problem.reason for problem in error.problems.items] == [
        'lacks the property "ocr"',
        'lacks the property "relations"',
    ]


@pytest.mark.parametrize("identifier", ["a\n", "a b", "", "ä", "x" * 129, "a/b", None, 7])
def test_a_bad_region_id_is_refused(base, identifier):
    base["regions"][0]["id"] = identifier
    assert {path for path, _ in reasons(base)} == {"/regions/0/id"}


@pytest.mark.parametrize("identifier", ["a", "A.b_c:d-9", "x" * 128])
def test_a_good_region_id_passes(base, identifier):
    base["regions"][0]["id"] = identifier
    assert reasons(base) == []


@pytest.mark.parametrize("value", [True, False, "0.9", None, 1.1, -0.1, float("nan"), float("inf"), [1]])
def test_what_is_no_number_from_0_to_1_is_no_confidence(base, value):
    base["ocr"][0]["confidence"] = value
    assert [path for path, _ in reasons(base)] == ["/ocr/0/confidence"]


@pytest.mark.parametrize(
    ("box", "legal"),
    [
        ([0, 0, 1, 1], True),
        ([0.5, 0.5, 0.5000005, 0.5], True),
        ([0.5, 0.5, 0.500001, 0.5], False),
        ([0.5, 0.5, 0.5, 0.500001], False),
        ([0.9, 0.9, 0.5, 0.5], False),
        ([0, 0, 0, 1], False),
        ([0, 0, 1, 0], False),
        ([-0.001, 0, 0.5, 0.5], False),
        ([0, 0, 1.0000001, 1], False),
        ([True, 0, 0.5, 0.5], False),
        ([0, 0, 1], False),
        ([0, 0, 1, 1, 1], False),
        (["0", 0, 1, 1], False),
        ("0,0,1,1", False),
        (None, False),
        ({"x": 0, "y": 0, "width": 1, "height": 1}, False),
        ([float("nan"), 0, 1, 1], False),
    ],
)
@pytest.mark.parametrize("place", ["ocr", "regions", "objects"])
def test_the_containment_rule_holds_for_every_box(base, place, box, legal):
    base[place][0]["bbox"] = box
    assert (reasons(base) == []) is legal
    assert all(path.startswith(f"/{place}/0/bbox") for path, _ in reasons(base))


def test_the_containment_rule_holds_for_observations(target):
    target["observations"][0]["bbox"] = [0.5, 0.5, 0.6, 0.1]
    assert [path for path, _ in reasons(target, "target")] == ["/observations/0/bbox"]


@pytest.mark.parametrize("version", [None, "deepseekeyes.target.v1", "deepseekeyes.evidence.v2", 1])
def test_only_the_variants_own_version_passes(base, version):
    base["schemaVersion"] = version
    assert reasons(base) == [("/schemaVersion", 'must be "deepseekeyes.evidence.v1"')]


@pytest.mark.parametrize(("count", "text"), [(20_000, "x"), (20_000, "𝄞"), (1, "\n")])
def test_strings_are_measured_in_code_points(base, count, text):
    base["summary"] = text * count
    assert reasons(base) == []
    base["summary"] = text * 20_001
    assert reasons(base) == [("/summary", "has 20001 characters, more than 20000")]


def test_an_empty_string_is_refused(base):
    base["relations"] = [""]
    assert reasons(base) == [("/relations/0", "must not be empty")]


@pytest.mark.parametrize(
    ("field", "limit"), [("relations", 2000), ("uncertainties", 2000), ("quantitativeFacts", 2000)]
)
def test_lists_are_bounded(base, field, limit):
    base[field] = ["x"] * limit
    assert reasons(base) == []
    base[field] = ["x"] * (limit + 1)
    assert reasons(base) == [(f"/{field}", f"has {limit + 1} members, more than {limit}")]


def test_attributes_are_unique_and_bounded(base):
    entry = base["objects"][0]
    entry["attributes"] = ["a", "a"]
    assert reasons(base) == [("/objects/0/attributes", "names something twice")]
    entry["attributes"] = [str(number) for number in range(257)]
    assert reasons(base) == [("/objects/0/attributes", "has 257 members, more than 256")]


def test_many_mixed_attributes_are_refused_in_linear_time(base):
    base["objects"][0]["attributes"] = [number if number % 2 else str(number) for number in range(20_000)]
    found = problems(base, "base")
    assert len(found.items) == 50
    assert found.omitted == 9_951


def test_listed_faults_and_the_message_are_bounded(base):
    base["ocr"] = [{"text": "x", "y" * 5000: 1} for _ in range(200)]
    found = problems(base, "base")
    assert (len(found.items), found.omitted) == (50, 550)
    assert len(found.sentence) <= 2000
    assert found.sentence.endswith("; and 550 more")


def test_a_foreign_name_is_told_without_line_breaks(base):
    base["a\n\x1b[31m"] = 1
    assert reasons(base) == [("/", 'has an unknown property "a\\n\\u001b[31m"')]


def test_pointers_escape_slash_and_tilde(base):
    base["ocr"] = {"a/b~c": 1}
    assert reasons(base) == [("/ocr", "must be a list")]
    assert reasons([], "target") == [("/", "must be an object")]
