"""Failure codes of the store."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

BLOB_NOT_FOUND = Code("BLOB_NOT_FOUND", "input", "Give the picture itself: deepseekeyes vision read IMAGE")
BLOB_CORRUPT = Code("BLOB_CORRUPT", "input", "The bad file was quarantined; store the picture again from its file.")

RECORD_NOT_FOUND = Code("RECORD_NOT_FOUND", "input", "List what is stored: deepseekeyes vision cache list")
RECORD_AMBIGUOUS = Code("RECORD_AMBIGUOUS", "input", "Give more digits: deepseekeyes vision cache get KEY")
RECORD_KEY_INVALID = Code("RECORD_KEY_INVALID", "input", "Give a key or the start of one, 4 to 64 hexadecimal digits.")

DOCUMENT_VERSION = Code(
    "DOCUMENT_VERSION", "input", "Use the release that wrote it, or move it away: mv {path} {path}.old"
)
DOCUMENT_TOO_LARGE = Code("DOCUMENT_TOO_LARGE", "input", "Move the file away, or raise store.document_max_bytes.")
DOCUMENT_NAME_INVALID = Code("DOCUMENT_NAME_INVALID", "input", "Use letters, digits, '.', '_' and '-'.")

LEDGER_BUSY = Code("LEDGER_BUSY", "unavailable", "Other processes write to the ledger; try again in a moment.")
LEDGER_CORRUPT = Code("LEDGER_CORRUPT", "input", "Set it aside, a new one is started: mv {path} {path}.corrupt")
LEDGER_VERSION = Code(
    "LEDGER_VERSION", "input", "Use the release that wrote it, or name another file: DEEPSEEKEYES_LEDGER_PATH=FILE"
)
LEDGER_UNAVAILABLE = Code(
    "LEDGER_UNAVAILABLE", "input", "Check the file and its disk: deepseekeyes doctor --only store"
)
LEDGER_TABLE_UNKNOWN = Code("LEDGER_TABLE_UNKNOWN", "internal", "This is a bug; please report it.")
