"""Many processes over one home, killed ones, unprivileged ones, full disks."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.core.canonical import digest
from deepseekeyes.core.lock import locked
from deepseekeyes.store.blobs import Blobs
from deepseekeyes.store.documents import Documents
from deepseekeyes.store.ledger import Ledger
from deepseekeyes.store.records import Records

pytestmark = pytest.mark.service

PROCESSES, ROUNDS = 8, 12
NOBODY = 65534

PRELUDE = """
import json, os, resource, sys, time
from pathlib import Path
import filelock, sqlite3
from deepseekeyes.core import atomic
from deepseekeyes.core.canonical import digest
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.lock import locked
from deepseekeyes.store.blobs import Blobs
from deepseekeyes.store.documents import Documents
from deepseekeyes.store.ledger import Ledger
from deepseekeyes.store.records import Records

home = Path(sys.argv[1])
blobs, records = Blobs(home / "blobs"), Records(home / "evidence")
documents, ledger = Documents(home, lock_timeout_s=60), Ledger(home / "ledger.sqlite3", busy_timeout_ms=60_000)

def outcome(call):
    try:
        return call()
    except EyesError as error:
        return error.code.name
"""

CROWD = """
me, rounds = sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
seen = []
for n in range(rounds):
    blobs.put(b"same %d" % n)
    blobs.put(f"{me} {n}".encode())
    key = digest(["same", n])
    seen.append(records.add(key, {"cacheKey": key, "text": "same"})["recordSha256"])
    records.add(digest([me, n]), {"text": me})
    records.add(digest("fresh"), {"text": me}, fresh=True)
    documents.update("count", 1, lambda found: {"n": (found or {"n": 0})["n"] + 1})
    ledger.append("usage", {"purpose": "base", "usage": {"inputTokens": 1}, "sessionHash": me})
    ledger.append("audit", {"me": me})
    ledger.bump("mcp_runs", "run", ceiling=50)
print(json.dumps(seen))
"""


def start(program: str, home: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PRELUDE + program, str(home), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def said(program: str, home: Path, *words: str) -> Any:
    """The JSON that a program prints, run in a process of its own over that home."""
    with start(program, home, *words) as process:
        output, _ = process.communicate()
    assert process.returncode == 0
    return json.loads(output)


def leftovers(home: Path) -> list[str]:
    return [str(path.relative_to(home)) for path in home.rglob("*") if path.name.endswith(".tmp")]


def test_eight_processes_write_the_same_and_different_things_at_once(home: Path) -> None:
    crowd = [start(CROWD, home, f"p{number}", str(ROUNDS)) for number in range(PROCESSES)]
    for process in crowd:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    seen = [json.loads(process.communicate("go\n")[0]) for process in crowd]
    assert [process.returncode for process in crowd] == [0] * PROCESSES

    everything = PROCESSES * ROUNDS
    assert all(one == seen[0] for one in seen)
    blobs, records, documents = Blobs(home / "blobs"), Records(home / "evidence"), Documents(home)
    assert len([blobs.get(entry.sha256) for entry in blobs.entries()]) == ROUNDS + everything
    assert len(list(records.keys())) == ROUNDS + everything + 1
    assert records.numbers(digest("fresh")) == list(range(1, everything + 1))
    chain = [records.read(digest("fresh"), number) for number in records.numbers(digest("fresh"))]
    assert len({record["recordSha256"] for record in chain if record}) == everything
    assert documents.load("count", 1) == {"n": everything}

    ledger = Ledger(home / "ledger.sqlite3")
    assert (ledger.count("usage"), ledger.count("audit")) == (everything, everything)
    assert all(ledger.verify(table).intact for table in ("usage", "audit"))
    assert [bucket.measures for bucket in ledger.totals()] == [
        {"events": everything, "inputTokens": everything, "inputTokensReported": everything}
    ]
    assert {found.session_hash: found.buckets[0].measures["events"] for found in ledger.sessions()} == {
        f"p{number}": ROUNDS for number in range(PROCESSES)
    }
    assert [(found.key, found.value) for found in ledger.counters("mcp_runs")] == [("run", 50)]
    ledger.close()
    assert leftovers(home) == []
    assert not (home / "quarantine").exists()


HANG = """
def hang(*_):
    print("in the middle", flush=True)
    time.sleep(600)
