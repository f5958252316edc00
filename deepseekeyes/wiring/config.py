"""Deps of the `config` operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepseekeyes.config.deps import ConfigDeps

if TYPE_CHECKING:
    from deepseekeyes.wiring.app import App


def config_deps(app: App) -> ConfigDeps:
    """The invocation as the configuration sees it; nothing is loaded yet."""
    return ConfigDeps(
        home=app.home,
        cwd=app.cwd,
        environ=app.environ,
        flags=app.flags,
        config_file=app.config_file,
        clock=app.clock,
    )
