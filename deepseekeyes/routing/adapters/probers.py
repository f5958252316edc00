"""Asking an endpoint whether it is up: `/health`, then its model list with the key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from deepseekeyes.core.errors import EyesError
from deepseekeyes.routing import codes
from deepseekeyes.routing.adapters.answering import malformed
from deepseekeyes.routing.adapters.anthropic_messages import VERSION
from deepseekeyes.routing.adapters.http import Http, address, credentials, exchange
from deepseekeyes.routing.catalog import Limits, Route
from deepseekeyes.routing.reported import lists_model, ollama_show

NO_SUCH_PAGE: Final = frozenset(
    {"ENGINE_ENDPOINT_NOT_FOUND", "ENGINE_MODEL_NOT_FOUND", "ENGINE_BAD_REQUEST", "ENGINE_MALFORMED"}
)
DECIDING: Final = frozenset({"ENGINE_LOADING", "ENGINE_UNREACHABLE", "ENGINE_TIMEOUT", "ENGINE_SERVER_ERROR"})
MAX_LISTING_BYTES: Final = 4_194_304


@dataclass(frozen=True, slots=True)
class OpenAIProber:
    """`Prober` for chat-completions endpoints. An endpoint that serves neither page is taken as up."""

    http: Http = field(default_factory=Http)

    async def probe(self, route: Route, timeout_s: float) -> str:
        short = _short(route, timeout_s)
        keys = credentials(route, "bearer")
        health = await _page(self.http, short, _root(address(short, "")) + "/health", {}, undecided=True)
        listing = await _page(self.http, short, address(short, "/models"), keys)
        return _seen(route, health is not None, listing)


@dataclass(frozen=True, slots=True)
class AnthropicProber:
    """`Prober` for Messages endpoints."""

    http: Http = field(default_factory=Http)

    async def probe(self, route: Route, timeout_s: float) -> str:
        short = _short(route, timeout_s)
        versioned = (route.base_url or "").rstrip("/").endswith("/v1")
        headers = {"anthropic-version": VERSION, **credentials(route, "x-api-key")}
        listing = await _page(self.http, short, address(short, "/models" if versioned else "/v1/models"), headers)
        return _seen(route, False, listing)


@dataclass(frozen=True, slots=True)
class OllamaProber:
    """`Prober` for Ollama: its version, then the model itself."""

    http: Http = field(default_factory=Http)

    async def probe(self, route: Route, timeout_s: float) -> str:
        short = _short(route, timeout_s)
        keys = credentials(route, "bearer")
        version = await _page(self.http, short, address(short, "/api/version"), keys)
        if version is None:
            raise malformed(route, "no version where Ollama has one")
        sent = json.dumps({"model": route.model}).encode()
        shown = await _page(self.http, short, address(short, "/api/show"), keys, body=sent)
        if shown is None:
            raise EyesError(
                codes.ENGINE_MODEL_NOT_FOUND,
                f"Route {route.id} has no model {route.model}.",
                details={"dispatched": "no"},
            )
        vision = ollama_show(shown).vision
        return f"up, version {str(version.get('version', '?'))[:40]}, pictures: {vision}"


async def _page(
    http: Http,
    route: Route,
    url: str,
    headers: Mapping[str, str],
    *,
    body: bytes | None = None,
    undecided: bool = False,
) -> dict[str, Any] | None:
    """A JSON page, or None when the endpoint has no such page.

    Args:
        undecided: only what shows that the whole endpoint is down counts as a failure.
    """
    head = {
        "accept": "application/json",
        **({"content-type": "application/json"} if body is not None else {}),
        **headers,
    }
    try:
        method = "GET" if body is None else "POST"
        async with exchange(http, route, method, url, headers=head, body=body) as opened:
            found = json.loads(await opened.whole())
    except EyesError as error:
        if error.code.name in NO_SUCH_PAGE or (undecided and error.code.name not in DECIDING):
            return None
        error.details["dispatched"] = "no"
        raise
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _seen(route: Route, healthy: bool, listing: Mapping[str, Any] | None) -> str:
    said = ["healthy" if healthy else "answers"]
    if listing is None:
        said.append("no model list")
    else:
        listed = lists_model(listing, route.model)
        said.append({"yes": "lists the model", "no": "does not list the model"}.get(listed, "an empty model list"))
    return ", ".join(said)


def _short(route: Route, timeout_s: float) -> Route:
    limits = Limits.model_construct(
        **{
            **route.limits.__dict__,
            "connect_timeout_s": min(timeout_s, route.limits.connect_timeout_s),
            "first_byte_timeout_s": timeout_s,
            "idle_timeout_s": timeout_s,
            "timeout_s": timeout_s,
            "max_answer_bytes": MAX_LISTING_BYTES,
        }
    )
    return route.model_copy(update={"limits": limits})


def _root(base: str) -> str:
    parts = urlsplit(base)
    path = parts.path.rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, path.removesuffix("/v1"), "", ""))
