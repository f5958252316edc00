"""An evidence record as it lies in the store, ready to be printed without being parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deepseekeyes.contracts.blob import BlobRef
    from deepseekeyes.contracts.document import Document, Outcome
    from deepseekeyes.contracts.error import ErrorBody
    from deepseekeyes.contracts.evidence import EvidenceRecord


class StoredRecord:
    """Stands for an `EvidenceRecord` wherever a document is only passed on.

    A stored record is held to its own digest when it is read, so parsing it again would prove nothing new and costs
    more than everything else a cached reading does.

    Args:
        values: the whole document as JSON values, with `cacheHit`, `run` and `persistence`.
    """

    schema_ = "deepseekeyes.evidence-record.v1"

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def to_json(self) -> dict[str, Any]:
        """The document as JSON values."""
        return self._values

    def parsed(self) -> EvidenceRecord:
        """The same as a model, for those who look inside."""
        from deepseekeyes.contracts.evidence import EvidenceRecord

        return EvidenceRecord.model_validate(self._values)

    def images(self) -> tuple[BlobRef, ...]:
        """The picture that was read."""
        return self.parsed().images()

    def outcome(self) -> Outcome | None:
        """A stored record is never a no."""
        return None

    def failure(self) -> ErrorBody | None:
        """A stored record carries no failure."""
        return None


def parsed(document: Document | StoredRecord) -> Document:
    """The model of a document, whichever of its two forms came."""
    return document.parsed() if isinstance(document, StoredRecord) else document
