"""What `mcp add`, `remove`, `allow` and `import` did to the home's configuration."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.model import Contract

Origin = Literal["reference", "literal", "asked", "composed"]
ImportStatus = Literal["added", "replaced", "exists", "refused"]


class McpVariable(Contract):
    """A variable that a server takes a value from.

    `field` is where (`env.TOKEN`, `headers.Authorization`), `name` the variable, `available` whether it holds something
    now. `origin` tells what stood there: a `reference` to a variable, a `literal` value that was not taken over, a
    value that the other program `asked` its user for, or text `composed` around a reference. `hint` says what to put
    into the variable, where it has to be set.
    """

    field: str
    name: str
    available: bool
    origin: Origin = "reference"
    hint: str | None = None


class McpAdded(Document):
    """`deepseekeyes.mcp-add.v1`: a server as it was written."""

    schema_: Literal["deepseekeyes.mcp-add.v1"] = Field(default="deepseekeyes.mcp-add.v1", alias="schema")
    path: str
    server: str
    replaced: bool
    switched_on: bool
    definition: dict[str, Any]
    variables: tuple[McpVariable, ...] = ()
    notes: tuple[str, ...] = ()


class McpRemoved(Document):
    """`deepseekeyes.mcp-remove.v1`: a server that is configured no more, and what is remembered of it."""

    schema_: Literal["deepseekeyes.mcp-remove.v1"] = Field(default="deepseekeyes.mcp-remove.v1", alias="schema")
    path: str
    server: str
    catalog_forgotten: bool
    pins_kept: int


class McpAllowed(Document):
    """`deepseekeyes.mcp-allow.v1`: the list of a server that `changed`, before and after."""

    schema_: Literal["deepseekeyes.mcp-allow.v1"] = Field(default="deepseekeyes.mcp-allow.v1", alias="schema")
    path: str
    server: str
    changed: str
    before: tuple[str, ...]
    after: tuple[str, ...]


class McpImportItem(Contract):
    """One server of a foreign file. `name` is its name there, `id` ours; `ignored` are keys that mean nothing here."""

    name: str
    id: str
    status: ImportStatus
    definition: dict[str, Any] | None = None
    variables: tuple[McpVariable, ...] = ()
    ignored: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    error: ErrorBody | None = None


class McpImported(Document):
    """`deepseekeyes.mcp-import.v1`: what became of every server of a foreign file.

    With `dry_run` nothing was written and each status is what would have happened.
    """

    schema_: Literal["deepseekeyes.mcp-import.v1"] = Field(default="deepseekeyes.mcp-import.v1", alias="schema")
    path: str
    shape: str
    dry_run: bool
    switched_on: bool
    items: tuple[McpImportItem, ...]
    ignored: tuple[str, ...] = ()

    def outcome(self) -> Outcome | None:
        refused = sum(item.status == "refused" for item in self.items)
        return "partial" if 0 < refused < len(self.items) else None

    def failure(self) -> ErrorBody | None:
        errors = [item.error for item in self.items if item.error is not None]
        return errors[0] if errors and len(errors) == len(self.items) else None
