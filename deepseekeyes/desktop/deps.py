"""What the desktop operations are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from deepseekeyes.automation.given import Stdin
from deepseekeyes.automation.settings import AutomationSettings
from deepseekeyes.core.clock import Clock
from deepseekeyes.desktop.ports import Opening, Opens
from deepseekeyes.desktop.settings import DesktopSettings


class Sessions(Protocol):
    """Where session documents are kept; a `store.documents.Documents` of the home."""

    def load(self, name: str, version: int) -> dict[str, Any] | None: ...

    def update(
        self, name: str, version: int, change: Callable[[dict[str, Any] | None], dict[str, Any]]
    ) -> dict[str, Any]: ...

    def remove(self, name: str) -> bool: ...

    def names(self, folder: str = "") -> Any: ...


@dataclass(frozen=True, slots=True)
class DesktopDeps:
    """Dependencies of the desktop operations.

    Attributes:
        open: opens the display; `opening` says how.
        locks: private folder of the locks that hold a display.
        root: folder of runs; None keeps them in the session document.
        keep: puts a screenshot where documents can refer to it.
        stdin: the caller's standard input.
        variable: a variable of the caller's environment.
        programs: environment of programs that are launched.
        cwd: the caller's working folder.
        sleep: waits inside a thread, seconds.
        version: of the program, for the log.
    """

    settings: DesktopSettings
    automation: AutomationSettings
    clock: Clock
    sessions: Sessions
    open: Opens
    opening: Opening
    locks: Path
    root: Path | None
    keep: Callable[[bytes], str]
    stdin: Stdin
    variable: Callable[[str], str | None]
    note: Callable[[str], None]
    programs: Mapping[str, str]
    cwd: Path
    sleep: Callable[[float], None]
    version: str
