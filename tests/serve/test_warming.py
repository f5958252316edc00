"""What a serving process loads ahead of first calls."""

from __future__ import annotations

import asyncio
import sys
import threading
from importlib import import_module

import pytest
from serve_desk import Desk

from deepseekeyes.wiring.warming import load, modules


def test_every_module_that_is_loaded_ahead_exists(desk: Desk) -> None:
    names = list(modules(desk.app(), ["vision", "browser", "usage"]))
    assert [import_module(name).__name__ for name in names] == names


def test_the_local_eye_is_loaded_where_it_is_the_one_that_reads(desk: Desk) -> None:
    assert "onnxruntime" in modules(desk.app(), ["vision"])
    desk.write_config()
    other = desk.app()
    assert "onnxruntime" not in modules(other, ["vision"])
    assert list(modules(other, ["usage", "probe"])) == []


def test_what_is_not_installed_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "broken_by_test", None)
    load(["broken_by_test", "no_such_module_at_all", "json"])


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_loading_begins_once_after_the_first_listing(desk: Desk, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from mcp import Client

    from deepseekeyes.serve.mcp_server import Protocol

    begun = threading.Semaphore(0)

    async def steps() -> None:
        async with desk.serving("vision") as serving:
            monkeypatch.setattr("deepseekeyes.wiring.warming.load", lambda names: begun.release() if names else None)
            async with Client(Protocol(serving, serving.warm).server, mode=mode) as client:
                assert not begun.acquire(blocking=False)
                await client.list_tools()
                await client.list_tools()
                assert await asyncio.to_thread(begun.acquire, timeout=60)
                await client.list_tools()
            assert not begun.acquire(blocking=False)

    asyncio.run(steps())
