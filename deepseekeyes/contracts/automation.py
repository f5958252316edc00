"""What browser and desktop sessions write down: steps, assertions, reports. One shape for both."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from deepseekeyes.contracts.blob import BlobRef
from deepseekeyes.contracts.document import Document, Outcome
from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.contracts.model import SHA256, Contract

Verdict = Literal["verified", "unverified", "refused"]
SurfaceKind = Literal["browser", "desktop"]


class PixelBox(Contract):
    """A rectangle in pixels of a screenshot, origin at its upper left corner."""

    x: float
    y: float
    width: float = Field(ge=0)
    height: float = Field(ge=0)


class Compared(Contract):
    """One thing that was looked at before and after an action. Protected text appears as its keyed digest only."""

    what: str
    before: Any = None
    after: Any = None
    expected: Any = None
    holds: bool | None = None


class ItemChange(Contract):
    """A control or window that stayed, and the names of the fields that differ."""

    ref: str
    fields: tuple[str, ...]


class SetDelta(Contract):
    """Refs that appeared, refs that went, and what changed in those that stayed; `omitted` counts what was cut."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[ItemChange, ...] = ()
    omitted: int = Field(default=0, ge=0)


class TextDelta(Contract):
    """Lines of document text that appeared and went, clipped; `omitted` counts the lines left out."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    omitted: int = Field(default=0, ge=0)


class Delta(Contract):
    """What differs between two observations.

    Attributes:
        from_state_id: the earlier observation; None for the first.
        initial: whether there was none before.
        screenshot_changed: by the keyed digest of the decoded, unmasked pixels; None without pixels on either side.
        scope_changed: whether another window or page is being looked at.
        facts: single values that differ (url, title, scroll, active window).
        areas: boxes of the newer screenshot that differ, as a grid sees them, largest first, at most 16.
    """

    from_state_id: str | None = None
    initial: bool = False
    screenshot_changed: bool | None = None
    scope_changed: bool = False
    facts: tuple[Compared, ...] = ()
    text: TextDelta | None = None
    elements: SetDelta = SetDelta()
    windows: SetDelta | None = None
    areas: tuple[PixelBox, ...] = ()


class ShotRow(Contract):
    """A screenshot as a step keeps it.

    `image.sha256` is of the stored PNG, in which `masks` are painted over. `pixel_digest` is the keyed digest of the
    unmasked pixels; it says whether two screenshots of one run are equal, and nothing once the run is closed.
    `origin` and `scale` map a pixel to the surface's own space: `origin + pixel / scale`.
    """

    image: BlobRef
    pixel_digest: str
    masks: tuple[PixelBox, ...] = ()
    origin: tuple[float, float] = (0.0, 0.0)
    scale: float = Field(default=1.0, gt=0)


class Marker(Contract):
    """Where an action happened, in pixels of the screenshot before it: a point, a box, and the end of a drag."""

    x: float
    y: float
    box: PixelBox | None = None
    end: tuple[float, float] | None = None


class TargetRow(Contract):
    """The control an action was bound to."""

    ref: str | None = None
    key: str | None = None
    role: str = ""
    name: str = ""
    place: str = ""
    protected: bool = False


class AssertionRow(Contract):
    """One assertion. For protected controls `expected` and `actual` are keyed digests."""

    assertion: str
    target: str | None = None
    expected: Any = None
    actual: Any = None
    passed: bool
    verified_by: Literal["runtime", "caller"] = "runtime"
    attempts: int = Field(default=1, ge=1)
    state_id: str | None = None
    screenshot_sha256: str | None = None
    at: str


class AssertionBody(Document):
    """What the assertion documents of both surfaces hold: whether something is so."""

    session: str
    run_id: str
    passed: bool
    assertion: AssertionRow
    state_id: str | None
    error: ErrorBody | None = None

    def outcome(self) -> Outcome | None:
        return None if self.passed else "verdict"

    def failure(self) -> ErrorBody | None:
        return self.error


class Step(Contract):
    """One line of `steps.jsonl`. `step_sha256` is of the canonical JSON of the line without itself.

    Attributes:
        index: from 1, without gaps.
        verdict: None for steps that only look (observe, wait, assert, report).
        dispatched: whether anything was sent to the surface.
        state_before, state_id: the states it started from and ended in.
        shot_before, shot: their screenshots; `marker` lies in the former.
        previous_sha256: digest of the line before; of the run's head line for the first.
    """

    index: int = Field(ge=1)
    at: str
    action: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    target: TargetRow | None = None
    state_before: str | None = None
    state_id: str | None = None
    verdict: Verdict | None = None
    compared: tuple[Compared, ...] = ()
    delta: Delta | None = None
    dispatched: Literal["no", "yes", "unknown"] = "no"
    marker: Marker | None = None
    shot_before: ShotRow | None = None
    shot: ShotRow | None = None
    facts: dict[str, Any] = Field(default_factory=dict)
    assertion: AssertionRow | None = None
    error: ErrorBody | None = None
    duration_ms: int = Field(default=0, ge=0)
    previous_sha256: str = Field(pattern=SHA256)
    step_sha256: str = Field(pattern=SHA256)


class Chain(Contract):
    """Where the hash chain of a run starts and ends."""

    algorithm: Literal["sha256/canonical.v1"] = "sha256/canonical.v1"
    steps: int = Field(ge=0)
    first: str = Field(pattern=SHA256)
    head: str = Field(pattern=SHA256)


class ReportSummary(Contract):
    """`passed` means: no action failed, no assertion failed."""

    passed: bool
    step_count: int = 0
    action_count: int = 0
    action_failure_count: int = 0
    unverified_count: int = 0
    assertion_count: int = 0
    assertion_failure_count: int = 0
    screenshot_count: int = 0


class ReportBody(Document):
    """What both report documents hold."""

    run_id: str
    session: str
    created_at: str
    generated_at: str
    closed_at: str | None = None
    surface: dict[str, Any] = Field(default_factory=dict)
    summary: ReportSummary
    chain: Chain
    steps: tuple[Step, ...] = ()
    truncated: bool = False
    omitted: int = 0
    diagnostics: dict[str, Any] = Field(default_factory=dict)
    path: str | None = None
    page: str | None = None
    report_sha256: str = Field(pattern=SHA256)

    def images(self) -> tuple[BlobRef, ...]:
        """The screenshots, each once, in the order they were taken."""
        rows = [row for step in self.steps for row in (step.shot_before, step.shot) if row is not None]
        return tuple({row.image.sha256: row.image for row in rows}.values())

    def outcome(self) -> Outcome | None:
        return None if self.summary.passed else "verdict"


class BrowserReport(ReportBody):
    """`deepseekeyes.browser-report.v1`."""

    schema_: Literal["deepseekeyes.browser-report.v1"] = Field(default="deepseekeyes.browser-report.v1", alias="schema")


class DesktopReport(ReportBody):
    """`deepseekeyes.desktop-report.v2`."""

    schema_: Literal["deepseekeyes.desktop-report.v2"] = Field(default="deepseekeyes.desktop-report.v2", alias="schema")


class ChainProblem(Contract):
    """One thing wrong with a stored run: where (`steps.jsonl:12`, a screenshot, the report) and what."""

    where: str
    what: Literal["chain", "digest", "torn", "missing", "format", "mismatch"]
    sentence: str


class ScriptRun(Document):
    """A script of steps, and how far it came.

    Attributes:
        steps: the documents of the steps that were run, without their states.
        error: of the step that stopped it.
    """

    passed: bool
    total: int
    done: int
    steps: tuple[dict[str, Any], ...] = ()
    report: str | None = None
    error: ErrorBody | None = None

    def outcome(self) -> Outcome | None:
        return None if self.passed else "verdict"

    def failure(self) -> ErrorBody | None:
        return self.error


class ReportVerification(Document):
    """`deepseekeyes.report-verification.v1`: whether a run's chain, screenshots and report are as they were written."""

    schema_: Literal["deepseekeyes.report-verification.v1"] = Field(
        default="deepseekeyes.report-verification.v1", alias="schema"
    )
    passed: bool
    run_id: str | None = None
    steps: int = 0
    screenshots: int = 0
    problems: tuple[ChainProblem, ...] = ()

    def outcome(self) -> Outcome | None:
        return None if self.passed else "verdict"
