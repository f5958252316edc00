"""The checks of a tool listing, over raw items as the server sent them. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from deepseekeyes.core.canonical import canonical
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.lint_report import Named, listed, verdict, word
from deepseekeyes.mcp.lint_schemas import grammar_trouble, property_troubles, reference_troubles, root_troubles
from deepseekeyes.mcp.lint_text import LONGEST, injection
from deepseekeyes.mcp.naming import MAX_NAME
from deepseekeyes.mcp.risk import HINTS, classify
from deepseekeyes.mcp.settings import McpSettings
from deepseekeyes.mcp.surface import utf16_length

NAME: Final = re.compile(r"^[A-Za-z0-9_-]+$")
ROOM: Final = MAX_NAME - len("mcp____") - 8
ACTING: Final = re.compile(
    r"(?:^|[_-])(?:create|delete|remove|write|update|edit|set|add|insert|drop|send|post|push|commit|move|rename|reset|kill"
    r"|exec|execute|run|click|type|upload|install)(?:[_-]|$)"
)

Tool = dict[str, Any]


def tool_findings(items: Sequence[Any], settings: McpSettings) -> Iterator[Named]:
    """Every check of the listing itself."""
    tools = [item for item in items if isinstance(item, dict)]
    nothing = None if items else "The server lists no tools."
    yield "tools.shapes", _shapes(items, nothing)
    yield "tools.names", _names(tools, nothing)
    yield "tools.descriptions", _descriptions(tools, nothing)
    yield "tools.injection", _injection(tools, nothing)
    yield "tools.annotations", _annotations(tools, nothing)
    yield "tools.schemas", _each(tools, nothing, _roots, "Every input schema is an object at its root.", SCHEMA_FIX)
    yield "tools.references", _each(tools, nothing, _references, "Every reference stays inside and resolves.", REFS_FIX)
    yield "tools.grammar", _each(tools, nothing, _grammar, "Every schema is a JSON Schema.", GRAMMAR_FIX)
    yield "tools.arguments", _arguments(tools, nothing)
    yield "tools.size", _size(tools, nothing, settings)


SCHEMA_FIX: Final = 'Give every tool an input schema with `"type": "object"` at its root and no union there.'
REFS_FIX: Final = "Write definitions under `$defs` of the same schema, or write them out."
GRAMMAR_FIX: Final = "Validate the schemas against JSON Schema 2020-12."


def _called(tool: Tool) -> str:
    return word(tool.get("name"))


def _each(
    tools: Sequence[Tool],
    nothing: str | None,
    troubles: Callable[[Tool], tuple[list[str], list[str]]],
    fine: str,
    fix: str,
) -> Any:
    bad, odd = [], []
    for tool in tools:
        wrong, strange = troubles(tool)
        bad += [f"{_called(tool)} {each}" for each in wrong]
        odd += [f"{_called(tool)} {each}" for each in strange]
    return verdict(bad=bad, odd=odd, fine=fine, fix=fix, nothing=nothing)


def _shapes(items: Sequence[Any], nothing: str | None) -> Any:
    bad = []
    for position, item in enumerate(items):
        if not isinstance(item, dict):
            bad.append(f"item {position} is no object")
        elif not isinstance(item.get("name"), str) or not item["name"]:
            bad.append(f"item {position} has no name")
        elif "title" in item and not isinstance(item["title"], str):
            bad.append(f"{_called(item)} has a title that is not text")
    return verdict(bad=bad, fine=f"{len(items)} tools.", fix="List only objects with a name.", nothing=nothing)


def _names(tools: Sequence[Tool], nothing: str | None) -> Any:
    names = [tool["name"] for tool in tools if isinstance(tool.get("name"), str)]
    twice = [name for name, count in Counter(names).items() if count > 1]
    bad = [f"two tools are called {word(name)}" for name in twice]
    bad += [f"{word(name)} is longer than {ROOM} characters" for name in names if len(name) > ROOM]
    unsafe = [name for name in dict.fromkeys(names) if NAME.fullmatch(name) is None]
    bad += [f"{word(name)} has characters that providers refuse" for name in unsafe]
    folded = Counter(re.sub(r"[^a-z0-9]", "_", name.lower()) for name in dict.fromkeys(names))
    alike = [name for name in names if folded[re.sub(r"[^a-z0-9]", "_", name.lower())] > 1]
    odd = [f"these names differ only in case or punctuation: {listed(sorted(set(alike)))}"] if alike else []
    return verdict(
        bad=bad,
        odd=odd,
        fine="Every name is short, unique and made of letters, digits, - and _.",
        fix=f"Name tools with letters, digits, - and _ only, at most {ROOM} characters.",
        nothing=nothing,
    )


def _descriptions(tools: Sequence[Tool], nothing: str | None) -> Any:
    bad = [f"{_called(tool)} has a description that is not text" for tool in tools if not _is_text(tool)]
    odd = [f"{_called(tool)} has no description" for tool in tools if not tool.get("description")]
    odd += [
        f"{_called(tool)} has a description of {len(tool['description']):,} characters"
        for tool in tools
        if isinstance(tool.get("description"), str) and len(tool["description"]) > LONGEST
    ]
    return verdict(
        bad=bad,
        odd=odd,
        fine="Every tool is described, at reasonable length.",
        fix=f"Describe every tool in at most {LONGEST:,} characters.",
        nothing=nothing,
    )


def _is_text(tool: Tool) -> bool:
    return tool.get("description") is None or isinstance(tool["description"], str)


def _injection(tools: Sequence[Tool], nothing: str | None) -> Any:
    def troubles(tool: Tool) -> tuple[list[str], list[str]]:
        bad, odd = [], []
        for text in _texts(tool):
            wrong, strange = injection(text)
            bad += wrong
            odd += strange
        return list(dict.fromkeys(bad)), list(dict.fromkeys(odd))

    fine = "No description talks to the model, and none hides characters."
    return _each(tools, nothing, troubles, fine, "Describe what the tool does; leave out orders and hidden characters.")


def _texts(tool: Tool) -> Iterator[str]:
    """Every text of a definition that a model may read."""
    stack: list[Any] = [tool.get("description"), tool.get("title"), tool.get("inputSchema")]
    stack.append(tool.get("annotations"))
    left = 20_000
    while stack and left:
        left -= 1
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)


def _annotations(tools: Sequence[Tool], nothing: str | None) -> Any:
    bad, odd = [], []
    for tool in tools:
        hints = tool.get("annotations")
        if hints is None:
            odd.append(f"{_called(tool)} has no annotations, so it counts as one that may write")
            continue
        if not isinstance(hints, dict):
            bad.append(f"{_called(tool)} has annotations that are no object")
            continue
        bad += [f"{_called(tool)} has {key} = {str(hints[key])[:20]!r}, no boolean" for key in _unreal(hints)]
        risk = classify(hints).risk
        if hints.get("readOnlyHint") is True and hints.get("destructiveHint") is True:
            bad.append(f"{_called(tool)} is declared both to only read and to destroy")
        elif risk == "read" and ACTING.search(str(tool.get("name")).lower()):
            odd.append(f"{_called(tool)} is declared to only read, and its name says otherwise")
        elif risk == "unknown-write":
            odd.append(f"{_called(tool)} does not say whether it only reads")
    return verdict(
        bad=bad,
        odd=odd,
        fine="Every tool says whether it only reads, and none contradicts itself.",
        fix="Set readOnlyHint, and destructiveHint where it writes, to true or false.",
        nothing=nothing,
    )


def _unreal(hints: dict[str, Any]) -> list[str]:
    return [key for key in HINTS if key in hints and not isinstance(hints[key], bool)]


def _roots(tool: Tool) -> tuple[list[str], list[str]]:
    bad, odd = root_troubles(tool.get("inputSchema"), present="inputSchema" in tool)
    output = tool.get("outputSchema")
    if output is not None and (not isinstance(output, dict) or output.get("type") != "object"):
        bad.append("has an output schema without the type object at its root")
    return bad, odd


def _references(tool: Tool) -> tuple[list[str], list[str]]:
    bad, odd = reference_troubles(tool.get("inputSchema"))
    wrong, strange = reference_troubles(tool.get("outputSchema"))
    return bad + [f"(output) {each}" for each in wrong], odd + [f"(output) {each}" for each in strange]


def _grammar(tool: Tool) -> tuple[list[str], list[str]]:
    found = {"": grammar_trouble(tool.get("inputSchema")), "(output) ": grammar_trouble(tool.get("outputSchema"))}
    return [f"{where}{trouble}" for where, trouble in found.items() if trouble], []


def _arguments(tools: Sequence[Tool], nothing: str | None) -> Any:
    bad, total, silent = [], 0, 0
    for tool in tools:
        wrong, count, undescribed = property_troubles(tool.get("inputSchema"))
        bad += [f"{_called(tool)} {each}" for each in wrong]
        total += count
        silent += undescribed
    odd = [f"{silent} of {total} arguments have no description"] if silent * 2 > total else []
    return verdict(
        bad=bad,
        odd=odd,
        fine=f"{total} arguments, {total - silent} of them described.",
        fix="Name arguments with letters, digits, dot, - and _, at most 64, and describe them.",
        nothing=nothing,
    )


def _size(tools: Sequence[Tool], nothing: str | None, settings: McpSettings) -> Any:
    tokens = -(-sum(_length(tool) for tool in tools) // 4)
    most_tokens, most_tools = settings.max_schema_tokens, settings.max_tools
    odd = []
    if most_tokens and tokens > most_tokens:
        odd.append(f"the definitions take about {tokens:,} tokens of a model's context, more than {most_tokens:,}")
    if most_tools and len(tools) > most_tools:
        odd.append(f"{len(tools)} tools are listed, and a client that shows {most_tools} has to withhold some")
    return verdict(
        odd=odd,
        fine=f"The definitions take about {tokens:,} tokens of a model's context.",
        fix="List fewer tools, or shorter definitions; let people choose groups of tools.",
        nothing=nothing,
    )


def _length(tool: Tool) -> int:
    try:
        return utf16_length(canonical(tool))
    except (EyesError, RecursionError):
        return 0
