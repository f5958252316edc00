"""Several servers are asked at once; nobody waits long for one of them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from deepseekeyes.serve.asking import Asking


@dataclass
class Listed:
    items: tuple[str, ...]


def test_a_late_answer_is_news_once_and_is_asked_for_once() -> None:
    async def steps() -> None:
        doors = {
            "slow": asyncio.Event(),
            "empty": asyncio.Event(),
            "quick": asyncio.Event(),
            "failing": asyncio.Event(),
        }
        asked = []

        async def ask(operation: str, server: str) -> Listed | None:
            asked.append(server)
            await doors[server].wait()
            return {"failing": None, "empty": Listed(())}.get(server, Listed((f"{operation} of {server}",)))

        asking = Asking(ask, 0.01)
        doors["quick"].set()
        quick = [Listed(("list of quick",))]
        assert await asking.each("list", ["slow", "empty", "failing", "quick"]) == quick
        assert await asking.each("list", ["slow", "quick"]) == quick
        assert (asked, asking.news()) == (["slow", "empty", "failing", "quick", "quick"], False)
        doors["empty"].set()
        doors["failing"].set()
        assert await asking.each("list", ["empty", "failing"]) == [Listed(())]
        assert asking.news() is False
        doors["slow"].set()
        assert await asking.each("list", ["slow"]) == [Listed(("list of slow",))]
        assert (asking.news(), asking.news()) == (True, False)
        assert await asking.each("list", []) == []

    asyncio.run(steps())
