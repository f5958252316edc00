"""What the doctor is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from deepseekeyes.contracts.examination import Examination
from deepseekeyes.core.clock import Clock


@dataclass(frozen=True, slots=True)
class DoctorDeps:
    """Every subsystem's examinations, in the order in which they are reported."""

    examinations: Sequence[Examination]
    clock: Clock = field(default_factory=Clock)
