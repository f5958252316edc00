"""One bounded HTTP exchange with a model endpoint, over httpx. Every failure leaves as a typed error."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import urlsplit

from deepseekeyes.core.errors import Details, EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.core.redact import surface
from deepseekeyes.core.secrets import reveal, watch
from deepseekeyes.routing import codes
from deepseekeyes.routing.adapters.refusals import refusal
from deepseekeyes.routing.catalog import Route

if TYPE_CHECKING:
    import httpx

USER_AGENT: Final = "deepseekeyes"
MAX_REFUSAL_BYTES: Final = 65_536


def is_loopback(url: str) -> bool:
    """Whether a URL names this machine by a loopback address or a `localhost` name."""
    host = (urlsplit(url).hostname or "").rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def address(route: Route, path: str) -> str:
    """The full URL of a path below the route's endpoint; a sub-path of the endpoint is kept.

    Raises:
        EyesError: `ENGINE_URL_REFUSED` for plain http beyond loopback without `allow_http`.
    """
    base = route.base_url or ""
    if base.startswith("http://") and not is_loopback(base) and not route.allow_http:
        raise EyesError(
            codes.ENGINE_URL_REFUSED,
            f"Route {route.id} would send pictures and its key over plain http to another machine.",
            details={"dispatched": "no"},
        )
    return base.rstrip("/") + path


def credentials(route: Route, scheme: str) -> dict[str, str]:
    """Request headers that carry secrets: `Authorization` (scheme `bearer`) or `x-api-key`, and the entry's own.

    Raises:
        EyesError: `CREDENTIAL_MISSING`.
    """
    found: dict[str, str] = {}
    for ref in (route.key, *route.headers.values()):
        if ref is not None:
            watch(ref)
    if route.key is not None:
        value = reveal(route.key)
        found.update({"authorization": f"Bearer {value}"} if scheme == "bearer" else {scheme: value})
    for name, ref in route.headers.items():
        found[name.lower()] = reveal(ref)
    for name, value in found.items():
        if not value.isascii() or any(ord(letter) < 32 for letter in value):
            raise EyesError(
                codes.ENGINE_AUTH,
                f"The value for the header {name} of route {route.id} holds characters that no header may carry.",
                details={"dispatched": "no"},
            )
    return found


@dataclass(slots=True)
class Http:
    """Where requests go out. As an async context manager it keeps connections open between requests.

    Attributes:
        transport: replaces the network in tests of this file only.
    """

    transport: Any = None
    _shared: dict[bool, Any] = field(default_factory=dict)
    _open: bool = False
    _tls: Any = None

    async def __aenter__(self) -> Self:
        self._open = True
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._open = False
        clients, self._shared = list(self._shared.values()), {}
        for client in clients:
            await client.aclose()

    @asynccontextmanager
    async def client(self, url: str) -> AsyncIterator[httpx.AsyncClient]:
        """A client for a URL; proxies of the environment are not used for loopback."""
        near = is_loopback(url)
        if self._open:
            if near not in self._shared:
                self._shared[near] = self._made(near, secure=True)
            yield self._shared[near]
            return
        async with self._made(near, secure=url.startswith("https")) as client:
            yield client

    def _made(self, near: bool, *, secure: bool) -> httpx.AsyncClient:
        import httpx

        if secure and self._tls is None:
            self._tls = httpx.create_ssl_context()
        return httpx.AsyncClient(
            verify=self._tls if secure else False,
            trust_env=not near,
            follow_redirects=False,
            transport=self.transport,
            headers={"user-agent": USER_AGENT, "accept-encoding": "identity"},
        )


@dataclass(slots=True)
class Exchange:
    """An answer whose head has come. `chunks()` may be walked once."""

    route: Route
    response: httpx.Response
    deadline: Any
    received: int = 0

    @property
    def media_type(self) -> str:
        return str(self.response.headers.get("content-type", "")).split(";")[0].strip().lower()

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body as it comes, decoded.

        Raises:
            EyesError: `ANSWER_TOO_LARGE`, `ENGINE_TIMEOUT`, `INCOMPLETE_STREAM`.
        """
        limits = self.route.limits
        iterator = self.response.aiter_bytes().__aiter__()
        wait, setting = limits.first_byte_timeout_s, "first_byte_timeout_s"
        while True:
            async with _waiting(self.route, wait, setting, self.deadline):
                try:
                    chunk = await iterator.__anext__()
                except StopAsyncIteration:
                    return
            self.received += len(chunk)
            if self.received > limits.max_answer_bytes:
                raise _too_large(self.route)
            wait, setting = limits.idle_timeout_s, "idle_timeout_s"
            yield chunk

    async def whole(self) -> bytes:
        """The body in one piece, within `limits.max_answer_bytes`."""
        declared = self.response.headers.get("content-length", "")
        if declared.isdigit() and int(declared) > self.route.limits.max_answer_bytes:
            raise _too_large(self.route)
        return b"".join([chunk async for chunk in self.chunks()])


