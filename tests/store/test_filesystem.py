"""The mount table."""

from __future__ import annotations

from pathlib import Path

import pytest

from deepseekeyes.store.filesystem import Mount, linux_mounts, mac_mounts, mount_of, read_mounts

MOUNTINFO = r"""22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/root rw
23 22 0:21 / /proc rw - proc proc rw
40 22 0:40 / /home/me/nfs\040share rw shared:2 master:1 - nfs4 server:/export rw,vers=4.2
41 22 0:41 / /home rw - xfs /dev/vdb rw
42 41 0:42 / /home/me/tmp rw - tmpfs tmpfs rw
43 22 0:43 / /home/me/tmp rw - overlay overlay rw
broken line
"""
MAC = """/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
//me@server/share on /Volumes/My Share (smbfs, nodev, nosuid, mounted by me)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/etc", "ext4"),
        ("/", "ext4"),
        ("/home/me/eyes", "xfs"),
        ("/home/me/nfs share/eyes", "nfs4"),
        ("/home/me/nfs share", "nfs4"),
        ("/home/me/nfs sharepoint", "xfs"),
        ("/home/me/tmp/x", "overlay"),
        ("/homework", "ext4"),
    ],
)
def test_the_longest_mount_point_above_a_path_holds_it(path: str, kind: str) -> None:
    mount = mount_of(Path(path), linux_mounts(MOUNTINFO))
    assert mount is not None
    assert mount.kind == kind


def test_mac_lines() -> None:
    assert mac_mounts(MAC)[:2] == (
        Mount("/", "apfs", "/dev/disk3s1s1"),
        Mount("/Volumes/My Share", "smbfs", "//me@server/share"),
    )


def test_an_empty_table_knows_nothing() -> None:
    assert mount_of(Path("/x"), ()) is None
    assert read_mounts("win32") == ()


def test_this_machine_has_a_root() -> None:
    assert mount_of(Path("/"), read_mounts()) is not None
