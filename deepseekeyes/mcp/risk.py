"""What a tool may do, read from its raw annotations.

Only real JSON booleans count. A typed model would coerce `"yes"` or `1` into true and let a server talk its way past
the read-only policy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Risk = Literal["read", "write", "destructive", "unknown-write"]
RiskPolicy = Literal["allow", "read-only"]

HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


@dataclass(frozen=True, slots=True)
class Classification:
    """A tool's risk and the annotations that were kept."""

    risk: Risk
    open_world: bool = False
    idempotent: bool = False
    annotations: Mapping[str, bool] = field(default_factory=dict)

    @property
    def requires_approval(self) -> bool:
        return self.risk != "read"

    @property
    def repeatable(self) -> bool:
        """Whether calling it twice is declared to be harmless."""
        return self.risk == "read" or self.idempotent


READ = Classification("read", annotations={"readOnlyHint": True})


def classify(annotations: Any) -> Classification:
    """Judge raw annotations; anything but a mapping counts as none."""
    kept: dict[str, bool] = {}
    if isinstance(annotations, Mapping):
        kept = {name: annotations[name] for name in HINTS if isinstance(annotations.get(name), bool)}
    return Classification(
        risk=_risk(kept),
        open_world=kept.get("openWorldHint") is True,
        idempotent=kept.get("idempotentHint") is True,
        annotations=kept,
    )


def _risk(kept: Mapping[str, bool]) -> Risk:
    if kept.get("destructiveHint"):
        return "destructive"
    match kept.get("readOnlyHint"):
        case True:
            return "read"
        case False:
            return "write"
    return "unknown-write"


def permitted(policy: RiskPolicy, classification: Classification) -> bool:
    """Whether a server's policy lets a tool of this risk through."""
    return policy == "allow" or classification.risk == "read"
