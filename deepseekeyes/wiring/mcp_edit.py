"""Deps of the operations that change which MCP servers are configured."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from deepseekeyes.mcp.editing import EditDeps
    from deepseekeyes.store.documents import Documents
    from deepseekeyes.wiring.app import App

IMPORT_LIMIT = 4 * 1024 * 1024
PLACE = ("mcp", "servers")


def edit_deps(app: App) -> EditDeps:
    """The home's configuration file, which may be broken elsewhere, and what is remembered beside it."""
    from deepseekeyes.mcp.editing import EditDeps
    from deepseekeyes.store.documents import Documents

    def read(name: str) -> bytes:
        from deepseekeyes.wiring.files import read_text_file

        return app.door.stdin(IMPORT_LIMIT) if name == "-" else read_text_file(name, IMPORT_LIMIT)

    return EditDeps(
        file=HomeServers(app),
        memory=ServerMemory(app, Documents(app.home)),
        value=lambda name: app.environ.get(name, ""),
        user_home=os.path.expanduser("~"),  # noqa: PTH111 - as other programs spell it
        read=read,
    )


@dataclass(frozen=True, slots=True)
class HomeServers:
    """`[mcp.servers]` in the home's `config.toml`."""

    app: App

    @property
    def path(self) -> str:
        from deepseekeyes.config.sources import HOME_FILE

        return str(self.app.home / HOME_FILE)

    def servers(self) -> dict[str, dict[str, Any]]:
        from deepseekeyes.config.layers import at
        from deepseekeyes.config.sources import decoded, parsed, read

        path = Path(self.path)
        found = at(parsed(decoded(read("home", path)), path), PLACE)
        tables = found if isinstance(found, Mapping) else {}
        return {name: dict(table) for name, table in tables.items() if isinstance(table, Mapping)}

    def switched_on(self) -> bool:
        try:
            return self.app.settings.mcp.enabled
        except EyesError:
            return False

    def put(self, server_id: str, values: Mapping[str, Any], *, replace: bool) -> bool:
        from deepseekeyes.config.edit import set_table

        return set_table(self.app.home, (*PLACE, server_id), values, replace=replace)

    def drop(self, server_id: str) -> bool:
        from deepseekeyes.config.edit import remove

        return remove(self.app.home, (*PLACE, server_id))


@dataclass(frozen=True, slots=True)
class ServerMemory:
    """Catalogs and pins of a home."""

    app: App
    documents: Documents

    def forget_catalog(self, server_id: str) -> bool:
        from deepseekeyes.mcp.cache import CatalogCache

        return CatalogCache(self.documents, self.app.clock).forget(server_id)

    def forget_pins(self, server_id: str) -> None:
        from deepseekeyes.mcp.pins import Pins

        Pins(self.documents, self.app.clock).forget(server_id)

    def pins(self, server_id: str) -> int:
        from deepseekeyes.mcp.pins import Pins

        return len(Pins(self.documents, self.app.clock).of(server_id))
