"""The shape every document shares."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.model import Contract

Outcome = Literal["verdict", "partial"]

_PUBLISHED = Path(__file__).parent.parent / "schemas"


@cache
def known_schemas() -> frozenset[str]:
    """The `schema` of every document that this release writes and reads, with its version."""
    ending = ".schema.json"
    return frozenset(f"deepseekeyes.{path.name.removesuffix(ending)}" for path in _PUBLISHED.glob(f"*{ending}"))


class Document(Contract):
    """A whole document. Subclasses declare `schema_: Literal["deepseekeyes.<thing>.v<N>"]` with alias `schema`."""

    def shows(self) -> bool:
        """Whether its pictures are meant to be seen with it, also when nobody asked for them."""
        return False

    def images(self) -> tuple[BlobRef, ...]:
        """The pictures this document refers to, in order."""
        return ()

    def outcome(self) -> Outcome | None:
        """`verdict` when the answer is no (exit 1), `partial` for a mixed batch (exit 10), None for done (exit 0)."""
        return None

    def failure(self) -> ErrorBody | None:
        """The error that decides the exit code of a document that carries one (a refused action, a failed batch)."""
        return None

    def to_json(self) -> dict[str, Any]:
        """The document as JSON values, its schema in front; absent fields are null."""
        values = self.model_dump(mode="json", by_alias=True)
        return {"schema": values.pop("schema"), **values} if "schema" in values else values


class ErrorDocument(Document):
    """`deepseekeyes.error.v1`: what a failed command prints."""

    schema_: Literal["deepseekeyes.error.v1"] = Field(default="deepseekeyes.error.v1", alias="schema")
    error: ErrorBody

    def failure(self) -> ErrorBody:
        return self.error
