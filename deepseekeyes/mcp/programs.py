"""Which file a server's command means."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def resolve(command: str, cwd: str | None, path: str | None) -> str | None:
    """The file that a command means, or None. On Windows the endings of PATHEXT are tried, so `npx` finds `npx.cmd`.

    Args:
        command: a name on the search path, or a path (relative ones start at `cwd`).
        cwd: the server's working folder; None is ours.
        path: the search path; None is that of this process.
    """
    if os.path.dirname(command):  # noqa: PTH120
        return shutil.which(str(Path(cwd or ".") / command))
    return shutil.which(command, path=path)
