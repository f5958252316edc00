"""The one path of every external call: gates, quota, wire, result, accounts. Nothing is ever sent twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from deepseekeyes.contracts.evidence import Persistence
from deepseekeyes.contracts.mcp import McpArtifactRef, McpResult
from deepseekeyes.contracts.usage import UsageEvent
from deepseekeyes.core.clock import rfc3339
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.eventloop import loop_needed
from deepseekeyes.mcp import codes
from deepseekeyes.mcp.audit_rows import Status, Subject, call_row
from deepseekeyes.mcp.deps import OURS, Entry, McpDeps, require_enabled
from deepseekeyes.mcp.gates import UNSENT, Planned, check_sendable
from deepseekeyes.mcp.journal import Line, marker
from deepseekeyes.mcp.live import Live
from deepseekeyes.mcp.outcomes import call_error, unsent
from deepseekeyes.mcp.ports import Question, WireError
from deepseekeyes.mcp.result import Bounded, process
from deepseekeyes.mcp.risk import Classification
from deepseekeyes.mcp.schema_check import remark

PROCESS_RUN = "process"

Resolve = Callable[[Live], Planned]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a caller wants.

    Attributes:
        run_id: the run that the call belongs to; None for a call of its own.
        enable: allow it although the planes are switched off.
        provider: whose model asks; None is the caller at this machine.
    """

    server_id: str
    kind: Literal["tool", "resource", "prompt"]
    name: str
    arguments: Mapping[str, Any]
    run_id: str | None = None
    enable: bool = False
    provider: str | None = None


async def perform(deps: McpDeps, asked: Asked, resolve: Resolve) -> McpResult:
    """Make one call and return its bounded result; a result that reports an error is a result.

    Args:
        deps: everything outside.
        asked: the request.
        resolve: passes the gates that depend on what is live now; called again when something was waited for.

    Raises:
        EyesError: every code of the gates, of the connection and of the result.
    """
    require_enabled(deps, enable=asked.enable)
    if asked.provider not in (None, OURS):
        raise EyesError(
            codes.MCP_REQUIRES_DEEPSEEKEYES, "MCP tools belong to models that deepseekeyes serves.", details=UNSENT
        )
    server = deps.upstreams.server(asked.server_id)
    check_sendable(asked.server_id, asked.arguments)
    line = deps.journal.begin(asked.run_id) if asked.run_id is not None else None
    subject = Subject(
        asked.server_id,
        server.name or asked.server_id,
        asked.kind,
        asked.name,
        "",
        Classification("unknown-write"),
        server.risk_policy,
    )
    await loop_needed()
    try:
        return await _Call(deps, asked, resolve, line, subject).run()
    finally:
        if line is not None:
            line.close()


