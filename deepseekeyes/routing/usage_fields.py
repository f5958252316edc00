"""Token counts as each vendor writes them, read into one meaning. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from deepseekeyes.contracts.usage import TokenUsage

Convention = Literal["inclusive", "exclusive"]
CACHED_EXCEEDS: Final = "usage-cached-exceeds-input"
TOTAL_DIFFERS: Final = "usage-total-differs"
DEEPEST: Final = 4


def merged(earlier: Mapping[str, Any], later: object) -> dict[str, Any]:
    """Usage objects of one stream, field by field: the last value wins, an absent or null one changes nothing."""
    return _merged(earlier, later, DEEPEST)


def _merged(earlier: Mapping[str, Any], later: object, depth: int) -> dict[str, Any]:
    result = dict(earlier)
    if not isinstance(later, Mapping) or depth == 0:
        return result
    for name, value in later.items():
        if isinstance(value, Mapping):
            before = result.get(name)
            result[str(name)] = _merged(before if isinstance(before, Mapping) else {}, value, depth - 1)
        elif value is not None:
            result[str(name)] = value
    return result


def openai(raw: Mapping[str, Any], convention: Convention = "inclusive") -> tuple[TokenUsage, tuple[str, ...]]:
    """Chat-completions usage: `prompt_tokens` includes cached tokens unless the route says otherwise.

    Reads cached tokens from `prompt_tokens_details.cached_tokens`, `prompt_cache_hit_tokens` or `cached_tokens`, and
    reasoning tokens from `completion_tokens_details.reasoning_tokens`. Where `total_tokens` shows that reasoning was
    counted beside the output, it is added to it.

    Returns:
        The usage, and a note for each identity that does not hold.
    """
    prompt_details, output_details = _object(raw, "prompt_tokens_details"), _object(raw, "completion_tokens_details")
    prompt, output = _count(raw, "prompt_tokens"), _count(raw, "completion_tokens")
    read = _first(
        _count(prompt_details, "cached_tokens"), _count(raw, "prompt_cache_hit_tokens"), _count(raw, "cached_tokens")
    )
    written = _first(
        _count(prompt_details, "cache_write_tokens"),
        _count(prompt_details, "cache_creation_tokens"),
        _count(raw, "cache_creation_input_tokens"),
    )
    reasoning = _first(_count(output_details, "reasoning_tokens"), _count(raw, "reasoning_tokens"))
    notes: list[str] = []
    fresh = _uncached(prompt, read, written, convention, notes)
    total = _count(raw, "total_tokens")
    if total is not None and prompt is not None and output is not None and total != prompt + output:
        if reasoning and total == prompt + output + reasoning:
            output += reasoning
        else:
            notes.append(TOTAL_DIFFERS)
    usage = TokenUsage(
        input_tokens=fresh,
        output_tokens=output,
        cache_read_tokens=read,
        cache_write_tokens=written,
        reasoning_tokens=reasoning,
        image_tokens=_count(prompt_details, "image_tokens"),
    )
    return usage, tuple(notes)


def anthropic(raw: Mapping[str, Any], convention: Convention = "exclusive") -> tuple[TokenUsage, tuple[str, ...]]:
    """Messages usage: `input_tokens` leaves out what a cache served or stored."""
    read, written = _count(raw, "cache_read_input_tokens"), _count(raw, "cache_creation_input_tokens")
    notes: list[str] = []
    usage = TokenUsage(
        input_tokens=_uncached(_count(raw, "input_tokens"), read, written, convention, notes),
        output_tokens=_count(raw, "output_tokens"),
        cache_read_tokens=read,
        cache_write_tokens=written,
        reasoning_tokens=_count(_object(raw, "output_tokens_details"), "thinking_tokens"),
    )
    return usage, tuple(notes)


def ollama(raw: Mapping[str, Any]) -> tuple[TokenUsage, tuple[str, ...]]:
    """The final object of /api/chat: `prompt_eval_count` and `eval_count`."""
    return TokenUsage(input_tokens=_count(raw, "prompt_eval_count"), output_tokens=_count(raw, "eval_count")), ()


def _uncached(
    prompt: int | None, read: int | None, written: int | None, convention: Convention, notes: list[str]
) -> int | None:
    if prompt is None or convention == "exclusive":
        return prompt
    cached = (read or 0) + (written or 0)
    if cached <= prompt:
        return prompt - cached
    if (read or 0) <= prompt:
        return prompt - (read or 0)
    notes.append(CACHED_EXCEEDS)
    return prompt


def _object(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = raw.get(name)
    return found if isinstance(found, Mapping) else {}


def _count(raw: Mapping[str, Any], name: str) -> int | None:
    found = raw.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    if found < 0 or found != found or found > 1e15 or int(found) != found:
        return None
    return int(found)


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)
