"""Settings of what lies on disk, and where that puts each store."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from deepseekeyes.contracts.settings import Section

LEDGER_FILE = "ledger.sqlite3"


class StoreSettings(Section):
    """`[store]`: evidence records, pictures and documents."""

    evidence: bool = Field(
        default=True,
        description="Keep evidence records and the pictures they were read from on disk; off keeps both in memory.",
    )
    cache_dir: str | Literal[False] | None = Field(
        default=None,
        description=(
            "Folder of the evidence records, relative to the home unless absolute; `evidence` by default. "
            "false keeps evidence in memory, and the ledger too unless ledger.path names a file."
        ),
    )
    retention_days: int = Field(
        default=0,
        ge=0,
        le=36500,
        description="Age at which `vision cache prune` removes evidence, days; 0 keeps it for ever.",
    )
    max_bytes: int = Field(
        default=10_737_418_240,
        ge=0,
        description="Most bytes of evidence and pictures after `data prune`, oldest removed first; 0 is no bound.",
    )
    blob_grace_hours: int = Field(
        default=24,
        ge=0,
        le=8760,
        description="How long a picture that no record refers to is kept, hours; its record may still be on its way.",
    )
    quarantine_days: int = Field(
        default=30, ge=0, le=36500, description="Age at which `data prune` removes quarantined files, days."
    )
    lock_timeout_ms: int = Field(
        default=10_000, ge=0, le=600_000, description="How long a change of a shared document waits, milliseconds."
    )
    document_max_bytes: int = Field(
        default=16_777_216, ge=4096, le=1_073_741_824, description="Largest shared document, bytes."
    )


class LedgerSettings(Section):
    """`[ledger]`: usage, attempts and audit rows."""

    usage: bool = Field(
        default=True, description="Book the usage of every model call; off leaves old numbers readable."
    )
    usage_limit: int = Field(
        default=10_000,
        ge=10,
        le=10_000_000,
        description="Single usage rows that are kept; older ones live on in the totals.",
    )
    usage_sessions: int = Field(
        default=50, ge=1, le=1000, description="Sessions whose totals are kept apart, the most recent ones."
    )
    attempts: bool = Field(default=True, description="Write down every attempt on a vision route, without contents.")
    attempts_limit: int = Field(default=1000, ge=10, le=10_000, description="Attempt rows that are kept.")
    audit: bool = Field(default=True, description="Write down MCP calls as digests and codes.")
    audit_limit: int = Field(default=200, ge=10, le=10_000, description="Audit rows that are kept.")
    path: str | Literal[False] | None = Field(
        default=None,
        description="The ledger's file, relative to the home unless absolute, or false for memory; `ledger.sqlite3`.",
    )
    busy_timeout_ms: int = Field(
        default=5000, ge=0, le=600_000, description="How long a write waits for other processes, milliseconds."
    )

    def limits(self) -> dict[str, int]:
        """Rows kept per ledger table, for `Ledger`; tables without an entry keep their own default."""
        return {"usage": self.usage_limit, "attempts": self.attempts_limit, "audit": self.audit_limit}

    def silenced(self) -> frozenset[str]:
        """The ledger tables whose writers are off."""
        switches = {"usage": self.usage, "attempts": self.attempts, "audit": self.audit}
        return frozenset(table for table, on in switches.items() if not on)


class Places(NamedTuple):
    """Where each store lies; None is memory."""

    evidence: Path | None
    blobs: Path | None
    ledger: Path | None
    documents: Path
    quarantine: Path


def places(store: StoreSettings, ledger: LedgerSettings, home: Path) -> Places:
    """Resolve the settings against a home; nothing is created.

    Pictures are stored only while evidence is: a home that keeps no evidence keeps no pictures.
    """
    kept = store.evidence and store.cache_dir is not False
    if ledger.path is None:
        booked = None if store.cache_dir is False else home / LEDGER_FILE
    else:
        booked = None if ledger.path is False else _under(home, ledger.path)
    return Places(
        evidence=_under(home, store.cache_dir or "evidence") if kept else None,
        blobs=home / "blobs" if kept else None,
        ledger=booked,
        documents=home,
        quarantine=home / "quarantine",
    )


def _under(home: Path, text: str) -> Path:
    return home / Path(text).expanduser()
