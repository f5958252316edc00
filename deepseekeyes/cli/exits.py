"""From a result document to the process's exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepseekeyes.core.errors import EXIT_CODES

if TYPE_CHECKING:
    from deepseekeyes.contracts.document import Document
    from deepseekeyes.contracts.stored import StoredRecord


def exit_code(document: Document | StoredRecord) -> int:
    """0 when done; a carried failure decides by its kind, otherwise the outcome (verdict 1, partial 10)."""
    failure = document.failure()
    if failure is not None:
        return EXIT_CODES[failure.kind]
    outcome = document.outcome()
    return 0 if outcome is None else EXIT_CODES[outcome]
