"""Standard streams that the caller closed."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def hold_streams() -> None:
    """Give the number of each closed standard stream to the null device.

    Otherwise the next file that is opened takes the number, and words meant for the caller are written into that file.
    Standard input then stays absent, standard error is lost, and writing to standard output fails as to a bad file,
    which is what it is.
    """
    if sys.stdin is None:
        _occupy(os.O_RDONLY)
    if sys.stdout is None:
        sys.stdout = _stream(_occupy(os.O_RDONLY))
    if sys.stderr is None:
        sys.stderr = _stream(_occupy(os.O_WRONLY))


def _occupy(flags: int) -> int:
    """The null device under the lowest free number, for children too."""
    number = os.open(os.devnull, flags)
    os.set_inheritable(number, True)
    return number


def _stream(number: int) -> TextIO:
    return open(number, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
