"""`mcp import FILE`: take over the servers that another program is configured with. Nothing is started."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.mcp_edit import McpImported, McpImportItem
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.codes import MCP_IMPORT_INVALID
from deepseekeyes.mcp.convert import Claims, Converted, convert, own_id
from deepseekeyes.mcp.editing import EditDeps, checked
from deepseekeyes.mcp.foreign import Foreign, foreign


class ImportRequest(Contract):
    """`file` is a path or `-`; `only` picks servers by their name in the file."""

    file: str
    only: tuple[str, ...] = ()
    replace: bool = False
    dry_run: bool = False


async def import_(request: ImportRequest, deps: EditDeps) -> McpImported:
    """Translate every server and write those that can be used. Each starts with empty allow lists.

    A value that stands in the file becomes a reference to a variable, whose name is in the answer; the value itself is
    written nowhere.

    Raises:
        EyesError: MCP_IMPORT_UNREADABLE, MCP_IMPORT_INVALID, and the codes of the configuration.
    """
    found = foreign(deps.read(request.file))
    chosen = _chosen(found, request.only)
    existing = deps.file.servers()
    claims = _claims(deps, {name: table for name, table in existing.items() if name not in chosen})
    items: list[McpImportItem] = []
    for name, entry in chosen.items():
        server_id = own_id(name, frozenset(item.id.lower() for item in items))
        items.append(_item(request, deps, server_id, name, entry, claims, existing))
    return McpImported(
        path=deps.file.path,
        shape=found.shape,
        dry_run=request.dry_run,
        switched_on=deps.file.switched_on(),
        items=tuple(items),
        ignored=tuple(str(key)[:64] for key in found.ignored),
    )


def _chosen(found: Foreign, only: tuple[str, ...]) -> dict[str, Any]:
    absent = next((name for name in only if name not in found.servers), None)
    if absent is not None:
        raise EyesError(
            MCP_IMPORT_INVALID,
            f"The file names no server {absent[:64]!r}.",
            details={"candidates": sorted(found.servers)[:20]},
        )
    return {name: entry for name, entry in found.servers.items() if not only or name in only}


def _claims(deps: EditDeps, others: Mapping[str, Any]) -> Claims:
    """The variables that other servers use already, with what they hold; an unset one is shared with nobody."""
    claims = Claims()
    for table in others.values():
        for references in (table.get("env"), table.get("headers")):
            for reference in references.values() if isinstance(references, Mapping) else ():
                name = str(reference.get("env")) if isinstance(reference, Mapping) else ""
                claims.values[name] = deps.value(name) or f"\0{name}"
    return claims


def _item(
    request: ImportRequest,
    deps: EditDeps,
    server_id: str,
    name: str,
    entry: Mapping[str, Any],
    claims: Claims,
    existing: dict[str, dict[str, Any]],
) -> McpImportItem:
    there = next((known for known in existing if known.lower() == server_id.lower()), None)
    if there is not None and not request.replace:
        return McpImportItem(name=name, id=there, status="exists")
    server_id = there or server_id
    try:
        made = convert(server_id, name, entry, claims, deps.value, deps.user_home)
        checked(server_id, made.values, existing)
        written = request.dry_run or deps.file.put(server_id, made.values, replace=request.replace)
    except EyesError as refused:
        return McpImportItem(name=name, id=server_id, status="refused", error=ErrorBody.of(refused))
    if not written:
        return McpImportItem(name=name, id=server_id, status="exists")
    existing[server_id] = made.values
    return _taken(name, server_id, made, replaced=there is not None)


def _taken(name: str, server_id: str, made: Converted, *, replaced: bool) -> McpImportItem:
    return McpImportItem(
        name=name,
        id=server_id,
        status="replaced" if replaced else "added",
        definition=made.values,
        variables=made.variables,
        ignored=made.ignored,
        notes=made.notes,
    )
