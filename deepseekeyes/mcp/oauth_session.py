"""One signed-in client of one server: the token, who issues it, and one sign-in at a time however many calls wait.

A session is shared by both planes and by every connection to its server. It lives in memory only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Protocol

from deepseekeyes.core.clock import Clock, rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import surface
from deepseekeyes.core.secrets import remember
from deepseekeyes.mcp import codes
from deepseekeyes.mcp.definitions import ServerSettings
from deepseekeyes.mcp.oauth_challenge import Challenge, scope_of
from deepseekeyes.mcp.oauth_discovery import Found, Reply, Trial, discover
from deepseekeyes.mcp.oauth_events import Event, Health, State, event_row
from deepseekeyes.mcp.oauth_grant import read_answer
from deepseekeyes.mcp.oauth_token import Credentials, Grant, token_request
from deepseekeyes.mcp.oauth_urls import shown
from deepseekeyes.mcp.ports import again
from deepseekeyes.mcp.settings import McpSettings

if TYPE_CHECKING:
    import asyncio

PAUSE_S = 2.0
EARLY_S = 30.0
EARLY_SHARE = 0.1


class Exchange(Protocol):
    """Bounded HTTP without credentials of its own. Never raises for what the other side does."""

    async def get(self, url: str) -> Reply:
        """The document at an address."""
        ...

    async def post(self, url: str, headers: dict[str, str], body: bytes) -> Reply:
        """The answer to a form; redirects are not followed."""
        ...


@dataclass(frozen=True, slots=True)
class Held:
    """A token in use. `renew_at` and `over_at` are monotonic seconds; None means until the server refuses it."""

    text: str = field(repr=False)
    scope: str | None
    renew_at: float | None
    over_at: float | None
    expires_at: str | None


class OAuthSession:
    """Signs in to one server.

    Args:
        server_id: for messages and rows.
        server: its definition, with an enabled oauth block.
        credentials: both non-empty; `renamed` replaces them.
        exchange: HTTP.
        settings: the time limit.
        clock: time and ids.
        record: takes audit rows; None takes none.
    """

    def __init__(
        self,
        server_id: str,
        server: ServerSettings,
        credentials: Credentials,
        exchange: Exchange,
        settings: McpSettings,
        clock: Clock,
        record: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self._server_id = server_id
        self._server = server
        self._exchange = exchange
        self._settings = settings
        self._clock = clock
        self._record = record
        self._held: Held | None = None
        self._found: Found | None = None
        self._wanted: str | None = server.oauth.scope
        self._flight: asyncio.Task[Held] | None = None
        self._failure: EyesError | None = None
        self._failed_at = 0.0
        self._state: State = "idle"
        self._event_at: str | None = None
        self._trials: tuple[Trial, ...] = ()
        self._credentials = credentials
        self.renamed(credentials)

    def renamed(self, credentials: Credentials) -> None:
        """Use these credentials from now on; with other ones than before, everything is asked anew."""
        for spelling in credentials.spellings():
            remember(spelling)
        if credentials != self._credentials:
            self._credentials = credentials
            self._held = self._found = self._failure = None
            self._tell("credentials-invalidated", "idle")

    def limited(
        self, settings: McpSettings, exchange: Exchange, record: Callable[[dict[str, Any]], None] | None
    ) -> None:
        """Go on under other limits, and write rows elsewhere."""
        self._settings, self._exchange, self._record = settings, exchange, record

    def health(self) -> Health:
        """How things stand."""
        held, found = self._held, self._found
        over = held is not None and held.over_at is not None and self._clock.monotonic() >= held.over_at
        return Health(
            state="expired" if over else self._state,
            authenticated=held is not None and not over,
            expires_at=held.expires_at if held is not None else None,
            discovery_cached=found is not None,
            issuer=shown(found.issuer) if found is not None else None,
            scope=surface(held.scope) if held is not None and held.scope else None,
            error=self._failure,
            event_at=self._event_at,
            trials=self._trials,
        )

    async def current(self) -> str | None:
        """The token to send now, renewed when its time is nearly over; None before the first challenge.

        Raises:
            EyesError: as `renewed`, when it could not be renewed.
        """
        held = self._held
        if held is None:
            return None
        if held.renew_at is None or self._clock.monotonic() < held.renew_at:
            return held.text
        return await self.renewed(held.text, None)

    def last(self) -> str | None:
        """The last token, over or not: when it cannot be renewed, the server decides."""
        return self._held.text if self._held is not None else None

    async def renewed(self, stale: str | None, challenge: Challenge | None) -> str:
        """Another token than `stale`; whoever comes first fetches it, all others wait for that one.

        Args:
            stale: what the caller sent.
            challenge: what the server answered, if it was asked.

        Raises:
            EyesError: MCP_OAUTH_*. A failure is remembered for two seconds, so that a burst of calls asks once.
        """
        import asyncio

        held = self._held
        if held is not None and held.text != stale:
            return held.text
        flight = self._flight
        if flight is None or flight.done():
            self._check_pause()
            if challenge is not None and challenge.status == 403:
                self._widen(challenge)
            elif stale is not None:
                self._tell("token-expired" if challenge is None else "token-invalid", "expired")
            flight = asyncio.create_task(self._sign_in(challenge), name=f"mcp sign-in {self._server_id}")
            flight.add_done_callback(_retrieved)
            self._flight = flight
        return (await asyncio.shield(flight)).text

    def welcomed(self, token: str) -> None:
        """The server took a token."""
        if self._state != "connected" and self._held is not None and self._held.text == token:
            self._tell("connected", "connected")

    def refused(self, token: str, challenge: Challenge) -> EyesError:
        """The server turned a brand-new token away; nothing that led to it is trusted any longer."""
        wants = f" It wants the scope {surface(challenge.scope)}." if challenge.scope else ""
        error = EyesError(
            codes.MCP_OAUTH_SCOPE_REFUSED if challenge.status == 403 else codes.MCP_OAUTH_TOKEN_REJECTED,
            f"The server {self._server_id} answered {challenge.status} to a token that was issued for it just now"
            f"{f' ({challenge.error})' if challenge.error in _KNOWN_ERRORS else ''}.{wants}",
            details={"dispatched": "no"},
            server=self._server_id,
        )
        if self._held is not None and self._held.text == token:
            self._held = self._found = None
            self._fail(error)
        return error

    async def _sign_in(self, challenge: Challenge | None) -> Held:
        import asyncio

        limit_ms = self._settings.oauth_timeout_ms
        try:
            async with asyncio.timeout(limit_ms / 1000):
                held = await self._acquire(challenge)
        except TimeoutError:
            error = EyesError(
                codes.MCP_OAUTH_UNAVAILABLE,
                f"Signing in to the server {self._server_id} took longer than {limit_ms / 1000:g} s.",
                details={
                    "limit": {"name": "sign-in", "value": limit_ms, "setting": "mcp.oauth_timeout_ms"},
                    "dispatched": "no",
                },
                server=self._server_id,
            )
            self._fail(error)
            raise error from None
        except EyesError as error:
            self._fail(error)
            raise
        self._held, self._failure = held, None
        self._tell("token-acquired", "authenticated")
        return held

    async def _acquire(self, challenge: Challenge | None) -> Held:
        oauth = self._server.oauth
        found = self._found
        if found is None:
            self._state = "discovering"
            url = self._server.url or ""
            asked = challenge.metadata_url if challenge is not None else None
            found = await discover(self._exchange.get, self._server_id, url, oauth, asked)
            self._trials = found.trials
            self._found = found
            self._tell("discovery-cached", "discovering")
        scope = self._wanted or (challenge.scope if challenge is not None else None) or found.scopes
        headers, body = token_request(self._credentials, found.method, scope=scope, resource=found.resource)
        started = self._clock.monotonic()
        reply = await self._exchange.post(found.token_endpoint, headers, body)
        try:
            grant = read_answer(reply, found, self._server_id, self._credentials)
        except EyesError:
            self._found = None
            raise
        remember(grant.token)
        return self._hold(grant, started, scope)

    def _hold(self, grant: Grant, started: float, asked: str | None) -> Held:
        scope = grant.scope or asked
        lifetime = grant.lifetime_s
        if lifetime is None:
            return Held(grant.token, scope, None, None, None)
        early = min(EARLY_S, lifetime * EARLY_SHARE)
        spent = self._clock.monotonic() - started
        expires_at = rfc3339(self._clock.now() + timedelta(seconds=min(lifetime - spent, 1e9)))
        return Held(grant.token, scope, started + lifetime - early, started + lifetime, expires_at)

    def _widen(self, challenge: Challenge) -> None:
        """Ask for more scopes than before, unless the operator said which ones to ask for.

        Raises:
            EyesError: MCP_OAUTH_SCOPE_REFUSED.
        """
        had = self._held.scope if self._held is not None else None
        union = scope_of(" ".join(dict.fromkeys(f"{had or ''} {challenge.scope or ''}".split())))
        if self._server.oauth.scope is not None or union is None or union == had:
            wants = f" It wants {surface(challenge.scope)}." if challenge.scope else ""
            error = EyesError(
                codes.MCP_OAUTH_SCOPE_REFUSED,
                f"The scope of the token is too small for the server {self._server_id}.{wants}",
                details={"dispatched": "no"},
                server=self._server_id,
            )
            self._tell("auth-error", self._state, error)
            raise error
        self._wanted = union

    def _check_pause(self) -> None:
        if self._failure is not None and self._clock.monotonic() - self._failed_at < PAUSE_S:
            raise again(self._failure)

    def _fail(self, error: EyesError) -> None:
        self._wanted = self._server.oauth.scope
        self._failure, self._failed_at = error, self._clock.monotonic()
        rejected = error.code in (codes.MCP_OAUTH_CLIENT_REJECTED, codes.MCP_OAUTH_TOKEN_REJECTED)
        self._tell("credentials-invalidated" if rejected else "auth-error", "error", error)

    def _tell(self, event: Event, state: State, error: EyesError | None = None) -> None:
        self._state = state
        self._event_at = rfc3339(self._clock.now())
        if self._record is None:
            return
        name = self._server.name or self._server_id
        self._record(
            event_row(self._server_id, name, event, row_id=self._clock.new_id(), at=self._event_at, error=error)
        )


_KNOWN_ERRORS = ("invalid_token", "insufficient_scope", "invalid_request")


def _retrieved(flight: asyncio.Task[Held]) -> None:
    """A failure that nobody waits for any longer is no surprise."""
    if not flight.cancelled():
        flight.exception()
