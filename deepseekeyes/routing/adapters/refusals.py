"""What an endpoint's error answer means. Pure: status, headers and text in, one typed error out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from deepseekeyes.core.errors import Code, Details, EyesError
from deepseekeyes.core.redact import surface
from deepseekeyes.routing import codes
from deepseekeyes.routing.catalog import Route

LONGEST_RETRY_AFTER_S: Final = 7 * 86_400

_QUOTA = re.compile(
    r"insufficient[_ ](?:quota|balance|credit|funds)|billing|credit balance|exceeded your current quota|payment"
    r"|quota[_ ]?exceeded|out of credits|arrears",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length|context (?:window|size|length)"
    r"|prompt is too long|too many (?:input )?tokens|input is too long|model_context_window",
    re.IGNORECASE,
)
_BUDGET_NAME = re.compile(
    r"max_?(?:completion_?|new_?|output_?)?tokens|num_predict|maximum (?:output|completion) tokens", re.IGNORECASE
)
_BUDGET_REFUSED = re.compile(
    r"too (?:large|high|big|many)|exceed|must be|at most|less than|invalid|unsupported|not supported|not allowed"
    r"|out of range|range|greater than|larger than|maximum",
    re.IGNORECASE,
)
_NO_EYES = re.compile(
    r"image input is not supported|mmproj|(?:does not|doesn't|not) support(?:ed)? (?:image|vision|multimodal)"
    r"|(?:image|image_url|images|vision|multimodal)[^.]{0,60}(?:is|are) not supported"
    r"|no endpoints found that support image|missing data required for image input|unknown variant `?image_url",
    re.IGNORECASE,
)
_BAD_IMAGE = re.compile(
    r"(?:decode|process|load|parse|read|download)[^.]{0,40}image|(?:invalid|unsupported|corrupt|bad|malformed)[^.]{0,40}image"
    r"|image[^.]{0,60}(?:too large|too small|exceeds|invalid|unsupported|could not|dimension|format)",
    re.IGNORECASE,
)
_MODEL = re.compile(r"\bmodel\b", re.IGNORECASE)
_LOADING = re.compile(r"loading|starting|warming", re.IGNORECASE)
_OVERLOADED = re.compile(r"overloaded|rate[_ ]limit|too many requests", re.IGNORECASE)

_BY_STATUS: Final[Mapping[int, Code]] = {
    401: codes.ENGINE_AUTH,
    402: codes.ENGINE_QUOTA,
    403: codes.ENGINE_FORBIDDEN,
    408: codes.ENGINE_TIMEOUT,
    413: codes.ENGINE_CONTEXT_OVERFLOW,
    425: codes.ENGINE_SERVER_ERROR,
    529: codes.ENGINE_RATE_LIMITED,
}

_BY_TYPE: Final[Mapping[str, int]] = {
    "authentication_error": 401,
    "invalid_api_key": 401,
    "billing_error": 402,
    "insufficient_quota": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "model_not_found": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "overloaded_error": 529,
    "timeout_error": 504,
    "api_error": 500,
    "server_error": 500,
    "internal_server_error": 500,
    "invalid_request_error": 400,
    "exceed_context_size_error": 400,
    "context_length_exceeded": 400,
}


def refusal(route: Route, status: int, headers: Mapping[str, str], body: str) -> EyesError:
    """The error that a status other than success means. The work was stated as refused, so nothing is unknown."""
    text, kind = said(body)
    code = _code(status, f"{kind} {text}")
    wait = retry_after(headers, datetime.now(UTC)) if code in _WAITING else None
    details: Details = {"dispatched": "yes"}
    if wait is not None:
        details["retryAfterSeconds"] = wait
    quoted = surface(text, 300)
    return EyesError(code, f"Route {route.id} answered {status}" + (f": {quoted}" if quoted else "."), details=details)


def refusal_in_stream(route: Route, error: object) -> EyesError:
    """The error that an error object inside a successful answer means."""
    body = json.dumps({"error": error})
    text, kind = said(body)
    status = _BY_TYPE.get(kind.split(" ")[0]) or _BY_TYPE.get(kind.split(" ")[-1]) or _stated_status(error)
    code = codes.ENGINE_FAILED if status is None else _code(status, f"{kind} {text}")
    if status is None and _OVERLOADED.search(f"{kind} {text}"):
        code = codes.ENGINE_RATE_LIMITED
    return EyesError(code, f"Route {route.id} failed: {surface(text, 300)}", details={"dispatched": "yes"})


def said(body: str) -> tuple[str, str]:
    """The message of an error body, and its type and code words; the body itself when it has no known form."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return (body if not body.lstrip().startswith("<") else "an HTML page"), ""
    if isinstance(found, list) and found:
        found = found[0]
    error = found.get("error", found) if isinstance(found, dict) else found
    if not isinstance(error, dict):
        return str(error) if not isinstance(error, list) else body, ""
    text = next((str(error[key]) for key in ("message", "msg", "detail", "error") if error.get(key)), body)
    words = [str(error[key]) for key in ("type", "code") if isinstance(error.get(key), str)]
    return text, " ".join(words)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds an endpoint asks to wait: `retry-after-ms`, `retry-after` in seconds, or as an HTTP date."""
    exact = _number(headers.get("retry-after-ms"))
    if exact is not None:
        return _bounded(exact / 1000)
    given = headers.get("retry-after")
    seconds = _number(given)
    if seconds is not None:
        return _bounded(seconds)
    if given is None:
        return None
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(given)
    except (ValueError, TypeError, IndexError):
        return None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return _bounded((moment - now).total_seconds())


_WAITING: Final = frozenset(
    {codes.ENGINE_RATE_LIMITED, codes.ENGINE_SERVER_ERROR, codes.ENGINE_LOADING, codes.ENGINE_QUOTA}
)


def _code(status: int, text: str) -> Code:
    if status == 429:
        return codes.ENGINE_QUOTA if _QUOTA.search(text) else codes.ENGINE_RATE_LIMITED
    if status == 403 and _QUOTA.search(text):
        return codes.ENGINE_QUOTA
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status in (404, 405, 410):
        return codes.ENGINE_MODEL_NOT_FOUND if _MODEL.search(text) else codes.ENGINE_ENDPOINT_NOT_FOUND
    if 300 <= status < 400:
        return codes.ENGINE_ENDPOINT_NOT_FOUND
    if status >= 500:
        return _server_code(status, text)
    return _request_code(text) if status >= 400 else codes.ENGINE_MALFORMED


def _server_code(status: int, text: str) -> Code:
    if _NO_EYES.search(text):
        return codes.ENGINE_IMAGE_UNSUPPORTED
    if status == 503 and _LOADING.search(text):
        return codes.ENGINE_LOADING
    return codes.ENGINE_SERVER_ERROR


def _request_code(text: str) -> Code:
    if _NO_EYES.search(text):
        return codes.ENGINE_IMAGE_UNSUPPORTED
    if _QUOTA.search(text):
        return codes.ENGINE_QUOTA
    if _CONTEXT.search(text):
        return codes.ENGINE_CONTEXT_OVERFLOW
    if _BUDGET_NAME.search(text) and _BUDGET_REFUSED.search(text):
        return codes.ENGINE_BUDGET_REJECTED
    if _BAD_IMAGE.search(text):
        return codes.ENGINE_IMAGE_REJECTED
    if re.search(r"model[^.]{0,40}(?:not exist|not found|unknown)|(?:unknown|invalid) model", text, re.IGNORECASE):
        return codes.ENGINE_MODEL_NOT_FOUND
    return codes.ENGINE_BAD_REQUEST


def _stated_status(error: object) -> int | None:
    code: Any = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code <= 599 else None


def _number(text: str | None) -> float | None:
    if text is None or not re.fullmatch(r"\s*\d{1,12}(?:\.\d{1,6})?\s*", text):
        return None
    return float(text)


def _bounded(seconds: float) -> float | None:
    return min(seconds, LONGEST_RETRY_AFTER_S) if seconds > 0 else None
