"""What the judges of evidence say: of a model's answer, and of a record."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from deepseekeyes.contracts.check import Check
from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.evidence import Coordinates, Repair, Variant
from deepseekeyes.contracts.model import Contract


class Fault(Contract):
    """One fault or remark: a JSON pointer (`/` for the whole document) and a reason."""

    path: str
    reason: str


class Validation(Document):
    """`deepseekeyes.validation.v1`: what became of a model's answer, step by step.

    `selected` is the object as the answer gave it; `repairs` and `coordinates` say what was changed and `notes` why an
    entry was dropped. `evidence` is set only when it is valid. `code` and `message` are those a reading would end in.
    """

    schema_: Literal["deepseekeyes.validation.v1"] = Field(default="deepseekeyes.validation.v1", alias="schema")
    input: str
    variant: Variant
    valid: bool
    code: str | None = None
    message: str | None = None
    selected: dict[str, Any] | None = None
    repairs: tuple[Repair, ...] = ()
    coordinates: Coordinates | None = None
    notes: tuple[Fault, ...] = ()
    errors: tuple[Fault, ...] = ()
    errors_omitted: int = 0
    evidence: dict[str, Any] | None = None

    def outcome(self) -> Outcome | None:
        return None if self.valid else "verdict"


class Verification(Document):
    """`deepseekeyes.verification.v1`: one record re-checked, a verdict per check.

    `valid` means that no check failed, `complete` that none was skipped for want of pixels or of knowledge.
    """

    schema_: Literal["deepseekeyes.verification.v1"] = Field(default="deepseekeyes.verification.v1", alias="schema")
    record_sha256: str | None
    cache_key: str | None
    valid: bool
    complete: bool
    checks: tuple[Check, ...]

    def outcome(self) -> Outcome | None:
        return None if self.valid else "verdict"


class VerificationList(Document):
    """`deepseekeyes.verification-list.v1`: several records in the order they came."""

    schema_: Literal["deepseekeyes.verification-list.v1"] = Field(
        default="deepseekeyes.verification-list.v1", alias="schema"
    )
    valid: bool
    items: tuple[Verification, ...]
    truncated: bool = False
    omitted: int = 0

    def outcome(self) -> Outcome | None:
        return None if self.valid else "verdict"
