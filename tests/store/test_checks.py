"""The home as the doctor sees it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.contracts.examination import Finding
from deepseekeyes.store.checks import StoreChecks, checks, filesystem, foreign, home_writable
from deepseekeyes.store.filesystem import Mount
from deepseekeyes.store.ledger import Ledger


def findings(home: Path, *, ledger: bool = True) -> dict[str, Any]:
    deps = StoreChecks(home, (lambda: Ledger(home / "ledger.sqlite3")) if ledger else None)
    return {item.id.removeprefix("store."): item.run() for item in checks(deps)}


def test_a_fresh_home_is_sound_and_nothing_is_left_behind(tmp_path: Path) -> None:
    home = tmp_path / "eyes"
    found = findings(home)
    assert {finding.status for finding in found.values()} == {"ok"}
    assert sorted(found) == ["crashes", "filesystem", "foreign", "home", "ledger", "quarantine", "space"]
    assert str(home) in found["home"].seen
    assert list(home.iterdir()) == []
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_a_home_that_others_may_enter_is_a_warning_with_the_command(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    found = home_writable(tmp_path)
    assert (found.status, found.fix) == ("warning", f"chmod 700 {tmp_path}")


def test_a_home_that_is_a_file_fails(tmp_path: Path) -> None:
    (tmp_path / "eyes").write_text("x")
    found = home_writable(tmp_path / "eyes")
    assert found.status == "failed"
    assert found.fix


@pytest.mark.skipif(os.name != "posix", reason="uids are POSIX")
def test_a_home_that_this_user_may_not_write_fails(tmp_path: Path) -> None:
    home = tmp_path / "eyes"
    home.mkdir()
    home.chmod(0o555)
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from deepseekeyes.store.checks import StoreChecks, checks\n"
        "def look(home):\n"
        "    return [item.run().status for item in checks(StoreChecks(Path(home), None)) if item.id == 'store.home']\n"
        "warm = look(sys.argv[2])\n"
        "if os.getuid() == 0:\n"
        "    os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "os.chdir('/')\n"
        "print(*warm, *look(sys.argv[1]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(home), str(tmp_path / "warm")], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("ok failed\n", "")


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("ext4", "ok"),
        ("apfs", "ok"),
        ("tmpfs", "ok"),
        ("nfs4", "warning"),
        ("cifs", "warning"),
        ("fuse.sshfs", "warning"),
    ],
)
def test_a_home_beyond_the_network_is_a_warning_that_names_the_kind(tmp_path: Path, kind: str, status: str) -> None:
    found = filesystem(tmp_path, [Mount("/", "ext4", "/dev/a"), Mount(str(tmp_path.resolve()), kind, "there")])
    assert found.status == status
    assert kind in found.seen


def test_an_unknown_mount_table_is_no_failure(tmp_path: Path) -> None:
    assert filesystem(tmp_path, []).status == "skipped"


def test_a_ledger_whose_rows_were_changed_fails(tmp_path: Path) -> None:
    import sqlite3

    ledger = Ledger(tmp_path / "ledger.sqlite3")
    for number in range(3):
        ledger.append("attempts", {"n": number})
    ledger.close()
    assert "attempts 3" in findings(tmp_path)["ledger"].seen
    db = sqlite3.connect(tmp_path / "ledger.sqlite3")
    db.execute("UPDATE attempts SET body = '{\"n\":9}' WHERE id = 2")
    db.commit()
    db.close()
    found = findings(tmp_path)["ledger"]
    assert found.status == "failed"
    assert "attempts from row 2" in found.seen


def test_a_ledger_that_is_no_database_is_set_aside_and_said_so(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite3").write_bytes(b"no database at all, but long enough to have a header" * 9)
    found = findings(tmp_path)
    assert found["ledger"].status == "warning"
    assert found["quarantine"].status == "warning"
    assert str(tmp_path / "quarantine") in found["ledger"].seen


def test_without_settings_the_ledger_is_not_looked_for(tmp_path: Path) -> None:
    assert findings(tmp_path, ledger=False)["ledger"].status == "skipped"


def test_crashes_and_corrupt_files_are_counted_and_named(tmp_path: Path) -> None:
    for folder, name in (("crash", "2026-1.txt"), ("crash", "2026-2.txt"), ("quarantine", "bad.json")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text("x")
    found = findings(tmp_path)
    assert (found["crashes"].status, found["quarantine"].status) == ("warning", "warning")
    assert "2 crash files" in found["crashes"].seen
    assert "2026-2.txt" in found["crashes"].seen
    assert "bad.json" in found["quarantine"].seen


def test_foreign_files_are_named_and_left_alone(tmp_path: Path) -> None:
    ours = [
        "config.toml",
        "config.toml.lock",
        ".route-state.json.lock",
        ".x.12-0123456789abcdef.tmp",
        "ledger.sqlite3-wal",
    ]
    for name in (*ours, "usage-stats.json", "vision-attempts.json"):
        (tmp_path / name).write_text("x")
    (tmp_path / "blobs").mkdir()
    assert foreign(tmp_path) == Finding(
        "ok", "2 entries in the home are not ours and are left alone: usage-stats.json, vision-attempts.json."
    )
    assert (tmp_path / "usage-stats.json").read_text() == "x"
