"""`mcp artifacts`: whole results that were kept."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from pydantic import Field

from deepseekeyes.contracts.mcp_lists import McpArtifact, McpArtifacts
from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.atomic import read_file
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.mcp.artifact_files import ArtifactFile
from deepseekeyes.mcp.deps import McpDeps


class ArtifactsRequest(Contract):
    """`digest` (or its start) picks one, verified and with its content; `remove` removes what was picked."""

    server: str | None = None
    digest: str | None = None
    remove: bool = False
    limit: int = Field(default=100, ge=1, le=10_000)


async def artifacts(request: ArtifactsRequest, deps: McpDeps) -> McpArtifacts:
    """List kept results, newest first, or show or remove one.

    Raises:
        EyesError: MCP_ARTIFACT_NOT_FOUND.
    """
    files = deps.sink.artifacts
    if request.digest is not None:
        found = files.find(request.digest)
        data = read_file(found.path)
        removed = int(request.remove and files.remove(found))
        content = json.loads(data) if data and found.sound and not request.remove else None
        return McpArtifacts(items=(_item(found),), content=content, removed=removed)
    kept = sorted(files.entries(request.server), key=lambda each: (-each.modified, each.sha256))
    removed = sum(files.remove(each) for each in kept) if request.remove and request.server else 0
    omitted = max(0, len(kept) - request.limit)
    items = tuple(_item(each) for each in kept[: request.limit])
    return McpArtifacts(items=items, removed=removed, truncated=omitted > 0, omitted=omitted)


def _item(found: ArtifactFile) -> McpArtifact:
    return McpArtifact(
        server=found.server,
        label=found.label,
        sha256=found.sha256,
        path=str(found.path),
        bytes=found.bytes,
        at=rfc3339(datetime.fromtimestamp(found.modified, UTC)),
        sound=found.sound,
    )
