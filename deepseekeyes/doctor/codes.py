"""Failure codes of the doctor."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

DOCTOR_GROUP_UNKNOWN = Code("DOCTOR_GROUP_UNKNOWN", "input", "Choose one of: {groups}.")
