"""A failure as a value."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from deepseekeyes.contracts.model import Contract
from deepseekeyes.core.errors import Code, Details, EyesError, Kind


class ErrorBody(Contract):
    """A failure with every field present, so that nobody parses prose."""

    code: str
    kind: Kind
    message: str
    hint: str
    details: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def of(cls, error: EyesError) -> ErrorBody:
        return cls(
            code=error.code.name, kind=error.kind, message=error.message, hint=error.hint, details=dict(error.details)
        )

    def raised(self) -> EyesError:
        """The exception this body describes, for a failure that travelled as a document."""
        details: Details = {**self.details}  # type: ignore[typeddict-item]
        return EyesError(Code(self.code, self.kind, self.hint), self.message, details=details)
