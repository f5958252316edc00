"""Small mutable documents."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.lock import locked
from deepseekeyes.store.documents import Documents

NAME = "route-state"


@pytest.fixture(params=["disk", "memory"])
def documents(request: pytest.FixtureRequest, tmp_path: Path) -> Documents:
    return Documents(tmp_path / "home" if request.param == "disk" else None)


def count(content: dict[str, Any] | None) -> dict[str, Any]:
    return {"count": (content or {"count": 0})["count"] + 1}


def test_a_document_is_absent_then_changed_then_removed(documents: Documents) -> None:
    assert documents.load(NAME, 1) is None
    assert [documents.update(NAME, 1, count), documents.update(NAME, 1, count)] == [{"count": 1}, {"count": 2}]
    assert documents.load(NAME, 1) == {"count": 2}
    assert [documents.remove(NAME), documents.remove(NAME), documents.load(NAME, 1)] == [True, False, None]


def test_the_returned_content_is_what_a_reader_will_see(documents: Documents) -> None:
    written = documents.update(NAME, 1, lambda _: {"pair": (1, 2), "big": 2**70, "text": "é\ud800"})
    assert written == {"pair": [1, 2], "big": 2**70, "text": "é\ud800"} == documents.load(NAME, 1)


def test_a_failing_change_leaves_the_document_as_it_was(documents: Documents) -> None:
    documents.update(NAME, 1, count)

    def spoil(content: dict[str, Any] | None) -> dict[str, Any]:
        assert content is not None
        content["count"] = 99
        raise RuntimeError

    with pytest.raises(RuntimeError):
        documents.update(NAME, 1, spoil)
    with pytest.raises(EyesError) as failure:
        documents.update(NAME, 1, lambda _: {"x": float("nan")})
    assert (failure.value.code.name, documents.load(NAME, 1)) == ("NOT_JSON", {"count": 1})


@pytest.mark.parametrize("version", [1, 3])
def test_another_version_is_refused_and_left_alone(documents: Documents, version: int) -> None:
    documents.update(NAME, 2, count)
    for call in (lambda: documents.load(NAME, version), lambda: documents.update(NAME, version, count)):
        with pytest.raises(EyesError) as failure:
            call()
        assert (failure.value.code.name, failure.value.exit_code) == ("DOCUMENT_VERSION", 3)
    assert documents.load(NAME, 2) == {"count": 1}


def test_documents_are_listed_by_folder(documents: Documents) -> None:
    for name in ("b", "a", "mcp-catalogs/files", "mcp-catalogs/deep/x"):
        documents.update(name, 1, count)
    assert list(documents.names()) == ["a", "b"]
    assert list(documents.names("mcp-catalogs")) == ["mcp-catalogs/files"]
    assert list(documents.names("missing")) == []


@pytest.mark.parametrize(
    "name", ["", "/etc/x", "../x", "a/../b", ".hidden", "a//b", "a b", "a/b/c/d", "x" * 81, "a/", "é"]
)
def test_a_name_cannot_leave_the_home(documents: Documents, name: str) -> None:
    for call in (
        lambda: documents.load(name, 1),
        lambda: documents.update(name, 1, count),
        lambda: documents.remove(name),
    ):
        with pytest.raises(EyesError) as failure:
            call()
        assert failure.value.code.name == "DOCUMENT_NAME_INVALID"


def test_a_document_over_the_limit_is_refused_on_both_ways(tmp_path: Path) -> None:
    documents = Documents(tmp_path, max_bytes=200)
    with pytest.raises(EyesError) as failure:
        documents.update(NAME, 1, lambda _: {"text": "x" * 200})
    assert failure.value.details == {
        "limit": {"name": "document bytes", "value": 200, "setting": "store.document_max_bytes"}
    }
    Documents(tmp_path).update(NAME, 1, lambda _: {"text": "x" * 200})
    with pytest.raises(EyesError) as failure:
        documents.load(NAME, 1)
    assert failure.value.code.name == "DOCUMENT_TOO_LARGE"


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        '{"version":1}',
        '{"version":"1","content":{}}',
        '{"version":true,"content":{}}',
        "\udcff",
        "[" * 99_999,
    ],
)
def test_a_damaged_document_is_quarantined_reported_and_counts_as_absent(tmp_path: Path, damage: str) -> None:
    for act in (lambda found: found.load(NAME, 1), lambda found: found.update(NAME, 1, count)):
        documents = Documents(tmp_path)
        raw = damage.encode("utf-8", "surrogateescape")
        (tmp_path / f"{NAME}.json").write_bytes(raw)
        assert act(documents) in (None, {"count": 1})
        assert [(moved.path, moved.moved_to.read_bytes()) for moved in documents.quarantined] == [
            (tmp_path / f"{NAME}.json", raw)
        ]


def test_the_file_is_private_readable_json_and_unchanged_content_is_not_written_again(tmp_path: Path) -> None:
    documents = Documents(tmp_path)
    documents.update(NAME, 1, count)
    path = tmp_path / f"{NAME}.json"
    before = path.stat()
    assert json.loads(path.read_text()) == {"version": 1, "content": {"count": 1}}
    assert stat.S_IMODE(before.st_mode) == 0o600
    documents.update(NAME, 1, lambda content: dict(content or {}))
    assert path.stat().st_ino == before.st_ino


def test_a_change_waits_for_the_lock_only_so_long(tmp_path: Path) -> None:
    documents = Documents(tmp_path, lock_timeout_s=0.01)
    documents.update(NAME, 1, count)
    with locked(tmp_path / f".{NAME}.json.lock"), pytest.raises(EyesError) as failure:
        documents.update(NAME, 1, count)
    assert (failure.value.code.name, documents.load(NAME, 1)) == ("LOCK_TIMEOUT", {"count": 1})


def test_looking_creates_nothing(tmp_path: Path) -> None:
    documents = Documents(tmp_path / "home")
    assert (documents.load(NAME, 1), list(documents.names())) == (None, [])
    assert list(tmp_path.iterdir()) == []
