"""Immutable records."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseekeyes.core.canonical import canonical, digest
from deepseekeyes.core.errors import EyesError
from deepseekeyes.store.records import Records
from deepseekeyes.store.seal import intact, opened, sealed

KEY, OTHER = "a" * 64, "ab" * 32


@pytest.fixture(params=["disk", "memory"])
def records(request: pytest.FixtureRequest, tmp_path: Path) -> Records:
    return Records(tmp_path / "evidence" if request.param == "disk" else None)


def on_disk(tmp_path: Path) -> Records:
    return Records(tmp_path / "evidence", tmp_path / "bad")


def place(tmp_path: Path, key: str = KEY, number: int = 1) -> Path:
    return tmp_path / "evidence" / key[:2] / key / f"{number}.json"


def content(**more: Any) -> dict[str, Any]:
    return {"schema": "deepseekeyes.evidence-record.v1", "cacheKey": KEY, **more}


def test_a_first_record_carries_the_digest_of_its_content(records: Records) -> None:
    stored = records.add(KEY, content(text="é", box=[0.0, 1.0]))
    bare = content(text="é", box=[0.0, 1.0], readId=None, supersedes=None)
    assert stored == {**bare, "recordSha256": digest(bare)}
    assert (records.latest(KEY), records.read(KEY, 1), records.numbers(KEY)) == (stored, stored, [1])


def test_the_first_writer_wins_and_the_others_get_its_record(records: Records) -> None:
    stored = records.add(KEY, content(text="one"))
    assert records.add(KEY, content(text="two")) == stored
    assert records.numbers(KEY) == [1]


def test_fresh_readings_are_numbered_and_name_what_they_supersede(records: Records) -> None:
    first = records.add(KEY, content(text="one"), fresh=True)
    second = records.add(KEY, content(text="two"), fresh=True)
    third = records.add(KEY, content(text="two"), fresh=True)
    assert [(record["readId"], record["supersedes"]) for record in (first, second, third)] == [
        (None, None),
        (2, first["recordSha256"]),
        (3, second["recordSha256"]),
    ]
    assert records.latest(KEY) == third
    assert records.add(KEY, content(text="four")) == third
    assert len({record["recordSha256"] for record in (first, second, third)}) == 3


def test_what_is_handed_out_is_a_copy(records: Records) -> None:
    given_content = content(items=[1])
    stored = records.add(KEY, given_content)
    given_content["items"].append(2)
    stored["items"].append(3)
    found = records.latest(KEY)
    assert found is not None
    found["items"].append(4)
    assert records.get(KEY)["items"] == [1]


def test_records_are_found_by_key_digest_and_the_start_of_either(records: Records) -> None:
    first = records.add(KEY, content())
    second = records.add(KEY, content(text="two"), fresh=True)
    third = records.add(OTHER, {"cacheKey": OTHER})
    assert list(records.keys()) == [KEY, OTHER]
    for reference, record in [
        (KEY, second),
        ("aaaa", second),
        ("abab", third),
        (first["recordSha256"], first),
        (first["recordSha256"][:12], first),
        (third["recordSha256"][:12], third),
    ]:
        assert records.get(reference) == record


@pytest.mark.parametrize("reference", ["", "aaa", "A" * 64, "a" * 65, "../x", "aaaa/"])
def test_what_cannot_be_a_reference_is_refused(records: Records, reference: str) -> None:
    with pytest.raises(EyesError) as failure:
        records.get(reference)
    assert failure.value.code.name == "RECORD_KEY_INVALID"


def test_a_key_that_is_not_stored_names_those_that_begin_alike(records: Records) -> None:
    key = "ab12" + "0" * 60
    records.add(key, {"kind": "base"})

    with pytest.raises(EyesError) as failure:
        records.get("ab129")
    assert failure.value.code.name == "RECORD_NOT_FOUND"
    assert failure.value.details == {"candidates": [key]}

    with pytest.raises(EyesError) as failure:
        records.get("cccc9")
    assert failure.value.details == {"candidates": []}


def test_an_unknown_or_ambiguous_reference_says_so(records: Records) -> None:
    with pytest.raises(EyesError) as failure:
        records.get("aaaa")
    assert (failure.value.code.name, failure.value.exit_code) == ("RECORD_NOT_FOUND", 3)
    near = "aaaa" + "b" * 60
    records.add(KEY, content())
    records.add(near, {"cacheKey": near})
    with pytest.raises(EyesError) as failure:
        records.get("aaaa")
    assert (failure.value.code.name, failure.value.details) == ("RECORD_AMBIGUOUS", {"candidates": [KEY, near]})


@pytest.mark.parametrize("key", ["", "a", "../" * 20, "A" * 64])
def test_a_key_that_is_none_is_refused_before_anything_is_touched(records: Records, key: str) -> None:
    for call in (records.latest, records.numbers, lambda name: records.add(name, {})):
        with pytest.raises(EyesError) as failure:
            call(key)
        assert failure.value.code.name == "RECORD_KEY_INVALID"


def test_what_has_no_json_form_is_not_stored(records: Records) -> None:
    with pytest.raises(EyesError) as failure:
        records.add(KEY, content(value=float("nan")))
    assert (failure.value.code.name, records.latest(KEY)) == ("NOT_JSON", None)


def test_the_file_is_private_canonical_json_with_a_line_feed(tmp_path: Path) -> None:
    stored = on_disk(tmp_path).add(KEY, content(b=1.0, a="é"))
    path = place(tmp_path)
    assert path.read_text() == canonical(stored) + "\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["1.json"]


GOOD = canonical(sealed(content(text="x")))


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        "null",
        GOOD[:-1],
        GOOD.replace('"x"', '"y"'),
        GOOD.replace('"recordSha256"', '"recordSha"'),
        GOOD.replace(f'"cacheKey":"{KEY}"', f'"cacheKey":"{OTHER}"'),
        canonical(sealed({"cacheKey": OTHER})),
        '{"recordSha256":1}',
        "[" * 100_000,
        "\udcff",
    ],
)
def test_a_damaged_record_is_quarantined_and_counts_as_absent(tmp_path: Path, damage: str) -> None:
    records = on_disk(tmp_path)
    place(tmp_path).parent.mkdir(parents=True)
    place(tmp_path).write_bytes(damage.encode("utf-8", "surrogateescape"))
    assert records.latest(KEY) is None
    assert [(moved.path, moved.moved_to.parent) for moved in records.quarantined] == [
        (place(tmp_path), tmp_path / "bad")
    ]
    assert records.add(KEY, content(text="x")) == sealed(content(text="x"))


def test_a_folder_in_the_place_of_a_record_is_set_aside_with_what_is_in_it(tmp_path: Path) -> None:
    records = on_disk(tmp_path)
    place(tmp_path).mkdir(parents=True)
    (place(tmp_path) / "mine.txt").write_text("keep")
    assert [records.read(entry.key, entry.number) for entry in records.entries()] == [None]
    (moved,) = records.quarantined
    assert (moved.path, (moved.moved_to / "mine.txt").read_text()) == (place(tmp_path), "keep")
    assert records.add(KEY, content(text="x")) == sealed(content(text="x"))


def test_below_a_damaged_record_the_next_sound_one_is_served(tmp_path: Path) -> None:
    records = on_disk(tmp_path)
    first = records.add(KEY, content(text="one"))
    records.add(KEY, content(text="two"), fresh=True)
    place(tmp_path, number=2).write_text("cut")
    assert records.latest(KEY) == first
    assert records.numbers(KEY) == [1]


def test_a_record_written_by_hand_in_another_order_is_sound_by_its_content(tmp_path: Path) -> None:
    stored = sealed(content(text="x"))
    place(tmp_path).parent.mkdir(parents=True)
    place(tmp_path).write_text(json.dumps(dict(reversed(stored.items())), indent=2))
    assert on_disk(tmp_path).latest(KEY) == stored


def test_a_member_of_the_same_name_deeper_down_does_not_confuse_the_check() -> None:
    record = sealed(content(nested={"a": 1, "recordSha256": "f" * 64}))
    assert opened(canonical(record).encode()) == record
    forged = {**record, "nested": {"a": 2, "recordSha256": record["recordSha256"]}}
    assert opened(canonical(forged).encode()) is None


@given(st.dictionaries(st.text(), st.recursive(st.text() | st.floats(allow_nan=False, allow_infinity=False), st.lists)))
def test_sealing_makes_a_record_that_opens_again_and_any_change_breaks_it(more: dict[str, Any]) -> None:
    record = sealed(more)
    data = canonical(record).encode()
    assert opened(data) == json.loads(data)
    assert intact(record)
    assert not intact({**record, "extra": 1})
    assert sealed(record) == record


def test_pruning_goes_by_age_then_by_size_and_sweeps_leftovers(tmp_path: Path) -> None:
    records = on_disk(tmp_path)
    keys = [str(number) * 64 for number in range(4)]
    for age, key in enumerate(keys):
        records.add(key, {"n": 1})
        os.utime(place(tmp_path, key), (1000 + age, 1000 + age))
    (size,) = {entry.bytes for entry in records.entries()}
    left = place(tmp_path, keys[3]).with_name(".1.json.9-0123456789abcdef.tmp")
    left.write_text("cut")
    os.utime(left, (0, 0))
    assert [entry.key for entry in records.prune(before=1001)] == keys[:1]
    assert [entry.key for entry in records.prune(max_bytes=2 * size)] == keys[1:2]
    assert (list(records.keys()), records.prune(), left.exists()) == (keys[2:], [], False)
    assert not place(tmp_path, keys[0]).parent.exists()


def test_one_number_or_all_of_a_key_can_be_removed(tmp_path: Path) -> None:
    records = on_disk(tmp_path)
    for text in ("one", "two", "three"):
        records.add(KEY, content(text=text), fresh=True)
    assert [records.remove(KEY, 2), records.numbers(KEY), records.remove(KEY), records.remove(KEY)] == [1, [1, 3], 2, 0]


def test_foreign_files_are_not_records(tmp_path: Path) -> None:
    records = on_disk(tmp_path)
    records.add(KEY, content())
    for name in ("0.json", "01.json", "x.json", "1.json.bak", "2.txt"):
        place(tmp_path).with_name(name).write_text("x")
    (tmp_path / "evidence" / f"{KEY}.json").write_text("{}")
    (tmp_path / "evidence" / "zz").mkdir()
    assert (list(records.keys()), records.numbers(KEY)) == ([KEY], [1])
    assert [(entry.key, entry.number) for entry in records.entries()] == [(KEY, 1)]


def test_looking_creates_nothing(tmp_path: Path) -> None:
    records = on_disk(tmp_path)
    assert (records.latest(KEY), list(records.keys()), list(records.entries()), records.prune(before=0)) == (
        None,
        [],
        [],
        [],
    )
    assert list(tmp_path.iterdir()) == []
