"""A JSON Schema printed bare: the one kind of output that carries no `schema` field of ours."""

from __future__ import annotations

from typing import Any

from deepseekeyes.contracts.document import Document


class BareSchema(Document):
    """A JSON Schema as it is published; `content` is the whole output."""

    content: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        return dict(self.content)
