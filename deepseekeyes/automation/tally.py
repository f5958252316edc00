"""Counts over the steps of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from deepseekeyes.contracts.automation import ReportSummary


@dataclass(slots=True)
class Tally:
    """Adds up stored steps.

    An action fails when it was refused or ended in an error; one that recovers later has failed all the same. An
    assertion that could not be made (an old state) counts as a failed action, so it can never go unnoticed.
    """

    steps: int = 0
    actions: int = 0
    failures: int = 0
    unverified: int = 0
    assertions: int = 0
    not_met: int = 0
    shots: set[str] = field(default_factory=set)

    def add(self, row: Mapping[str, Any]) -> None:
        """Count one stored step."""
        found = row.get("assertion")
        self.steps += 1
        self.actions += row.get("verdict") is not None
        self.failures += failed(row)
        self.unverified += row.get("verdict") == "unverified"
        self.assertions += found is not None
        self.not_met += found is not None and not found["passed"]
        self.shots.update(shot["image"]["sha256"] for shot in (row.get("shotBefore"), row.get("shot")) if shot)

    def copy(self) -> Tally:
        """The same counts, to go on from."""
        return Tally(
            self.steps, self.actions, self.failures, self.unverified, self.assertions, self.not_met, set(self.shots)
        )

    def to_json(self) -> dict[str, Any]:
        """For a session document; `from_json` reads it."""
        return {**asdict(self), "shots": sorted(self.shots)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Tally:
        return cls(**{**stored, "shots": set(stored["shots"])})

    def summary(self) -> ReportSummary:
        """The counts as reports carry them."""
        return ReportSummary(
            passed=self.failures == 0 and self.not_met == 0,
            step_count=self.steps,
            action_count=self.actions,
            action_failure_count=self.failures,
            unverified_count=self.unverified,
            assertion_count=self.assertions,
            assertion_failure_count=self.not_met,
            screenshot_count=len(self.shots),
        )


def failed(row: Mapping[str, Any]) -> bool:
    """Whether a stored step counts as a failed action."""
    return row.get("error") is not None or row.get("verdict") == "refused"
