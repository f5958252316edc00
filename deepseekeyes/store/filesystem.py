"""Which file system a path lies on, from the mount table: nothing on the path itself is touched."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

REMOTE: Final = frozenset(
    {
        "9p",
        "afpfs",
        "afs",
        "beegfs",
        "ceph",
        "cifs",
        "davfs",
        "drvfs",
        "fuse.ceph",
        "fuse.davfs",
        "fuse.gcsfuse",
        "fuse.glusterfs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.sshfs",
        "fuse.vmhgfs-fuse",
        "glusterfs",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "prl_fs",
        "smb",
        "smb2",
        "smb3",
        "smbfs",
        "sshfs",
        "vboxsf",
        "virtiofs",
        "vmhgfs",
        "webdav",
    }
)
"""File systems whose locks or memory maps are not those of a local disk."""

VOLATILE: Final = frozenset({"tmpfs", "ramfs"})


@dataclass(frozen=True, slots=True)
class Mount:
    """One line of the mount table."""

    point: str
    kind: str
    source: str


def linux_mounts(text: str) -> tuple[Mount, ...]:
    """The lines of `/proc/self/mountinfo`; octal escapes of blanks are undone."""
    found = []
    for line in text.splitlines():
        left, separator, right = line.partition(" - ")
        fields, behind = left.split(), right.split()
        if separator and len(fields) >= 5 and len(behind) >= 2:
            found.append(Mount(_plain(fields[4]), behind[0], _plain(behind[1])))
    return tuple(found)


def mac_mounts(text: str) -> tuple[Mount, ...]:
    """The lines of `mount` on macOS: `/dev/disk1 on / (apfs, local, journaled)`."""
    found = []
    for line in text.splitlines():
        match = re.fullmatch(r"(.*?) on (.*) \(([^,)]+).*\)", line)
        if match:
            found.append(Mount(match[2], match[3], match[1]))
    return tuple(found)


def mount_of(path: Path, mounts: Iterable[Mount]) -> Mount | None:
    """The mount that holds a path: the longest mount point above it, the last one where several lie on one point."""
    best = None
    for mount in mounts:
        point = mount.point.rstrip("/") or "/"
        inside = point == "/" or str(path) == point or str(path).startswith(point + "/")
        if inside and (best is None or len(point) >= len(best.point.rstrip("/") or "/")):
            best = mount
    return best


def read_mounts(platform: str = sys.platform) -> tuple[Mount, ...]:
    """The mount table of this machine; empty where it cannot be read."""
    if platform.startswith("linux"):
        try:
            return linux_mounts(Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape"))
        except OSError:
            return ()
    if platform == "darwin":
        return mac_mounts(_mount_command())
    return ()


def _mount_command() -> str:
    import subprocess

    try:
        done = subprocess.run(["/sbin/mount"], capture_output=True, timeout=5, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return os.fsdecode(done.stdout)


def _plain(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)
