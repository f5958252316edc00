"""List what was tried on which route, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import Field

from deepseekeyes.contracts.model import SHA256, Contract
from deepseekeyes.contracts.routes import AttemptList, AttemptRow

MOST: Final = 10_000
FAILURES: Final = ("failed", "unresolved")


class AttemptsRequest(Contract):
    """Which attempts to list.

    Attributes:
        limit: the most rows.
        route: only those on this entry.
        image: only those about this picture.
        failed: only those that failed.
    """

    limit: int = Field(default=50, ge=1, le=MOST)
    route: str | None = Field(default=None, min_length=1, max_length=256)
    image: str | None = Field(default=None, pattern=SHA256, description="64 hexadecimal digits, a picture's SHA-256")
    failed: bool = False


@dataclass(frozen=True, slots=True)
class AttemptsDeps:
    """What the listing touches.

    Attributes:
        rows: bodies of rows whose members equal some values, newest first, at most so many.
    """

    rows: Callable[[Mapping[str, str | int], int], Sequence[Mapping[str, Any]]]


async def attempts(request: AttemptsRequest, deps: AttemptsDeps) -> AttemptList:
    """Attempts, newest first; `omitted` says how many more there are.

    Raises:
        EyesError: what the ledger raises.
    """
    where: dict[str, str | int] = {}
    if request.route is not None:
        where["route"] = request.route
    if request.image is not None:
        where["imageSha256"] = request.image
    found = deps.rows(where, MOST)
    if request.failed:
        found = [row for row in found if row.get("status") in FAILURES]
    shown = found[: request.limit]
    items = tuple(AttemptRow.model_validate({k: v for k, v in row.items() if k in _KNOWN}) for row in shown)
    omitted = len(found) - len(items)
    return AttemptList(items=items, truncated=omitted > 0, omitted=omitted)


_KNOWN: Final = frozenset(field.alias or name for name, field in AttemptRow.model_fields.items())
