"""A watchman outlives us by a moment: when this process is gone, however that came, no server that it started stays.

A process that is killed ends nothing itself, and a server that does not mind the end of its input would run on for
good. The watchman is a shell that reads the groups of running servers from a pipe whose other end only we hold.
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

SHELL = "/bin/sh"
_SCRIPT = """
trap '' INT TERM HUP
all=' '
while read -r sign group; do
  case $sign in
    +) all="$all$group " ;;
    -) case $all in *" $group "*) all="${all%%" $group "*} ${all#*" $group "}" ;; esac ;;
  esac
done
for group in $all; do kill -s KILL -- "-$group"; done
"""


class Watchman:
    """Knows which process groups must not outlive this process. Runs only while there is one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._groups: set[int] = set()
        self._pipe: int | None = None
        self._pid = 0

    def watch(self, group: int) -> None:
        """Take a group into care; where there is no shell, nothing is done."""
        with self._lock:
            if self._pipe is None and not self._start():
                return
            self._groups.add(group)
            self._tell(f"+ {group}\n")

    def release(self, group: int) -> None:
        """A group has ended. After the last one the watchman goes too."""
        with self._lock:
            if group not in self._groups:
                return
            self._groups.remove(group)
            self._tell(f"- {group}\n")
            if not self._groups and self._pipe is not None:
                os.close(self._pipe)
                self._pipe = None
                with suppress(ChildProcessError):
                    os.waitpid(self._pid, 0)

    def _tell(self, line: str) -> None:
        with suppress(OSError):
            os.write(self._pipe or -1, line.encode())

    def _start(self) -> bool:
        if sys.platform == "win32" or not os.access(SHELL, os.X_OK):
            return False
        reading, writing = os.pipe()
        null = os.open(os.devnull, os.O_RDWR)
        try:
            self._pid = os.posix_spawn(
                SHELL,
                [SHELL, "-c", _SCRIPT],
                {},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, reading, 0),
                    (os.POSIX_SPAWN_DUP2, null, 1),
                    (os.POSIX_SPAWN_DUP2, null, 2),
                ],
                setpgroup=0,
            )
        except OSError:
            os.close(writing)
            return False
        finally:
            os.close(reading)
            os.close(null)
        self._pipe = writing
        return True


WATCHMAN = Watchman()
