"""Print the evidence contract."""

from __future__ import annotations

from deepseekeyes.contracts.bare import BareSchema
from deepseekeyes.contracts.evidence import Variant
from deepseekeyes.contracts.model import Contract


class SchemaRequest(Contract):
    """Which part of the contract; both variants when absent."""

    variant: Variant | None = None


async def schema(request: SchemaRequest, deps: object = None) -> BareSchema:
    """The draft-07 schema of visual evidence, bare."""
    from deepseekeyes.evidence.schema import schema as published

    del deps
    return BareSchema(content=published(request.variant))
