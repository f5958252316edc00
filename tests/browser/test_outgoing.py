"""What a browser may ask of the network: names that resolve to private addresses, and what pages fetch."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from deepseekeyes.browser.outgoing import Outgoing, resolver_rules
from deepseekeyes.browser.urls import Policy
from deepseekeyes.core.errors import EyesError

ADDRESSES = {
    "public.example": ["93.184.216.34"],
    "office.example": ["10.1.2.3"],
    "mixed.example": ["93.184.216.34", "192.168.1.9"],
    "meta.example": ["169.254.169.254"],
    "six.example": ["fd00::7%eth0"],
    "mapped.example": ["::ffff:10.0.0.1"],
    "here.example": ["127.0.0.1"],
    "proxied.example": ["198.18.0.44"],
}


async def resolve(host: str) -> Sequence[str]:
    if host not in ADDRESSES:
        raise OSError("no such name")
    return ADDRESSES[host]


def page(host: str, policy: Policy | None = None) -> bool:
    return asyncio.run(Outgoing(policy or Policy(), resolve).page(f"https://{host}/")) is None


def part(url: str, *sources: str, policy: Policy | None = None) -> bool:
    return asyncio.run(Outgoing(policy or Policy(), resolve).part(url, sources)) is None


def test_pages_of_names_with_any_private_address_are_refused() -> None:
    names = [*ADDRESSES, "unknown.example"]
    opened = [host for host in names if page(host)]
    assert opened == ["public.example", "here.example", "proxied.example", "unknown.example"]
    assert all(page(host, Policy(private=True)) for host in names)


@pytest.mark.parametrize(
    ("url", "source", "policy", "allowed"),
    [
        ("https://cdn.example/a.js", "https://public.example/", Policy(allow=("public.example",)), True),
        ("https://cdn.example/", "https://public.example/", Policy(allow=("public.example",), parts="allowed"), False),
        ("https://cdn.example/a.js", "https://public.example/", Policy(deny=("cdn.example",)), False),
        ("http://cdn.example/a.js", "https://public.example/", Policy(deny=("cdn.example",), parts="any"), True),
        ("http://10.0.0.1/", "http://127.0.0.1/", Policy(), False),
        ("http://office.example/", "http://127.0.0.1/", Policy(), False),
        ("http://127.0.0.1:11434/api", "https://public.example/", Policy(), False),
        ("http://127.0.0.1:11434/api", "null", Policy(), True),
        ("http://here.example/", "https://public.example/", Policy(), False),
        ("http://here.example/", "http://localhost:3000/", Policy(), True),
        ("http://127.0.0.1:8000/", "http://localhost:3000/", Policy(), True),
        ("http://127.0.0.1:11434/api", "https://public.example/", Policy(private=True), True),
        ("blob:https://public.example/1", "https://public.example/", Policy(), True),
        ("data:,x", "https://public.example/", Policy(), True),
        ("file:///etc/passwd", "https://public.example/", Policy(), False),
    ],
)
def test_what_pages_fetch_is_judged_by_host_and_by_who_asks(
    url: str, source: str, policy: Policy, allowed: bool
) -> None:
    assert part(url, source, policy=policy) is allowed


def test_a_name_is_resolved_once_a_minute() -> None:
    asked: list[str] = []

    async def counting(host: str) -> Sequence[str]:
        asked.append(host)
        return ["93.184.216.34"]

    async def twice() -> None:
        outgoing = Outgoing(Policy(), counting)
        await outgoing.page("https://public.example/a")
        await outgoing.part("https://PUBLIC.example./b", ())

    asyncio.run(twice())
    assert asked == ["public.example"]


def test_the_browsers_resolver_knows_what_is_denied() -> None:
    rules = resolver_rules(Policy(deny=("*.tracker.example", "https://ads.example:8443/", "bad host"), private=True))
    assert rules == "MAP tracker.example ~NOTFOUND, MAP *.tracker.example ~NOTFOUND, MAP ads.example:8443 ~NOTFOUND"
    assert "MAP 169.254.* ~NOTFOUND" in resolver_rules(Policy())


@pytest.mark.service
@pytest.mark.timeout(300)
def test_nothing_a_page_or_its_workers_ask_of_a_denied_host_is_sent(hands: Any, pages: Any) -> None:
    pages.away = f"http://localhost:{pages.server_port}/part-redirect"
    hands("open", session="fetching", url=f"{pages.url}/fetching.html", deny=["localhost"])
    hands("click", session="fetching", name="Ask")
    for told in ("no fetch", "no redirect", "no worker", "no socket", "no service", "events"):
        hands("wait", session="fetching", until="text", expected=told)
    refused = hands("observe", session="fetching")["diagnostics"]["refused"]
    parts = {row["url"].rpartition("/")[2] for row in refused}
    expected = {"image", "beacon", "events", "fetch", "redirect", "framed", "worker", "service"}
    assert parts >= {f"part-{name}" for name in expected}
    assert [path for path in pages.asked if "part-" in path] == []
    hands("close", session="fetching")


@pytest.mark.service
@pytest.mark.timeout(300)
def test_without_a_rule_the_same_requests_arrive(hands: Any, pages: Any) -> None:
    pages.away = f"http://localhost:{pages.server_port}/part-redirect"
    hands("open", session="fetching", url=f"{pages.url}/fetching.html")
    hands("click", session="fetching", name="Ask")
    for told in ("no socket", "service", "worker"):
        hands("wait", session="fetching", until="text", expected=told)
    arrived = {path.rpartition("/")[2] for path in pages.asked if "part-" in path}
    expected = {"image", "beacon", "events", "fetch", "redirect", "framed", "worker", "service", "socket"}
    assert arrived >= {f"part-{name}" for name in expected}
    hands("close", session="fetching")


@pytest.mark.service
def test_a_name_that_resolves_to_a_private_address_is_refused_before_a_browser_starts(
    hands: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deepseekeyes.wiring.browser._resolve", resolve)
    with pytest.raises(EyesError) as refused:
        hands("open", session="never", url="http://office.example/")
    assert (refused.value.code.name, "office.example" in refused.value.message) == ("BROWSER_URL_DENIED", True)


@pytest.mark.service
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "other", [{"deny": ["localhost"]}, {"allow": ["127.0.0.1"]}, {"allow_private": True}, {"headless": False}]
)
def test_rules_that_a_running_browser_does_not_have_are_refused_instead_of_ignored(
    hands: Any, pages: Any, other: dict[str, Any]
) -> None:
    hands("open", url=f"{pages.url}/moving.html")
    with pytest.raises(EyesError) as refused:
        hands("open", url=f"{pages.url}/people.html", **other)
    assert refused.value.code.name == "BROWSER_SESSION_SET"
    assert hands("observe")["title"] == "Moving"