class _Call:
    def __init__(self, deps: McpDeps, asked: Asked, resolve: Resolve, line: Line | None, subject: Subject) -> None:
        self._deps = deps
        self._asked = asked
        self._resolve = resolve
        self._line = line
        self._subject = subject
        self._started = deps.clock.monotonic()
        self._connected = False
        self._dispatched = False
        self._trouble: str | None = None

    async def run(self) -> McpResult:
        try:
            async with self._deps.upstreams.using(self._asked.server_id) as live:
                self._connected = True
                planned = await self._pass(live)
                value = await self._send(live, planned)
                bounded = process(
                    value,
                    self._deps.sink,
                    server=planned.subject.server_id,
                    label=planned.label,
                    interpret=planned.interpret,
                )
                result = self._result(planned, value, bounded, live)
        except EyesError as failed:
            failed.fields.setdefault("server", self._asked.server_id)
            self._account(failed)
            raise
        except BaseException:
            if self._dispatched:
                self._account(EyesError(codes.MCP_CALL_UNRESOLVED, "The call was interrupted."))
            raise
        return result

    async def _pass(self, live: Live) -> Planned:
        """The gates; the last look comes after everything that waits, and counting does not wait."""
        planned = self._again(live, None)
        if self._deps.authorise is not None:
            await self._authorise(planned)
            planned = self._again(live, planned)
        quota, run, limit = self._quota()
        if not quota.take(run, limit):
            self._limited()
            raise EyesError(
                codes.MCP_EXTERNAL_CALL_LIMIT_REACHED,
                f"This run has made its {limit} external calls.",
                details={
                    "dispatched": "no",
                    "limit": {"name": "calls", "value": limit, "setting": "mcp.max_external_calls_per_run"},
                },
                run=self._asked.run_id or "ID",
            )
        return planned

    def _limited(self) -> None:
        at, took_ms = rfc3339(self._deps.clock.now()), self._deps.clock.milliseconds_since(self._started)
        self._deps.book(lambda: Entry(self._event("failed", at, took_ms, {"mcpLimitStops": 1}), None, None))

    def _again(self, live: Live, before: Planned | None) -> Planned:
        planned = self._resolve(live)
        self._subject = planned.subject
        same = before is None or before.identity is planned.identity or before.identity == planned.identity
        if not same:
            raise EyesError(
                codes.MCP_TOOL_UNAVAILABLE,
                f"{planned.subject.name[:200]} changed while the call was being prepared.",
                details=UNSENT,
                server=planned.subject.server_id,
            )
        return planned

    async def _authorise(self, planned: Planned) -> None:
        assert self._deps.authorise is not None
        subject = planned.subject
        question = Question(
            subject.server_id,
            subject.kind,
            subject.name,
            subject.public_name,
            subject.classification,
            self._asked.arguments,
        )
        if not await self._deps.authorise(question):
            raise EyesError(
                codes.MCP_TOOL_NOT_APPROVED,
                f"The call of {subject.name[:200]} was not approved.",
                details=UNSENT,
                server=subject.server_id,
            )

    def _quota(self) -> tuple[Any, str, int]:
        limit = self._deps.settings.max_external_calls_per_run
        if self._asked.run_id is not None:
            return self._deps.run_quota, self._asked.run_id, limit
        return self._deps.process_quota, PROCESS_RUN, limit

    async def _send(self, live: Live, planned: Planned) -> dict[str, Any]:
        self._dispatched = True
        try:
            value = await live.wire.request(
                planned.method,
                planned.params,
                timeout_s=self._deps.settings.timeout_s(live.server),
                progress=self._deps.progress,
            )
        except WireError as failed:
            if unsent(failed):
                self._dispatched = False
                quota, run, _ = self._quota()
                with suppress(EyesError):
                    quota.refund(run)
            raise call_error(planned, failed) from failed
        if value.get("resultType") not in (None, "complete"):
            raise EyesError(
                codes.MCP_INPUT_REQUIRED,
                f"{planned.subject.name[:200]} asks a question before it goes on.",
                details={"dispatched": "yes"},
            )
        return value

    def _result(self, planned: Planned, value: dict[str, Any], bounded: Bounded, live: Live) -> McpResult:
        subject = planned.subject
        reported = subject.kind == "tool" and value.get("isError") is True
        error = EyesError(codes.MCP_TOOL_REPORTED_ERROR, bounded.preview[:500]) if reported else None
        self._account(error, bounded)
        artifact = bounded.artifact
        return McpResult(
            server=subject.server_id,
            kind=subject.kind,
            name=subject.name,
            public_name=subject.public_name,
            status="error" if reported else "success",
            preview=bounded.preview,
            truncated=bounded.truncated,
            omitted_chars=bounded.omitted_chars,
            sha256=bounded.sha256,
            bytes=bounded.bytes,
            artifact=None
            if artifact is None
            else McpArtifactRef(path=str(artifact), sha256=bounded.sha256, bytes=bounded.bytes),
            pictures=bounded.images,
            structured=bounded.structured,
            warnings=() if reported else _warnings(planned, value),
            tokens_estimated=bounded.tokens,
            duration_ms=self._deps.clock.milliseconds_since(self._started),
            run_id=self._asked.run_id,
            persistence=Persistence(healthy=False, code=self._trouble or live.trouble)
            if self._trouble or live.trouble
            else Persistence(),
        )

    def _account(self, error: EyesError | None, bounded: Bounded | None = None) -> None:
        """Marker, audit and usage of a call that is over. A trouble here is noted and changes nothing."""
        self._mark(error, bounded)
        audited = self._deps.settings.audit
        if not (self._dispatched or audited):
            return
        at, took_ms = rfc3339(self._deps.clock.now()), self._deps.clock.milliseconds_since(self._started)
        tokens = bounded.tokens if bounded is not None else 0
        counters = {"mcpExternalCalls": 1, "mcpResultInputTokensEstimated": tokens}

        def entry() -> Entry:
            return Entry(
                usage=self._event("failed" if error is not None else "success", at, took_ms, counters, tokens)
                if self._dispatched
                else None,
                audit=self._row(error, bounded, at, took_ms) if audited else None,
                run=self._asked.run_id,
            )

        self._trouble = self._deps.book(entry) or self._trouble

    def _row(self, error: EyesError | None, bounded: Bounded | None, at: str, took_ms: int) -> dict[str, Any]:
        status: Status = (
            "success" if error is None else "error" if self._dispatched or not self._connected else "denied"
        )
        return call_row(
            self._subject,
            row_id=self._deps.clock.new_id(),
            at=at,
            status=status,
            duration_ms=took_ms,
            arguments=self._asked.arguments,
            run=self._asked.run_id,
            result=None if bounded is None else (bounded.sha256, bounded.bytes, bounded.truncated),
            error=error,
        )

    def _mark(self, error: EyesError | None, bounded: Bounded | None) -> None:
        if self._line is None:
            return
        tool = self._subject.public_name or self._asked.name
        images = [] if bounded is None else [image.sha256 for image in bounded.images]
        if error is None and bounded is not None:
            content = marker(tool, "success", result_sha256=bounded.sha256, images=images)
        else:
            code = error.code.name if error is not None else codes.MCP_TOOL_RESULT_FAILED.name
            content = marker(tool, "error", error_code=code, images=images)
        self._trouble = self._line.write(content) or self._trouble

    def _event(
        self,
        outcome: Literal["success", "failed"],
        at: str,
        took_ms: int,
        counters: dict[str, int],
        tokens: int | None = None,
    ) -> UsageEvent:
        return UsageEvent(
            at=at,
            purpose="mcp",
            provider=self._asked.server_id,
            model=self._subject.public_name or self._asked.name[:256],
            route=self._asked.server_id,
            session_hash=self._deps.session_hash,
            outcome=outcome,
            duration_ms=took_ms,
            estimated_input_tokens=tokens,
            counters=counters,
        )


def _warnings(planned: Planned, value: dict[str, Any]) -> tuple[str, ...]:
    if planned.output_schema is None:
        return ()
    if "structuredContent" not in value:
        return ("The tool declares an output schema and sent no structured content.",)
    found = remark(value["structuredContent"], planned.output_schema, "The structured content")
    return () if found is None else (found,)
