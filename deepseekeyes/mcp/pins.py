"""Remembered tool definitions: a tool that changes after it was allowed is withdrawn until the change is approved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.canonical import canonical
from deepseekeyes.core.clock import Clock, rfc3339
from deepseekeyes.mcp.catalog import Tool
from deepseekeyes.store.documents import Documents

NAME = "mcp-pins"
VERSION = 1
LARGEST_KEPT = 32_768
MAX_CHANGES = 200
MAX_TEXT = 2_000


@dataclass(frozen=True, slots=True)
class Pin:
    """The remembered definition of a tool; None where it was too large to be kept for a comparison."""

    digest: str
    at: str
    definition: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: a JSON pointer, and both values as clipped text (None where there is none)."""

    path: str
    before: str | None
    after: str | None


class Pins:
    """The pins of a home, in `mcp-pins.json`, by server id and raw tool name."""

    def __init__(self, documents: Documents, clock: Clock) -> None:
        self._documents = documents
        self._clock = clock

    def of(self, server_id: str) -> dict[str, Pin]:
        """The pins of one server.

        Raises:
            EyesError: as `Documents.load`.
        """
        return _pins(self._documents.load(NAME, VERSION), server_id)

    def observe(self, server_id: str, tools: Iterable[Tool]) -> dict[str, Pin]:
        """Remember the tools that were never seen, and return all pins of the server.

        Raises:
            EyesError: as `Documents.update`.
        """
        known = self.of(server_id)
        fresh = [tool for tool in tools if tool.raw_name not in known]
        return self._keep(server_id, fresh, replace=False) if fresh else known

    def approve(self, server_id: str, tool: Tool) -> None:
        """Make a tool's present definition the remembered one.

        Raises:
            EyesError: as `Documents.update`.
        """
        self._keep(server_id, [tool], replace=True)

    def forget(self, server_id: str) -> None:
        """Drop all pins of a server that is no longer configured.

        Raises:
            EyesError: as `Documents.update`.
        """

        def change(content: dict[str, Any] | None) -> dict[str, Any]:
            servers = dict((content or {}).get("servers", {}))
            servers.pop(server_id, None)
            return {"servers": servers}

        self._documents.update(NAME, VERSION, change)

    def _keep(self, server_id: str, tools: Iterable[Tool], *, replace: bool) -> dict[str, Pin]:
        added = {tool.raw_name: self._entry(tool) for tool in tools}

        def change(content: dict[str, Any] | None) -> dict[str, Any]:
            servers = dict((content or {}).get("servers", {}))
            present = dict(servers.get(server_id, {}))
            servers[server_id] = {**present, **added} if replace else {**added, **present}
            return {"servers": servers}

        return _pins(self._documents.update(NAME, VERSION, change), server_id)

    def _entry(self, tool: Tool) -> dict[str, Any]:
        definition = tool.definition()
        small = len(canonical(definition)) <= LARGEST_KEPT
        return {
            "digest": tool.digest,
            "at": rfc3339(self._clock.now()),
            "definition": definition if small else None,
        }


def _pins(content: Mapping[str, Any] | None, server_id: str) -> dict[str, Pin]:
    entries = (content or {}).get("servers", {}).get(server_id, {})
    return {
        name: Pin(each["digest"], str(each.get("at", "")), each.get("definition"))
        for name, each in entries.items()
        if isinstance(each, dict) and isinstance(each.get("digest"), str)
    }


def differences(before: dict[str, Any] | None, after: dict[str, Any]) -> tuple[tuple[Change, ...], int]:
    """Where two definitions differ, by JSON pointer, and how many differences were left out.

    A definition that was too large to be kept differs as a whole.
    """
    if before is None:
        return (Change("", None, _clipped(canonical(after))),), 0
    old, new = dict(_leaves(before)), dict(_leaves(after))
    paths = sorted(path for path in {*old, *new} if old.get(path) != new.get(path))
    changes = tuple(Change(path, _optional(old.get(path)), _optional(new.get(path))) for path in paths[:MAX_CHANGES])
    return changes, max(0, len(paths) - MAX_CHANGES)


def _leaves(value: Any) -> Iterable[tuple[str, str]]:
    stack: list[tuple[str, Any]] = [("", value)]
    while stack:
        path, item = stack.pop()
        if isinstance(item, dict) and item:
            stack.extend((f"{path}/{_escaped(key)}", member) for key, member in item.items())
        elif isinstance(item, list) and item:
            stack.extend((f"{path}/{index}", member) for index, member in enumerate(item))
        else:
            yield path, item if isinstance(item, str) else canonical(item)


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _optional(text: str | None) -> str | None:
    return None if text is None else _clipped(text)


def _clipped(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
