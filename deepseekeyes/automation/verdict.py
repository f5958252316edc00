"""From comparisons to a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from deepseekeyes.automation.surface import Check
from deepseekeyes.contracts.automation import Compared, Verdict


def verdict(checks: Sequence[Check]) -> Verdict:
    """`verified` when every `must` holds, or, without any, one `may` does; anything else is `unverified`.

    A check whose `holds` is None could not be made and speaks for nothing: as a `must` it leaves the action unverified.
    """
    musts = [check.compared.holds is True for check in checks if check.weight == "must"]
    if musts:
        return "verified" if all(musts) else "unverified"
    return "verified" if any(check.compared.holds is True for check in checks) else "unverified"


def equal(what: str, before: Any, after: Any, expected: Any, *, weight: Literal["must", "may"] = "must") -> Check:
    """A check that the later value is the expected one."""
    return Check(Compared(what=what, before=before, after=after, expected=expected, holds=after == expected), weight)


def differs(what: str, before: Any, after: Any, *, weight: Literal["must", "may"] = "may") -> Check:
    """A check that a value is not what it was."""
    return Check(Compared(what=what, before=before, after=after, holds=before != after), weight)
