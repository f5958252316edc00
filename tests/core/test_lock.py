"""Locks between holders."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.lock import locked


def test_holders_take_turns(tmp_path: Path) -> None:
    path, inside, most = tmp_path / "d" / "x.lock", [0], [0]

    def hold() -> None:
        for _ in range(5):
            with locked(path):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                inside[0] -= 1

    threads = [threading.Thread(target=hold) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_lock_that_stays_held_is_a_typed_timeout_with_its_setting(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with (
        locked(path),
        pytest.raises(EyesError) as failure,
        locked(path, timeout_s=0.01, setting="store.lock_timeout_ms"),
    ):
        raise AssertionError("entered")
    assert (failure.value.code.name, failure.value.exit_code) == ("LOCK_TIMEOUT", 5)
    assert failure.value.details == {
        "limit": {"name": "lock timeout, seconds", "value": 0.01, "setting": "store.lock_timeout_ms"}
    }


def test_an_exception_inside_lets_go(tmp_path: Path) -> None:
    with pytest.raises(ValueError), locked(tmp_path / "x.lock"):
        raise ValueError
    with locked(tmp_path / "x.lock", timeout_s=0):
        pass


def test_a_directory_in_the_place_of_the_lock_is_a_typed_failure(tmp_path: Path) -> None:
    with pytest.raises(EyesError) as failure, locked(tmp_path, timeout_s=0):
        raise AssertionError("entered")
    assert failure.value.code.name in {"WRITE_FAILED", "HOME_NOT_WRITABLE"}
