"""A home and a working folder for the configuration, and the sources as one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deepseekeyes.config.deps import ConfigDeps
from deepseekeyes.config.load import Inspection, Loaded, inspect, load


@dataclass(frozen=True)
class Place:
    home: Path
    cwd: Path

    def mine(self, text: str | bytes) -> Path:
        return self._write(self.home / "config.toml", text)

    def folder(self, text: str | bytes) -> Path:
        return self._write(self.cwd / "deepseekeyes.toml", text)

    def load(self, environ: Mapping[str, str] | None = None, **more: Any) -> Loaded:
        return load(home=self.home, cwd=self.cwd, environ=environ or {}, **more)

    def inspect(self, environ: Mapping[str, str] | None = None, **more: Any) -> Inspection:
        return inspect(home=self.home, cwd=self.cwd, environ=environ or {}, **more)

    def problems(self, environ: Mapping[str, str] | None = None, **more: Any) -> list[tuple[str, str]]:
        """Code and dotted key of every problem."""
        from deepseekeyes.config.sources import dotted

        return [(problem.code.name, dotted(problem.path)) for problem in self.inspect(environ, **more).problems]

    def deps(self, environ: Mapping[str, str] | None = None, **more: Any) -> ConfigDeps:
        return ConfigDeps(home=self.home, cwd=self.cwd, environ=environ or {}, **more)

    @staticmethod
    def _write(path: Path, text: str | bytes) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path


@pytest.fixture
def place(tmp_path: Path) -> Place:
    cwd = tmp_path / "work"
    cwd.mkdir()
    return Place(tmp_path / "eyes", cwd)
