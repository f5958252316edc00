"""The one failure type, its closed vocabulary of kinds, and the exit code each kind decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypedDict

Kind = Literal[
    "verdict",
    "usage",
    "input",
    "auth",
    "unavailable",
    "contract",
    "refused-stale",
    "unresolved",
    "policy",
    "partial",
    "internal",
    "interrupt",
]

EXIT_CODES: Mapping[Kind, int] = {
    "verdict": 1,
    "usage": 2,
    "input": 3,
    "auth": 4,
    "unavailable": 5,
    "contract": 6,
    "refused-stale": 7,
    "unresolved": 8,
    "policy": 9,
    "partial": 10,
    "internal": 70,
    "interrupt": 130,
}

Dispatched = Literal["no", "yes", "unknown"]


class Limit(TypedDict):
    """A bound that was hit: which one, its value, and the setting that moves it (None when nothing does)."""

    name: str
    value: int | float
    setting: str | None


class Details(TypedDict, total=False):
    """The optional, machine-readable part of an error document. Keys are fixed."""

    attempts: list[dict[str, Any]]
    usage: dict[str, Any]
    retryAfterSeconds: float
    dispatched: Dispatched
    limit: Limit
    path: str
    candidates: list[str]


class Code(NamedTuple):
    """A stable failure code with its kind and hint.

    Codes are literals of a package's `codes.py`; a test merges all of them and checks that each name is unique.

    Attributes:
        name: upper-case identifier that scripts compare against.
        kind: decides the exit code.
        hint: the next thing to type or do; may hold `{placeholders}` filled from `EyesError.fields`.
    """

    name: str
    kind: Kind
    hint: str


class EyesError(Exception):
    """An expected failure.

    Args:
        code: the `Code` to raise.
        message: one plain sentence that says what happened, without secrets.
        details: the machine-readable part (see `Details`).
        fields: values for the placeholders of the code's hint.
    """

    def __init__(self, code: Code, message: str, *, details: Details | None = None, **fields: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details: Details = details if details is not None else {}
        self.fields = fields

    @property
    def kind(self) -> Kind:
        return self.code.kind

    @property
    def hint(self) -> str:
        return self.code.hint.format_map(_Fields(self.fields)) if self.fields else self.code.hint

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.code.kind]

    def __reduce__(self) -> tuple[Any, ...]:
        return _revive, (self.code, self.message, self.details, self.fields)


def _revive(code: Code, message: str, details: Details, fields: dict[str, object]) -> EyesError:
    return EyesError(code, message, details=details, **fields)


class _Fields(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return "{" + key + "}"
