"""Bytes by hash."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.store.blobs import Blobs, Pruned

HI = hashlib.sha256(b"hi").hexdigest()


def files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


@pytest.fixture(params=["disk", "memory"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Blobs:
    return Blobs(tmp_path / "blobs" if request.param == "disk" else None)


def test_bytes_come_back_by_their_hash(blobs: Blobs) -> None:
    assert not blobs.has(HI)
    assert blobs.put(b"hi") == HI
    assert blobs.put(b"hi") == HI
    assert (blobs.has(HI), blobs.get(HI)) == (True, b"hi")
    assert [(entry.sha256, entry.bytes) for entry in blobs.entries()] == [(HI, 2)]
    assert blobs.get(blobs.put(b"")) == b""


def test_unknown_hashes_and_words_that_are_none_are_not_found(blobs: Blobs) -> None:
    blobs.put(b"hi")
    for word in ("0" * 64, "", "../../etc/passwd", HI.upper(), HI[:-1], HI + "0"):
        with pytest.raises(EyesError) as failure:
            blobs.get(word)
        assert (failure.value.code.name, failure.value.exit_code) == ("BLOB_NOT_FOUND", 3)


def test_pruning_keeps_what_is_referred_to(blobs: Blobs) -> None:
    blobs.put(b"hi")
    other = blobs.put(b"other")
    assert blobs.prune({HI}, grace_s=-1) == Pruned(1, 5)
    assert (blobs.has(HI), blobs.has(other)) == (True, False)
    assert blobs.remove(HI)
    assert not blobs.remove(HI)


def test_files_are_private_and_fanned_out_by_two_digits(tmp_path: Path) -> None:
    path = Blobs(tmp_path / "blobs").path(Blobs(tmp_path / "blobs").put(b"hi"))
    assert path == tmp_path / "blobs" / HI[:2] / HI
    modes = [stat.S_IMODE(place.stat().st_mode) for place in (path, path.parent, path.parent.parent)]
    assert (modes, files(tmp_path)) == ([0o600, 0o700, 0o700], [f"blobs/{HI[:2]}/{HI}"])


@pytest.mark.parametrize("damage", [b"", b"h", b"ho", b"hi\n"])
def test_a_damaged_blob_is_quarantined_and_named(tmp_path: Path, damage: bytes) -> None:
    blobs = Blobs(tmp_path / "blobs")
    path = blobs.path(blobs.put(b"hi"))
    assert path is not None
    path.write_bytes(damage)
    with pytest.raises(EyesError) as failure:
        blobs.get(HI)
    assert (failure.value.code.name, blobs.has(HI)) == ("BLOB_CORRUPT", False)
    (moved,) = blobs.quarantined
    assert (moved.path, moved.moved_to.parent, moved.moved_to.read_bytes()) == (path, tmp_path / "quarantine", damage)


def test_storing_the_bytes_again_heals_a_damaged_blob_and_keeps_the_bad_file(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs", tmp_path / "bad")
    path = blobs.path(blobs.put(b"hi"))
    assert path is not None
    path.write_bytes(b"ho")
    assert blobs.put(b"hi") == HI
    assert blobs.get(HI) == b"hi"
    assert [moved.moved_to.read_bytes() for moved in blobs.quarantined] == [b"ho"]


def test_a_folder_in_the_place_of_a_blob_is_set_aside_by_reading_and_by_storing(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    empty = hashlib.sha256(b"").hexdigest()
    for sha256 in (HI, empty):
        path = blobs.path(sha256)
        assert path is not None
        path.mkdir(parents=True)
    with pytest.raises(EyesError) as failure:
        blobs.get(HI)
    assert (failure.value.code.name, blobs.put(b"hi"), blobs.put(b"")) == ("BLOB_CORRUPT", HI, empty)
    assert (blobs.get(HI), blobs.get(empty)) == (b"hi", b"")
    assert [moved.moved_to.is_dir() for moved in blobs.quarantined] == [True, True]


def test_a_blob_put_again_counts_as_young(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    old, renewed = blobs.put(b"old"), blobs.put(b"renewed")
    for sha256 in (old, renewed):
        path = blobs.path(sha256)
        assert path is not None
        os.utime(path, (0, 0))
    blobs.put(b"renewed")
    assert blobs.prune(()) == Pruned(1, 3)
    assert (blobs.has(old), blobs.has(renewed)) == (False, True)


def test_foreign_files_are_neither_listed_nor_removed_and_leftovers_are_swept(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    blobs.put(b"hi")
    foreign = [
        tmp_path / "blobs" / "note.txt",
        tmp_path / "blobs" / HI[:2] / "note.txt",
        tmp_path / "blobs" / "zz" / HI,
    ]
    for path in foreign:
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    left = tmp_path / "blobs" / HI[:2] / f".{HI}.1-0123456789abcdef.tmp"
    left.write_text("cut")
    assert [entry.sha256 for entry in blobs.entries()] == [HI]
    assert blobs.prune((), grace_s=-1) == Pruned(1, 2)
    assert files(tmp_path) == sorted(str(path.relative_to(tmp_path)) for path in foreign)


def test_looking_creates_nothing(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    assert (blobs.has(HI), list(blobs.entries()), blobs.prune(())) == (False, [], Pruned())
    assert list(tmp_path.iterdir()) == []
