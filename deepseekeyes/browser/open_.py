"""`browser open`: start a session's browser where there is none, and go to an address."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.automation.run import Run
from deepseekeyes.automation.surface import Gesture
from deepseekeyes.browser.codes import BROWSER_SESSION_SET, BROWSER_URL_DENIED
from deepseekeyes.browser.deps import BrowserDeps
from deepseekeyes.browser.desk import Session
from deepseekeyes.browser.gate import allowed
from deepseekeyes.browser.outgoing import Outgoing
from deepseekeyes.browser.ports import Doing, Launch
from deepseekeyes.browser.replies import done
from deepseekeyes.browser.requests import ActionRequest
from deepseekeyes.browser.urls import Policy, normal, shown
from deepseekeyes.contracts.browser import BrowserAction
from deepseekeyes.core.atomic import private_dir
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed


class OpenRequest(ActionRequest):
    """What to open, and how a browser that is started for it behaves."""

    url: str = Field(min_length=1, max_length=8_000, description="The address.")
    enable: bool = Field(default=False, description="Allow browsers for this session.")
    headless: bool | None = Field(default=None, description="Without a window; as configured when absent.")
    allow: tuple[str, ...] = Field(default=(), max_length=200, description="Hosts that may be opened, and no others.")
    deny: tuple[str, ...] = Field(default=(), max_length=200, description="Hosts that are never opened.")
    allow_private: bool = Field(default=False, description="Private and link-local addresses may be opened.")
    allow_file: bool = Field(default=False, description="Local files may be opened.")


async def open_(request: OpenRequest, deps: BrowserDeps) -> BrowserAction:
    """Open an address in a session; the first call starts its browser.

    Raises:
        EyesError: BROWSER_DISABLED, BROWSER_URL_INVALID, BROWSER_URL_DENIED, BROWSER_SESSION_SET,
            BROWSER_EXTRA_MISSING, BROWSER_LAUNCH_FAILED.
    """
    session = deps.desk.find(request.session)
    if session is None:
        allowed(deps.settings, enable=request.enable)
    url = normal(request.url)
    policy = _policy(request, deps)
    if session is not None and session.live.usable:
        _as_it_was_opened(request, policy, session)
        policy = session.live.policy
    policy.check(url)
    await loop_needed()
    await _resolvable(url, policy, deps)
    if session is not None and not session.live.usable:
        await deps.desk.end(request.session)
        deps.note("The browser of this session had ended; a new one is started, with a new run.")
        session = None
    if session is None:
        session = await _started(request, policy, deps)
        deps.desk.put(session)
    gesture = Gesture(
        "open",
        needs="nothing",
        state_id=request.state,
        arguments={"url": shown(url)},
        request=Doing(value=url),
    )
    return await done(gesture, session, deps, require_verified=request.require_verified)


def _policy(request: OpenRequest, deps: BrowserDeps) -> Policy:
    """A session may be narrower than the configuration, never wider."""
    settings = deps.settings
    return Policy(
        allow=settings.allow,
        narrower=request.allow,
        deny=(*settings.deny, *request.deny),
        private=request.allow_private,
        files=request.allow_file,
        parts=settings.subresources,
    )


def _as_it_was_opened(request: OpenRequest, policy: Policy, session: Session) -> None:
    """What a browser was started with stays; a call that asks for something else is refused instead of ignored."""
    live = session.live
    more = (request.allow_private and not live.policy.private) or (request.allow_file and not live.policy.files)
    lists = (request.allow and policy.narrower != live.policy.narrower) or not set(policy.deny) <= set(live.policy.deny)
    window = request.headless is not None and request.headless != live.launched.get("headless")
    if more or lists or window:
        raise EyesError(
            BROWSER_SESSION_SET,
            f"Session {session.name[:40]} has its browser already, opened with other rules or another window.",
            details={"dispatched": "no"},
            session=session.name[:40],
        )


async def _resolvable(url: str, policy: Policy, deps: BrowserDeps) -> None:
    refused = await Outgoing(policy, deps.resolve).page(url)
    if refused is not None:
        raise EyesError(BROWSER_URL_DENIED, refused[0], details={"dispatched": "no"}, fix=refused[1])


async def _started(request: OpenRequest, policy: Policy, deps: BrowserDeps) -> Session:
    run = Run.start(
        "browser",
        request.session,
        root=deps.root,
        settings=deps.automation,
        clock=deps.clock,
        version=deps.version,
    )
    downloads = None if run.folder is None else private_dir(run.folder / "downloads")
    launch = Launch(
        settings=deps.settings,
        policy=policy,
        headless=request.headless,
        run=run,
        downloads=downloads,
        environment=deps.environment,
        resolve=deps.resolve,
    )
    return Session(request.session, run, await deps.start(launch))
