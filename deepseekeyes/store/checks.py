"""Examinations of the home and of what lies in it."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from deepseekeyes.contracts.examination import Examination, Finding, failed, ok, skipped, warning
from deepseekeyes.core.errors import EyesError
from deepseekeyes.store.filesystem import REMOTE, VOLATILE, Mount, mount_of, read_mounts

if TYPE_CHECKING:
    from deepseekeyes.store.ledger import Ledger

GROUP: Final = "store"
LITTLE_SPACE: Final = 256 * 1024 * 1024
NAMED: Final = 5
ELSEWHERE: Final = "Choose another home: export DEEPSEEKEYES_HOME=DIR"
OURS: Final = frozenset(
    {
        "artifacts",
        "blobs",
        "browser-runs",
        "catalog.json",
        "config-trust.json",
        "config.toml",
        "crash",
        "desktop-runs",
        "desktop-sessions",
        "evidence",
        "hub-policy.json",
        "hub-runtime",
        "hub-scan.json",
        "ledger.sqlite3",
        "ledger.sqlite3-journal",
        "ledger.sqlite3-shm",
        "ledger.sqlite3-wal",
        "locks",
        "mcp-artifacts",
        "mcp-catalogs",
        "mcp-pins.json",
        "probe-verdicts.json",
        "quarantine",
        "route-state.json",
        "run",
    }
)
CHAINED: Final = ("usage", "attempts", "audit", "runs", "unresolved")


@dataclass(frozen=True, slots=True)
class StoreChecks:
    """What these examinations look at.

    Attributes:
        home: where state lies.
        ledger: opens the ledger; None where the settings that name it cannot be read.
        mounts: the mount table.
    """

    home: Path
    ledger: Callable[[], Ledger] | None
    mounts: Callable[[], Sequence[Mount]] = read_mounts


def checks(deps: StoreChecks) -> tuple[Examination, ...]:
    """The home, its file system, the ledger, and what was set aside."""
    looks: dict[str, Callable[[], Finding]] = {
        "home": lambda: home_writable(deps.home),
        "filesystem": lambda: filesystem(deps.home, deps.mounts()),
        "space": lambda: space(deps.home),
        "ledger": lambda: ledger(deps),
        "crashes": lambda: crashes(deps.home),
        "quarantine": lambda: quarantine(deps.home),
        "foreign": lambda: foreign(deps.home),
    }
    return tuple(Examination(f"{GROUP}.{name}", GROUP, partial(_seen, look)) for name, look in looks.items())


def _seen(look: Callable[[], Finding]) -> Finding:
    """A look that the operating system refuses is a finding of its own."""
    try:
        return look()
    except OSError as error:
        place = error.filename or "The home"
        return failed(f"{place}: {(error.strerror or 'cannot be read').lower()}.", ELSEWHERE)


def home_writable(home: Path) -> Finding:
    """Write, read back and remove a private file in the home."""
    from deepseekeyes.core.atomic import write_private

    probe = home / f".doctor-{os.getpid()}"
    existed = home.is_dir()
    try:
        write_private(probe, b"seen")
    except EyesError as error:
        return failed(error.message, error.hint)
    back = probe.read_bytes()
    probe.unlink()
    if back != b"seen":
        return failed(f"{home}: what was written did not come back.", "Check the disk.")
    mode = stat.S_IMODE(home.stat().st_mode)
    seen = f"{home} was {'there' if existed else 'created'}, a file was written and read back, mode {mode:04o}."
    if os.name == "posix" and mode & 0o077:
        return warning(f"{seen} Others may enter it.", f"chmod 700 {home}")
    return ok(seen)


def filesystem(home: Path, mounts: Sequence[Mount]) -> Finding:
    """The kind of file system under the home; locks and SQLite need a local one."""
    mount = mount_of(home.resolve(), mounts)
    if mount is None:
        return skipped("The mount table cannot be read here, so the kind of file system is not known.")
    seen = f"{home} lies on {mount.kind}, mounted at {mount.point}."
    if mount.kind in REMOTE or mount.kind.startswith("fuse.ssh"):
        return warning(
            f"{seen} That is not a local disk: locks and the ledger may fail when several machines use it.",
            "export DEEPSEEKEYES_HOME=DIR on a local disk",
        )
    if mount.kind in VOLATILE:
        return ok(f"{seen} It is memory: what is stored is gone after a restart.")
    return ok(seen)


def space(home: Path) -> Finding:
    """Free bytes and file slots for a user."""
    import shutil

    place = next(path for path in (home, *home.parents) if path.exists())
    free = shutil.disk_usage(place).free
    seen = f"{free // (1024 * 1024):,} MiB are free at {place}."
    if free < LITTLE_SPACE:
        return warning(seen, "Free some space, or run: deepseekeyes vision cache prune")
    return ok(seen)


def ledger(deps: StoreChecks) -> Finding:
    """Open the ledger and recompute every chain."""
    if deps.ledger is None:
        return skipped("The settings that name the ledger cannot be read.", "deepseekeyes doctor --only config")
    opened = deps.ledger()
    try:
        found = [opened.verify(table) for table in CHAINED]
        aside = opened.quarantined
    finally:
        opened.close()
    if aside:
        moved = ", ".join(str(entry.moved_to) for entry in aside)
        return warning(f"The ledger was no database and was set aside: {moved}.", f"ls -l {deps.home / 'quarantine'}")
    broken = [f"{chain.table} from row {chain.first_bad}" for chain in found if not chain.intact]
    counts = ", ".join(f"{chain.table} {chain.rows}" for chain in found)
    if broken:
        return failed(
            f"The chain of digests is broken: {', '.join(broken)} (rows: {counts}).",
            "Somebody changed rows: keep a copy of the file, then move it away; a new one is started.",
        )
    return ok(f"Every chain of digests holds; rows: {counts}.")


def crashes(home: Path) -> Finding:
    """Tracebacks of bugs."""
    found = sorted(_names(home / "crash"))
    if not found:
        return ok("No crash was written down.")
    newest = home / "crash" / found[-1]
    return warning(f"{len(found)} crash files; the newest is {newest}.", f"Read it, report it, then: rm {newest}")


def quarantine(home: Path) -> Finding:
    """Files that were found corrupt."""
    found = sorted(_names(home / "quarantine"))
    if not found:
        return ok("Nothing was set aside as corrupt.")
    return warning(
        f"{len(found)} files were found corrupt and set aside: {_some(found)}.", f"ls -l {home / 'quarantine'}"
    )


def foreign(home: Path) -> Finding:
    """What in the home is not ours; it is left alone."""
    found = sorted(name for name in _names(home) if not _ours(name))
    if not found:
        return ok("Nothing in the home belongs to anybody else.")
    return ok(f"{len(found)} entries in the home are not ours and are left alone: {_some(found)}.")


def _ours(name: str) -> bool:
    bare = name.removeprefix(".").removesuffix(".lock")
    hidden = name.startswith(".") and (name.endswith((".tmp", ".lock")) or name.startswith(".doctor-"))
    return name in OURS or bare in OURS or hidden or name.startswith("config.toml.")


def _names(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in os.scandir(folder) if not entry.name.endswith(".lock")]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:NAMED])
    return shown if len(names) <= NAMED else f"{shown} and {len(names) - NAMED} more"
