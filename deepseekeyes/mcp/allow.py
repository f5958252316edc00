"""`mcp allow SERVER GLOB...`: change one of a server's lists in the home's configuration."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from deepseekeyes.contracts.mcp_edit import McpAllowed
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.codes import MCP_SELECTOR_UNKNOWN
from deepseekeyes.mcp.editing import EditDeps, checked, known


class AllowRequest(Contract):
    """`deny` means the deny list; `withdraw` takes the selectors out of the list instead of adding them."""

    server: str
    selectors: tuple[str, ...] = Field(min_length=1)
    kind: Literal["tools", "resources", "prompts"] = "tools"
    deny: bool = False
    withdraw: bool = False


async def allow(request: AllowRequest, deps: EditDeps) -> McpAllowed:
    """Add selectors to a list, or take them out. Allowing resources or prompts switches them on.

    Raises:
        EyesError: MCP_SERVER_UNKNOWN, MCP_SELECTOR_UNKNOWN, MCP_CONFIG_INVALID, and the codes of the configuration.
    """
    table = dict(known(request.server, deps.file))
    key = f"{'deny' if request.deny else 'allowed'}_{request.kind}"
    before = tuple(table.get(key) or ())
    table[key] = _changed(request, before)
    if request.kind != "tools" and not (request.deny or request.withdraw):
        table[f"{request.kind}_enabled"] = True
    checked(request.server, table, deps.file.servers())
    deps.file.put(request.server, table, replace=True)
    return McpAllowed(path=deps.file.path, server=request.server, changed=key, before=before, after=tuple(table[key]))


def _changed(request: AllowRequest, before: tuple[Any, ...]) -> list[Any]:
    if not request.withdraw:
        return [*before, *(each for each in dict.fromkeys(request.selectors) if each not in before)]
    absent = next((each for each in request.selectors if each not in before), None)
    if absent is not None:
        raise EyesError(
            MCP_SELECTOR_UNKNOWN, f"{absent[:100]!r} is not in the list of {request.server}.", server=request.server
        )
    return [each for each in before if each not in request.selectors]
