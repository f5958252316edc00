"""Settings of the store and where they put things."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from deepseekeyes.store.ledger import BUSY_TIMEOUT_MS, LIMITS, SESSIONS_KEPT
from deepseekeyes.store.settings import LedgerSettings, StoreSettings, places

HOME = Path("/home-of-eyes")


@pytest.mark.parametrize(
    ("store", "ledger", "evidence", "blobs", "booked"),
    [
        ({}, {}, "evidence", "blobs", "ledger.sqlite3"),
        ({"cache_dir": "e"}, {"path": "l.db"}, "e", "blobs", "l.db"),
        ({"cache_dir": "/abs/e"}, {"path": "/abs/l.db"}, "/abs/e", "blobs", "/abs/l.db"),
        ({"cache_dir": False}, {}, None, None, None),
        ({"cache_dir": False}, {"path": "l.db"}, None, None, "l.db"),
        ({}, {"path": False}, "evidence", "blobs", None),
        ({"evidence": False}, {}, None, None, "ledger.sqlite3"),
    ],
)
def test_the_settings_decide_what_lies_where(
    store: dict[str, Any], ledger: dict[str, Any], evidence: str | None, blobs: str | None, booked: str | None
) -> None:
    found = places(StoreSettings(**store), LedgerSettings(**ledger), HOME)
    assert (found.evidence, found.blobs, found.ledger) == tuple(
        None if place is None else HOME / place for place in (evidence, blobs, booked)
    )
    assert (found.documents, found.quarantine) == (HOME, HOME / "quarantine")


@pytest.mark.parametrize(
    "values",
    [
        {"attempts_limit": 9},
        {"attempts_limit": 10_001},
        {"attempts_limit": "100"},
        {"usage": 1},
        {"path": True},
        {"busy_timeout_ms": -1},
        {"attempt_limit": 10},
    ],
)
def test_values_out_of_range_of_another_type_or_unknown_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        LedgerSettings.model_validate(values)


def test_the_defaults_of_settings_and_code_agree() -> None:
    settings = LedgerSettings()
    assert settings.limits() == {table: LIMITS[table] for table in ("usage", "attempts", "audit")}
    assert (settings.attempts_limit, settings.audit_limit) == (1000, 200)
    assert (settings.busy_timeout_ms, settings.usage_sessions) == (BUSY_TIMEOUT_MS, SESSIONS_KEPT)
    assert settings.silenced() == frozenset()
    assert LedgerSettings(usage=False, attempts=False, audit=False).silenced() == {"usage", "attempts", "audit"}


def test_every_setting_is_described() -> None:
    for section in (StoreSettings, LedgerSettings):
        assert all(field.description for field in section.model_fields.values())
