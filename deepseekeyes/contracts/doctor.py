"""The doctor's report."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.contracts.check import Check
from deepseekeyes.contracts.document import Document, Outcome


class DoctorReport(Document):
    """`deepseekeyes.doctor.v1`: every check with what was really seen."""

    schema_: Literal["deepseekeyes.doctor.v1"] = Field(default="deepseekeyes.doctor.v1", alias="schema")
    passed: bool
    checks: tuple[Check, ...]

    def outcome(self) -> Outcome | None:
        return None if self.passed else "verdict"
