"""Reading a paged listing to its end, bounded while it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.mcp.ports import Wire


@dataclass(slots=True)
class PageBudget:
    """Pages that one or several listings may take together."""

    left: int
    limit: int
    over: Code

    def spend(self) -> None:
        """Count one page.

        Raises:
            EyesError: the budget's code.
        """
        if self.left <= 0:
            raise EyesError(
                self.over,
                f"The server lists more than {self.limit} pages.",
                details={"limit": {"name": "pages", "value": self.limit, "setting": "mcp.max_catalog_pages"}},
            )
        self.left -= 1


async def drain(
    wire: Wire,
    method: str,
    key: str,
    *,
    pages: PageBudget,
    loop: Code,
    invalid: Code,
    timeout_s: float,
    take: Callable[[Any], None],
) -> None:
    """Hand every raw item of a listing to `take`, in order.

    Args:
        wire: the connection.
        method: e.g. `tools/list`.
        key: where a page's items are, e.g. `tools`.
        pages: the budget, shared with other listings where they share one.
        loop, invalid: codes of a repeated cursor and of a page of the wrong shape.
        timeout_s: longest wait for one page, seconds.
        take: keeps or refuses one item; what it refuses ends the reading at once.

    Raises:
        EyesError: the given codes, or what `take` raises.
        WireError: the request failed.
    """
    seen: set[str] = set()
    cursor: str | None = None
    while True:
        pages.spend()
        page = await wire.request(method, {} if cursor is None else {"cursor": cursor}, timeout_s=timeout_s)
        listed = page.get(key)
        if not isinstance(listed, list):
            raise EyesError(invalid, f"The server's answer to {method} has no list of {key}.")
        for item in listed:
            take(item)
        following = page.get("nextCursor")
        if not isinstance(following, str) or not following:
            return
        if following in seen:
            raise EyesError(loop, f"The server's pages of {method} go round in a circle.")
        seen.add(following)
        cursor = following
