"""`mcp remove SERVER`: take a server out of the home's configuration."""

from __future__ import annotations

from deepseekeyes.contracts.mcp_edit import McpRemoved
from deepseekeyes.contracts.model import Contract
from deepseekeyes.mcp.editing import EditDeps, known


class RemoveRequest(Contract):
    """`forget` also drops the remembered definitions, so that a server of that id starts as an unknown one."""

    server: str
    forget: bool = False


async def remove(request: RemoveRequest, deps: EditDeps) -> McpRemoved:
    """Remove the table and the last listing. Pins stay unless `forget`, so that a return cannot hide a change.

    Raises:
        EyesError: MCP_SERVER_UNKNOWN, and the codes of the configuration.
    """
    known(request.server, deps.file)
    deps.file.drop(request.server)
    forgotten = deps.memory.forget_catalog(request.server)
    if request.forget:
        deps.memory.forget_pins(request.server)
    return McpRemoved(
        path=deps.file.path,
        server=request.server,
        catalog_forgotten=forgotten,
        pins_kept=0 if request.forget else deps.memory.pins(request.server),
    )
