"""What the answer of a token endpoint means: a token, or one code with the reason."""

from __future__ import annotations

from collections.abc import Mapping

from deepseekeyes.core.errors import Code, Details, EyesError
from deepseekeyes.core.redact import surface
from deepseekeyes.mcp import codes
from deepseekeyes.mcp.oauth_discovery import MESSAGE_CHARS, Found, Reply, Trial, json_object, passing
from deepseekeyes.mcp.oauth_metadata import GRANT, UnusableError, other_method
from deepseekeyes.mcp.oauth_token import Credentials, Grant, read_grant, refusal
from deepseekeyes.mcp.oauth_urls import shown

_BY_ERROR: Mapping[str, Code] = {
    "invalid_client": codes.MCP_OAUTH_CLIENT_REJECTED,
    "unauthorized_client": codes.MCP_OAUTH_CLIENT_REJECTED,
    "invalid_request": codes.MCP_OAUTH_CLIENT_REJECTED,
    "invalid_scope": codes.MCP_OAUTH_SCOPE_REFUSED,
    "unsupported_grant_type": codes.MCP_OAUTH_INTERACTIVE_UNSUPPORTED,
    "temporarily_unavailable": codes.MCP_OAUTH_UNAVAILABLE,
    "server_error": codes.MCP_OAUTH_UNAVAILABLE,
}


def read_answer(reply: Reply, found: Found, server_id: str, credentials: Credentials) -> Grant:
    """The token in an answer.

    Args:
        reply: of the token endpoint.
        found: whom and how it was asked.
        server_id: for messages.
        credentials: what was sent, to keep it out of messages.

    Raises:
        EyesError: MCP_OAUTH_CLIENT_REJECTED, MCP_OAUTH_SCOPE_REFUSED, MCP_OAUTH_INTERACTIVE_UNSUPPORTED,
            MCP_OAUTH_TOKEN_INVALID, MCP_OAUTH_UNAVAILABLE, MCP_OAUTH_FAILED.
    """
    document = json_object(reply.body)
    if reply.problem is None and reply.status in (200, 201):
        try:
            if document is None:
                raise UnusableError("is no JSON object")
            return read_grant(document)
        except UnusableError as unusable:
            sentence = f"The answer of the token endpoint for {server_id} {unusable}."
            raise _error(codes.MCP_OAUTH_TOKEN_INVALID, sentence, reply, found, server_id, str(unusable)) from None
    word, says = refusal(document, credentials)
    says = says or reply.problem or "no reason given"
    code = _code(reply, word)
    sentence = f"The token endpoint for {server_id} gave no token: {says}."
    if code is codes.MCP_OAUTH_INTERACTIVE_UNSUPPORTED:
        sentence += f" It does not offer {GRANT}, and signing in through a browser is not supported."
    raise _error(code, sentence, reply, found, server_id, says)


def _code(reply: Reply, word: str | None) -> Code:
    if word is not None and word in _BY_ERROR:
        return _BY_ERROR[word]
    if passing(reply.status):
        return codes.MCP_OAUTH_UNAVAILABLE
    return codes.MCP_OAUTH_CLIENT_REJECTED if reply.status == 401 else codes.MCP_OAUTH_FAILED


def _error(code: Code, sentence: str, reply: Reply, found: Found, server_id: str, problem: str) -> EyesError:
    trial = Trial("token", shown(found.token_endpoint), reply.status, problem)
    asked = f" Asked with {found.method} for {shown(found.resource)}: {trial.url} -> {reply.status or 'no answer'}."
    details: Details = {
        "attempts": [*(each.row() for each in found.trials), {**trial.row(), "problem": surface(problem)}],
        "dispatched": "no",
    }
    if reply.retry_after_s is not None:
        details["retryAfterSeconds"] = reply.retry_after_s
    return EyesError(
        code,
        surface(sentence + asked, MESSAGE_CHARS),
        details=details,
        server=server_id,
        other=other_method(found.method),
    )