@asynccontextmanager
async def exchange(
    http: Http, route: Route, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None = None
) -> AsyncIterator[Exchange]:
    """Send a request and yield its answer once the head is there and says success.

    Raises:
        EyesError: what `refusals.refusal` makes of another status; `ENGINE_UNREACHABLE` (nothing was sent),
            `ENGINE_TIMEOUT`, `INCOMPLETE_STREAM`.
    """
    import httpx

    await loop_needed()
    import asyncio

    limits = route.limits
    deadline = asyncio.get_running_loop().time() + limits.timeout_s
    async with AsyncExitStack() as stack:
        with _mapped(route):
            client = await stack.enter_async_context(http.client(url))
            timeout = httpx.Timeout(
                limits.timeout_s,
                connect=limits.connect_timeout_s,
                pool=limits.connect_timeout_s,
                write=limits.timeout_s,
            )
            request = client.build_request(method, url, headers=dict(headers), content=body, timeout=timeout)
            async with _waiting(route, limits.first_byte_timeout_s, "first_byte_timeout_s", deadline):
                response = await client.send(request, stream=True)
            stack.push_async_callback(response.aclose)
            if response.status_code != 200:
                raise refusal(
                    route, response.status_code, response.headers, await _refusal_text(route, response, deadline)
                )
            yield Exchange(route, response, deadline)


async def _refusal_text(route: Route, response: httpx.Response, deadline: float) -> str:
    read = bytearray()
    async with _waiting(route, route.limits.idle_timeout_s, "idle_timeout_s", deadline):
        async for chunk in response.aiter_bytes():
            read += chunk
            if len(read) >= MAX_REFUSAL_BYTES:
                break
    return bytes(read[:MAX_REFUSAL_BYTES]).decode("utf-8", "replace")


@asynccontextmanager
async def _waiting(route: Route, seconds: float, setting: str, deadline: float) -> AsyncIterator[None]:
    """Bound one wait by its own limit and by what is left of the whole call."""
    import asyncio

    now = asyncio.get_running_loop().time()
    own = now + seconds
    try:
        async with asyncio.timeout_at(min(own, deadline)):
            yield
    except TimeoutError as error:
        name = setting if own <= deadline else "timeout_s"
        raise timed_out(route, name) from error


def timed_out(route: Route, setting: str, *, dispatched: bool = True) -> EyesError:
    """A limit on time was reached."""
    value = getattr(route.limits, setting)
    details: Details = {
        "dispatched": "unknown" if dispatched else "no",
        "limit": {"name": setting, "value": value, "setting": f"routes.{route.id}.limits.{setting}"},
    }
    return EyesError(
        codes.ENGINE_TIMEOUT, f"Route {route.id} did not answer within {value:g} s ({setting}).", details=details
    )


def _too_large(route: Route) -> EyesError:
    value = route.limits.max_answer_bytes
    details: Details = {
        "dispatched": "yes",
        "limit": {"name": "max_answer_bytes", "value": value, "setting": f"routes.{route.id}.limits.max_answer_bytes"},
    }
    return EyesError(
        codes.ANSWER_TOO_LARGE, f"The answer of route {route.id} is larger than {value:,} bytes.", details=details
    )


class _mapped:  # noqa: N801 - reads as a verb
    """Turns httpx failures into ours."""

    def __init__(self, route: Route) -> None:
        self._route = route

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        import httpx

        if isinstance(error, httpx.HTTPError | httpx.StreamError | httpx.InvalidURL):
            raise _transport_failure(self._route, error) from error


def _transport_failure(route: Route, error: Exception) -> EyesError:
    import httpx

    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return timed_out(route, "connect_timeout_s", dispatched=False)
    if isinstance(error, httpx.TimeoutException):
        return timed_out(route, "timeout_s")
    said = surface(str(error) or type(error).__name__, 200)
    if isinstance(error, httpx.ConnectError | httpx.UnsupportedProtocol | httpx.ProxyError | httpx.InvalidURL):
        return EyesError(
            codes.ENGINE_UNREACHABLE, f"Route {route.id} cannot be reached: {said}.", details={"dispatched": "no"}
        )
    return EyesError(
        codes.INCOMPLETE_STREAM,
        f"The connection to route {route.id} broke before the answer was whole: {said}.",
        details={"dispatched": "unknown"},
    )