"""
MIDDLES = {
    "a blob": 'atomic.os.link = hang\nblobs.put(b"data")',
    "a record": 'atomic.os.link = hang\nrecords.add("a" * 64, {"text": "x"})',
    "a document": 'atomic.os.replace = hang\ndocuments.update("count", 1, lambda _: {"n": 2})',
    "half the bytes": 'atomic.os.fsync = hang\nblobs.put(b"data" * 100_000)',
    "a change under the lock": 'documents.update("count", 1, hang)',
    "a ledger row": 'ledger.extend("usage", ((None, {}) if n < 3 else hang() for n in range(9)))',
}


@pytest.mark.parametrize("program", MIDDLES.values(), ids=MIDDLES.keys())
def test_a_process_killed_in_the_middle_leaves_a_usable_home(home: Path, program: str) -> None:
    Documents(home).update("count", 1, lambda _: {"n": 1})
    before = Ledger(home / "ledger.sqlite3")
    before.append("usage", {"purpose": "base"})
    with start(HANG + program, home) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "in the middle\n"
        process.send_signal(signal.SIGKILL)
        process.wait()

    blobs, records, documents = Blobs(home / "blobs"), Records(home / "evidence"), Documents(home, lock_timeout_s=5)
    assert blobs.get(blobs.put(b"data")) == b"data"
    assert records.add("a" * 64, {"text": "x"}) == records.latest("a" * 64)
    assert documents.load("count", 1) == {"n": 1}
    assert documents.update("count", 1, lambda found: {"n": (found or {})["n"] + 1}) == {"n": 2}
    assert before.append("usage", {"purpose": "base"}) == 2
    assert before.verify("usage").intact
    assert before.totals()[0].measures == {"events": 2}
    before.close()

    said(
        "blobs.prune({path.name for path in home.rglob('*')}, grace_s=0)\n"
        "for path in [home, *home.rglob('*')]:\n"
        "    if path.is_dir(): atomic.sweep_temporary(path, grace_s=0)\n"
        "print(0)",
        home,
    )
    assert leftovers(home) == []
    assert not (home / "quarantine").exists()


@pytest.fixture
def open_home() -> Iterator[Path]:
    """A home that another user may enter and read, but not write to."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        home = Path(place) / "eyes"
        Blobs(home / "blobs").put(b"data")
        Records(home / "evidence").add("a" * 64, {"text": "x"})
        Documents(home).update("count", 1, lambda _: {"n": 1})
        ledger = Ledger(home / "ledger.sqlite3")
        ledger.append("usage", {})
        ledger.close()
        for path in [home, *home.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        yield home
        for path in [home, *home.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)


UNPRIVILEGED = f"""
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
"""


def test_a_home_that_may_not_be_written_to_gives_typed_errors_and_can_be_read(open_home: Path) -> None:
    program = """
print(json.dumps([
    outcome(lambda: blobs.put(b"more")),
    outcome(lambda: records.add("b" * 64, {})),
    outcome(lambda: records.add("a" * 64, {}, fresh=True)),
    outcome(lambda: documents.update("count", 1, lambda _: {"n": 2})),
    outcome(lambda: documents.update("other", 1, lambda _: {})),
    outcome(lambda: ledger.append("usage", {})),
    outcome(lambda: Ledger(home / "new.sqlite3").append("usage", {})),
    outcome(lambda: Ledger(home / "below" / "new.sqlite3").append("usage", {})),
    blobs.get(blobs.put(b"data")).decode(),
    records.add("a" * 64, {})["text"],
    documents.load("count", 1),
]))
"""
    assert said(UNPRIVILEGED + program, open_home) == [*["HOME_NOT_WRITABLE"] * 8, "data", "x", {"n": 1}]


def test_a_home_that_may_not_be_entered_gives_typed_errors(open_home: Path) -> None:
    open_home.chmod(0o000)
    program = """
calls = [
    lambda: blobs.put(b"more"),
    lambda: blobs.get("a" * 64),
    lambda: blobs.has("a" * 64),
    lambda: records.latest("a" * 64),
    lambda: records.add("b" * 64, {}),
    lambda: documents.load("count", 1),
    lambda: documents.update("count", 1, lambda _: {"n": 2}),
    lambda: ledger.append("usage", {}),
    lambda: ledger.rows("usage"),
]
print(json.dumps([outcome(call) for call in calls]))
"""
    try:
        found = said(UNPRIVILEGED + program, open_home)
    finally:
        open_home.chmod(0o755)
    assert found == [
        "HOME_NOT_WRITABLE",
        "FILE_UNREADABLE",
        False,
        None,
        "HOME_NOT_WRITABLE",
        "FILE_UNREADABLE",
        "HOME_NOT_WRITABLE",
        "HOME_NOT_WRITABLE",
        [],
    ]


def test_a_disk_that_takes_no_more_bytes_gives_typed_errors_and_leaves_no_part(home: Path) -> None:
    said("ledger.append('usage', {}); print(0)", home)
    program = """
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
print(json.dumps([
    outcome(lambda: blobs.put(b"x" * 5000)),
    outcome(lambda: records.add("a" * 64, {"text": "x" * 5000})),
    outcome(lambda: documents.update("count", 1, lambda _: {"text": "x" * 5000})),
    outcome(lambda: ledger.append("usage", {"text": "x" * 5000})),
    len(blobs.put(b"x" * 1500)),
]))
"""
    assert said(program, home) == ["DISK_FULL", "DISK_FULL", "DISK_FULL", "LEDGER_UNAVAILABLE", 64]
    assert (leftovers(home), list(Records(home / "evidence").keys())) == ([], [])
    assert Documents(home).load("count", 1) is None
    ledger = Ledger(home / "ledger.sqlite3")
    assert (ledger.append("usage", {}), ledger.verify("usage").intact) == (2, True)
    ledger.close()


def test_a_forked_child_opens_a_connection_of_its_own(home: Path) -> None:
    program = """
ledger.append("usage", {"n": 0})
child = os.fork()
ledger.append("usage", {"n": 1})
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
ledger.append("usage", {"n": 2})
print(json.dumps([ledger.count("usage"), ledger.verify("usage").intact]))
"""
    assert said(program, home) == [4, True]


def test_a_lock_dies_with_its_holder(home: Path) -> None:
    with start("with locked(home / 'x.lock'):\n    print('held', flush=True)\n    time.sleep(600)", home) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        process.kill()
        process.wait()
    with locked(home / "x.lock", timeout_s=5):
        pass
