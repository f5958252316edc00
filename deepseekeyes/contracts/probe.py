"""What the probe knows about routes: challenges, grades, verdicts."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.model import SHA256, Contract
from deepseekeyes.contracts.usage import TokenUsage

RungName = Literal["grid", "text", "place", "blank", "inject"]
RungStatus = Literal["passed", "failed", "skipped"]
Sight = Literal["passed", "failed", "unknown"]
VerdictState = Literal["valid", "expired", "changed", "unknown-route"]


class RungResult(Contract):
    """One rung of one route.

    `code` says why it failed, `details` hold what the rung measured (never the model's words). `guess_probability` is
    an upper bound for an eye that sees nothing; `evidence` is true for eyes without a prompt, which are judged on what
    they reported.
    """

    rung: RungName
    status: RungStatus
    seed: int
    at: str
    score: float = Field(default=0.0, ge=0, le=1)
    guess_probability: float = Field(ge=0, le=1)
    code: str | None = None
    evidence: bool = False
    duration_ms: int = Field(default=0, ge=0)
    usage: TokenUsage = TokenUsage()
    details: dict[str, Any] = Field(default_factory=dict)


class ProbeVerdict(Contract):
    """What is known about the eyesight of one route, as stored.

    `sight` is whether the route proved that it sees (`unknown` when only other rungs were run); it holds for one
    `config_digest` until `expires_at`. `convention` and `form` are what the `place` rung found, `median_box_error` is a
    fraction of the picture's side. `picture_tokens` is the difference with and without the picture, known only when
    that was measured. `usage` is of the last run.
    """

    route: str
    provider: str
    engine: str
    model: str
    config_digest: str = Field(pattern=SHA256)
    challenges: str
    sight: Sight
    code: str | None = None
    convention: str | None = None
    form: str | None = None
    median_box_error: float | None = None
    picture_tokens: int | None = None
    at: str
    expires_at: str
    rungs: tuple[RungResult, ...] = ()
    usage: TokenUsage = TokenUsage()


class Verification(Contract):
    """What the router is told about a route.

    `status` is `probed` (sight proved) or `disabled` (probing is switched off). A look at what is stored may also say
    `failed`, or `unprobed` where no proof holds but a convention is known; proving never does, it raises. `convention`
    is what the `place` rung found, for routes that declare none. `usage` is what this call spent.
    """

    status: Literal["probed", "disabled", "failed", "unprobed"]
    rungs: tuple[RungResult, ...] = ()
    convention: str | None = None
    code: str | None = None
    at: str | None = None
    expires_at: str | None = None
    usage: TokenUsage = TokenUsage()


class ProbeOutcome(Contract):
    """One route of `probe run`: its verdict, or the error that kept it from having one."""

    route: str
    verdict: ProbeVerdict | None = None
    passed: bool = False
    shared: bool = False
    error: ErrorBody | None = None


class ProbeReport(Document):
    """`deepseekeyes.probe.v1`: what `probe run` found."""

    schema_: Literal["deepseekeyes.probe.v1"] = Field(default="deepseekeyes.probe.v1", alias="schema")
    passed: bool
    items: tuple[ProbeOutcome, ...]

    def outcome(self) -> Outcome | None:
        if any(item.verdict is not None and not item.passed for item in self.items):
            return "verdict"
        return "partial" if any(item.error is not None for item in self.items) else None

    def failure(self) -> ErrorBody | None:
        if any(item.verdict is not None for item in self.items):
            return None
        return next((item.error for item in self.items if item.error is not None), None)


class StoredVerdict(Contract):
    """A stored verdict and whether it still counts; `changed` means that the route was configured anew."""

    state: VerdictState
    verdict: ProbeVerdict


class ProbeList(Document):
    """`deepseekeyes.probe-list.v1`: stored verdicts, and those that were dropped on request."""

    schema_: Literal["deepseekeyes.probe-list.v1"] = Field(default="deepseekeyes.probe-list.v1", alias="schema")
    items: tuple[StoredVerdict, ...] = ()
    forgotten: tuple[str, ...] = ()
    truncated: bool = False
    omitted: int = 0


class ProbeChallenge(Document):
    """`deepseekeyes.probe-challenge.v1`: a picture to show to any eye. `truth` is null unless it was asked for."""

    schema_: Literal["deepseekeyes.probe-challenge.v1"] = Field(
        default="deepseekeyes.probe-challenge.v1", alias="schema"
    )
    rung: RungName
    seed: int
    challenges: str
    picture: BlobRef
    path: str | None = None
    prompt: str
    guess_probability: float
    truth: dict[str, Any] | None = None

    def images(self) -> tuple[BlobRef, ...]:
        return (self.picture,)


class ProbeGrade(Document):
    """`deepseekeyes.probe-grade.v1`: the judgement of an answer to a challenge."""

    schema_: Literal["deepseekeyes.probe-grade.v1"] = Field(default="deepseekeyes.probe-grade.v1", alias="schema")
    rung: RungName
    seed: int
    challenges: str
    passed: bool
    score: float
    code: str | None = None
    guess_probability: float
    details: dict[str, Any] = Field(default_factory=dict)

    def outcome(self) -> Outcome | None:
        return None if self.passed else "verdict"
