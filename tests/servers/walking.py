"""Walks over routes that play outcomes by script."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.routing import codes
from deepseekeyes.routing.capabilities import EYE
from deepseekeyes.routing.catalog import Route
from deepseekeyes.routing.plan import Asked, plan
from deepseekeyes.routing.walk import Walked, walk


def error(code: Code = codes.ENGINE_SERVER_ERROR, **details: Any) -> EyesError:
    return EyesError(code, f"failed with {code.name}", details={"dispatched": "yes", **details})  # type: ignore[typeddict-item]


class Runner:
    """Plays one outcome per route and call."""

    def __init__(self, **plays: Any) -> None:
        self.plays = {name: list(play) if isinstance(play, list) else [play] for name, play in plays.items()}
        self.seen: list[str] = []

    async def __call__(self, route: Route) -> str:
        self.seen.append(route.id)
        play = self.plays[route.id].pop(0) if len(self.plays[route.id]) > 1 else self.plays[route.id][0]
        if isinstance(play, BaseException):
            raise play
        return str(play)


def go(bench: Any, routes: list[Route], run: Callable[[Route], Awaitable[str]], **more: Any) -> Walked[str]:
    asked = Asked(more.pop("capability", EYE), attempt_budget=more.pop("budget", None))
    deps = bench.deps(more.pop("readiness", None))
    return asyncio.run(walk(plan(routes, asked), run, deps, operation="base", **more))


def fails(bench: Any, routes: list[Route], run: Callable[[Route], Awaitable[str]], **more: Any) -> EyesError:
    with pytest.raises(EyesError) as caught:
        go(bench, routes, run, **more)
    return caught.value
