"""What the lowest layers may load when they are imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "sqlite3",
    "PIL",
    "filelock",
    "asyncio",
    "uuid",
    "pydantic",
    "difflib",
    "tempfile",
    "socket",
    "logging",
}
CORE = [
    "atomic",
    "canonical",
    "clock",
    "codes",
    "errors",
    "eventloop",
    "geometry",
    "home",
    "limits",
    "lock",
    "names",
    "redact",
]


@pytest.mark.parametrize(
    "modules",
    [
        [f"deepseekeyes.core.{name}" for name in [*CORE, "secrets"]],
        [f"deepseekeyes.store.{name}" for name in ("blobs", "records", "documents", "ledger", "quarantine", "seal")],
    ],
    ids=["core", "store"],
)
def test_importing_core_and_store_loads_nothing_heavy(modules: list[str]) -> None:
    program = f"import sys, {', '.join(modules)}\nprint(*sorted({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
