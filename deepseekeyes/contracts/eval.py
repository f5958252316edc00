"""A suite of pictures with known truth, and how an eye did on it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.evidence import Persistence
from deepseekeyes.contracts.model import SHA256, Contract
from deepseekeyes.contracts.usage import TokenUsage

EvidenceField = Literal[
    "summary", "ocr", "regions", "objects", "relations", "quantitativeFacts", "uncertainties", "all"
]
CaseStatus = Literal["read", "unparsed", "failed"]
Kind = Literal["contains", "lacks", "together", "empty", "box"]


class Assertion(Contract):
    """One thing that holds of a good reading. Texts are compared folded: NFKC, blanks collapsed, case ignored.

    `contains` and `lacks` are about the field's whole text; `together` asks for one single entry with all parts (a
    value and the name it belongs to); `empty` for no entry at all; `contains` with `box` for an entry with that text
    whose box overlaps `box` (x, y, width, height as fractions of the upright picture) by `iou` or more.
    """

    field: EvidenceField
    contains: str | None = Field(default=None, min_length=1)
    lacks: str | None = Field(default=None, min_length=1)
    together: tuple[str, ...] | None = Field(default=None, min_length=2)
    empty: Literal[True] | None = None
    box: tuple[float, float, float, float] | None = None
    iou: float = Field(default=0.5, gt=0, le=1)

    @model_validator(mode="after")
    def _one_thing(self) -> Assertion:
        given = [name for name in ("contains", "lacks", "together", "empty") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("an assertion says exactly one of contains, lacks, together, empty")
        if self.box is not None and (self.contains is None or self.field != "ocr"):
            raise ValueError("a box belongs to `contains` on the field ocr")
        return self

    @property
    def kind(self) -> Kind:
        """Which of the five it is."""
        if self.box is not None:
            return "box"
        if self.contains is not None:
            return "contains"
        return "lacks" if self.lacks is not None else "together" if self.together is not None else "empty"

    @property
    def text(self) -> str:
        """What it is about, for people."""
        return self.contains or self.lacks or " + ".join(self.together or ()) or "nothing"


class EvalCase(Contract):
    """One picture of a suite; `image` is relative to the suite's file, `sha256` is of its bytes."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,127}$")
    category: str = Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")
    image: str = Field(min_length=1)
    sha256: str = Field(pattern=SHA256)
    assertions: tuple[Assertion, ...] = Field(min_length=1)


class EvalSuite(Document):
    """`deepseekeyes.eval-suite.v1`: pictures with known truth."""

    schema_: Literal["deepseekeyes.eval-suite.v1"] = Field(default="deepseekeyes.eval-suite.v1", alias="schema")
    name: str = Field(min_length=1, max_length=128)
    version: str = Field(min_length=1, max_length=64)
    cases: tuple[EvalCase, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _own_ids(self) -> EvalSuite:
        ids = [case.id for case in self.cases]
        twice = next((one for one in ids if ids.count(one) > 1), None)
        if twice is not None:
            raise ValueError(f"two cases are called {twice}")
        return self


class EvalSuiteIdentity(Contract):
    """Which suite was run; `sha256` is of its file, `only` the categories that were asked for."""

    name: str
    version: str
    sha256: str = Field(pattern=SHA256)
    only: tuple[str, ...] = ()


class EvalRoute(Contract):
    """Who was examined."""

    id: str
    provider: str
    engine: str
    model: str


class AssertionCounts(Contract):
    """`missed`: the evidence was valid and did not hold. `unparsed`: there was no valid evidence in the answer.
    `failed`: there was no answer at all."""

    total: int = Field(ge=0)
    passed: int = Field(ge=0)
    missed: int = Field(ge=0)
    unparsed: int = Field(ge=0)
    failed: int = Field(ge=0)


class Latency(Contract):
    """Milliseconds over the readings that gave evidence; percentiles by nearest rank. None where there was none."""

    mean: int | None = None
    p50: int | None = None
    p95: int | None = None


class EvalCategory(Contract):
    """One category; `accuracy` is passed over total, to four decimals."""

    category: str
    cases: int
    cases_passed: int
    assertions: AssertionCounts
    accuracy: float
    latency_ms: Latency


class Miss(Contract):
    """An assertion that did not hold: its place in the case, and what it was about."""

    index: int
    field: EvidenceField
    kind: Kind
    text: str


class EvalCaseResult(Contract):
    """One picture: `read` with its misses, `unparsed` or `failed` with the code of the failure."""

    id: str
    category: str
    image: str
    image_sha256: str = Field(pattern=SHA256)
    status: CaseStatus
    code: str | None = None
    assertions: AssertionCounts
    misses: tuple[Miss, ...] = ()
    repairs: int = 0
    latency_ms: int | None = None
    usage: TokenUsage = TokenUsage()


class EvalReport(Document):
    """`deepseekeyes.eval.v1`: every case, failed ones included. Readings are real: the store is neither asked nor
    written.

    `accuracy` is passed assertions over all, `validity` valid evidence over all cases, both to four decimals.
    `passed` is the verdict against `min_accuracy`, None where none was asked for. `tokens_per_case` is None where the
    route reports no usage.
    """

    schema_: Literal["deepseekeyes.eval.v1"] = Field(default="deepseekeyes.eval.v1", alias="schema")
    suite: EvalSuiteIdentity
    route: EvalRoute
    at: str
    duration_ms: int = Field(ge=0)
    accuracy: float = Field(ge=0, le=1)
    min_accuracy: float | None = None
    passed: bool | None = None
    validity: float = Field(ge=0, le=1)
    total: int = Field(ge=1)
    cases_passed: int = Field(ge=0)
    assertions: AssertionCounts
    latency_ms: Latency
    usage: TokenUsage = TokenUsage()
    tokens_per_case: float | None = None
    categories: tuple[EvalCategory, ...]
    cases: tuple[EvalCaseResult, ...]
    error: ErrorBody | None = None
    persistence: Persistence = Persistence()

    def outcome(self) -> Outcome | None:
        return "verdict" if self.passed is False else None

    def failure(self) -> ErrorBody | None:
        """The first failure, when no picture was answered at all."""
        return self.error
