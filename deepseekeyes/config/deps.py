"""What the `config` operations touch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deepseekeyes.core.clock import Clock


@dataclass(frozen=True, slots=True)
class ConfigDeps:
    """The invocation as the configuration sees it.

    Attributes:
        home: where state and the user's `config.toml` lie.
        cwd: the working folder.
        environ: the process's environment.
        flags: settings that the command line gave, by dotted key.
        config_file: what `--config` named.
    """

    home: Path
    cwd: Path
    environ: Mapping[str, str]
    flags: Mapping[str, Any] = field(default_factory=dict)
    config_file: Path | None = None
    clock: Clock = field(default_factory=Clock)

    def sources(self) -> dict[str, Any]:
        """Keyword arguments of `load` and `inspect`."""
        return {
            "home": self.home,
            "cwd": self.cwd,
            "environ": self.environ,
            "flags": self.flags,
            "config_file": self.config_file,
        }
