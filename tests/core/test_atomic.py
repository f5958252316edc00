"""Private files that are whole or absent."""

from __future__ import annotations

import errno
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deepseekeyes.core import atomic
from deepseekeyes.core.atomic import create_exclusive, private_dir, read_file, sweep_temporary, write_private
from deepseekeyes.core.errors import EyesError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def tree(path: Path) -> list[str]:
    return sorted(str(entry.relative_to(path)) for entry in path.rglob("*"))


def test_missing_directories_are_private_and_existing_ones_keep_their_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert private_dir(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    private_dir(tmp_path / "a" / "b")
    assert [mode(tmp_path), mode(tmp_path / "a"), mode(tmp_path / "a" / "b")] == [0o755, 0o700, 0o700]


def test_a_file_in_the_way_of_a_directory_is_a_typed_failure(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("file")
    for place in (tmp_path / "a", tmp_path / "a" / "b"):
        with pytest.raises(EyesError) as failure:
            private_dir(place)
        assert (failure.value.code.name, failure.value.exit_code) == ("WRITE_FAILED", 3)


def test_a_written_file_is_private_and_replaces_the_old_one_whole(tmp_path: Path) -> None:
    path = tmp_path / "x" / "f"
    write_private(path, b"one")
    path.chmod(0o644)
    write_private(path, b"two", durable=False)
    assert (path.read_bytes(), mode(path), tree(tmp_path)) == (b"two", 0o600, ["x", "x/f"])


def test_the_first_writer_of_an_exclusive_file_wins(tmp_path: Path) -> None:
    path = tmp_path / "x" / "f"
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda number: create_exclusive(path, b"%d" % number), range(16)))
    assert made.count(True) == 1
    assert path.read_bytes() == b"%d" % made.index(True)
    assert (mode(path), tree(tmp_path)) == (0o600, ["x", "x/f"])


def test_without_hard_links_exclusive_files_still_come_into_being_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(atomic.os, "link", refused)
    assert create_exclusive(tmp_path / "f", b"one")
    assert not create_exclusive(tmp_path / "f", b"two")
    assert ((tmp_path / "f").read_bytes(), tree(tmp_path)) == (b"one", ["f"])


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "DISK_FULL"),
        (errno.EDQUOT, "DISK_FULL"),
        (errno.EFBIG, "DISK_FULL"),
        (errno.EACCES, "HOME_NOT_WRITABLE"),
        (errno.EROFS, "HOME_NOT_WRITABLE"),
        (errno.EIO, "WRITE_FAILED"),
    ],
)
@pytest.mark.parametrize("write", [write_private, create_exclusive])
def test_a_failed_write_is_typed_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: object, number: int, code: str
) -> None:
    def failing(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(atomic.os, "fsync", failing)
    with pytest.raises(EyesError) as failure:
        write(tmp_path / "f", b"data")  # type: ignore[operator]
    assert (failure.value.code.name, failure.value.exit_code, tree(tmp_path)) == (code, 3, [])


def test_a_directory_pruned_away_in_the_middle_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link, calls = os.link, []

    def pruned_once(source: Path, target: Path) -> None:
        calls.append(target)
        if len(calls) == 1:
            source.unlink()
            target.parent.rmdir()
        link(source, target)

    monkeypatch.setattr(atomic.os, "link", pruned_once)
    assert create_exclusive(tmp_path / "x" / "f", b"data")
    assert (len(calls), tree(tmp_path)) == (2, ["x", "x/f"])


def test_reading_tells_absent_from_unreadable(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"data")
    assert read_file(tmp_path / "f") == b"data"
    assert read_file(tmp_path / "g") is None
    assert read_file(tmp_path / "f" / "g") is None
    with pytest.raises(EyesError) as failure:
        read_file(tmp_path)
    assert failure.value.code.name == "FILE_UNREADABLE"
    assert str(tmp_path) in failure.value.hint


def test_only_old_temporary_files_of_ours_are_swept(tmp_path: Path) -> None:
    ours = [tmp_path / f".name.{number}-{'0f' * 8}.tmp" for number in (1, 99999)]
    others = [tmp_path / name for name in (".name.tmp", "name.1-0f0f0f0f0f0f0f0f.tmp", ".editor.swp", "data")]
    for path in (*ours, *others):
        path.write_text("x")
    os.utime(ours[0], (0, 0))
    assert sweep_temporary(tmp_path) == 1
    assert sweep_temporary(tmp_path, grace_s=-1) == 1
    assert tree(tmp_path) == sorted(path.name for path in others)
    assert sweep_temporary(tmp_path / "missing") == 0
