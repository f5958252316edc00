"""The last live tool catalog of each server, for listings that need no connection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from deepseekeyes.core.canonical import digest
from deepseekeyes.core.clock import Clock, rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.catalog import Catalog, admit
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.ports import Era, Greeting
from deepseekeyes.mcp.settings import McpSettings
from deepseekeyes.store.documents import Documents

FOLDER = "mcp-catalogs"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Cached:
    """A catalog as a live connection last gave it."""

    catalog: Catalog
    verified_at: str
    era: Era
    protocol_version: str
    server_name: str | None
    server_version: str | None


class CatalogCache:
    """Catalogs in `mcp-catalogs/<server>.json`, pinned by their digest and by the definition they came from."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents = documents
        self._clock = clock

    def load(self, server_id: str, server: ServerSettings, settings: McpSettings) -> Cached | None:
        """The remembered catalog, or None when there is none, when it is of another definition, or when it was altered.

        Raises:
            EyesError: as `Documents.load`.
        """
        content = self._content(server_id)
        if content is None or content.get("fingerprint") != server.fingerprint():
            return None
        tools = content.get("tools")
        if not isinstance(tools, list) or digest(tools) != content.get("sha256"):
            return None
        try:
            catalog = admit(server_id, tools, settings)
        except EyesError:
            return None
        return Cached(
            catalog,
            str(content["verifiedAt"]),
            _era(content) or "handshake",
            str(content.get("protocolVersion") or ""),
            content.get("serverName"),
            content.get("serverVersion"),
        )

    def era(self, server_id: str, server: ServerSettings) -> Era | None:
        """What the last connection agreed on, or None when unknown or when the definition changed since."""
        try:
            content = self._content(server_id)
        except EyesError:
            return None
        if content is None or content.get("fingerprint") != server.fingerprint():
            return None
        return _era(content)

    def count(self, server_id: str, server: ServerSettings) -> int:
        """How many tools the last live listing had; 0 when unknown."""
        try:
            content = self._content(server_id)
        except EyesError:
            return 0
        if content is None or content.get("fingerprint") != server.fingerprint():
            return 0
        tools = content.get("tools")
        return len(tools) if isinstance(tools, list) else 0

    def save(self, server_id: str, server: ServerSettings, catalog: Catalog, greeting: Greeting) -> str:
        """Remember a live catalog and return the time it was verified.

        Raises:
            EyesError: as `Documents.update`.
        """
        tools = catalog.raw()
        verified_at = rfc3339(self._clock.now())
        content: dict[str, Any] = {
            "fingerprint": server.fingerprint(),
            "sha256": digest(tools),
            "verifiedAt": verified_at,
            "era": greeting.era,
            "protocolVersion": greeting.protocol_version,
            "serverName": greeting.server_name,
            "serverVersion": greeting.server_version,
            "tools": tools,
        }
        self._documents.update(self._name(server_id), VERSION, lambda before: content)  # noqa: ARG005
        return verified_at

    def forget(self, server_id: str) -> bool:
        """Drop a server's catalog; False when there was none."""
        return self._documents.remove(self._name(server_id))

    def _content(self, server_id: str) -> dict[str, Any] | None:
        return self._documents.load(self._name(server_id), VERSION)

    @staticmethod
    def _name(server_id: str) -> str:
        return f"{FOLDER}/{server_id}"


def _era(content: dict[str, Any]) -> Literal["modern", "handshake"] | None:
    era = content.get("era")
    return era if era in ("modern", "handshake") else None
