"""What to do next, for whoever called over MCP: a tool and its arguments, or what the operator of the server can do."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from deepseekeyes.contracts.error import ErrorBody
from deepseekeyes.serve.tool_names import served_name
from deepseekeyes.serve.tool_table import GROUPS_OF_AUTOMATION, SERVED

OPERATOR: Final = "For the operator of this server: "

_ENABLE: Final = "{operator}start `mcp serve` with --enable, or set `{group}.enabled = true`."
# Where the words for a command line would mislead: what a caller or the operator can do instead.
_INSTEAD: Final[Mapping[str, str]] = {
    **{
        f"{group.upper()}_DISABLED": _ENABLE.format(operator=OPERATOR, group=group)
        for group in (*sorted(GROUPS_OF_AUTOMATION), "mcp")
    },
    "URL_NOT_ALLOWED": "Give the picture itself as a data: URL, or as a file this server may read.",
    "INVALID_MODEL_OUTPUT": "Ask again, or give another `route`; vision_routes lists them.",
    "STDIN_ABSENT": "Give the picture as a file, sha256:HEX of a stored picture, or a data: URL.",
    "INPUT_MISSING": "Check the path; it is one of the machine that this server runs on.",
    "INPUT_NOT_REGULAR": "Give the picture as a data: URL.",
    "TEXT_MISSING": "Give `value`, or `secretName` for a secret.",
    "TEXT_REFUSED": "Give a secret by `secretName`.",
    "BROWSER_DIALOG_OPEN": "Accept or dismiss it: browser_dialog",
    "DESKTOP_ARGUMENT_INVALID": "The tool's input schema says what it takes.",
    "ROUTE_NOT_FOUND": "vision_routes lists the eyes, and with `reasoners` the models that answer.",
    "QUESTION_IS_FILE": "Give the picture in `images` and the question in `question`.",
}

_COMMAND: Final = re.compile(r"deepseekeyes ([a-z]+) ([a-z-]+)(?: ([a-z-]+))?")
_SHELL: Final = re.compile(r"\b(?:[Pp]ip install|ls -l|chmod) ")
_DOCTOR: Final = re.compile(r"deepseekeyes doctor\b(?! run)")
_FOR_TYPING: Final = " (deepseekeyes config path names the file)"
_FLAG: Final = re.compile(r"--([a-z]+(?:-[a-z]+)*)")


def told(body: ErrorBody, arguments: Collection[str] = ()) -> ErrorBody:
    """A failure with its hint in words that mean something over MCP.

    Args:
        body: the failure as a command would show it.
        arguments: of the tool that was called.
    """
    hint = _INSTEAD.get(body.code) or for_caller(body.hint, arguments)
    return body if hint == body.hint else body.model_copy(update={"hint": hint})


def for_caller(hint: str, arguments: Collection[str] = ()) -> str:
    """A hint as a call of served tools; one that names what is no tool or no argument is said to be the operator's.

    Args:
        hint: with command lines as they are typed.
        arguments: of the tool that was called, for options that stand without a command.
    """
    hint = hint.replace(_FOR_TYPING, "")
    if _SHELL.search(hint) is not None:
        return hint if hint.startswith(OPERATOR) else OPERATOR + hint
    if _COMMAND.search(hint) is None and _FLAG.search(hint) is None and "deepseekeyes " not in hint:
        return hint
    parts = [_part(part, arguments) for part in _split(_DOCTOR.sub("deepseekeyes doctor run", hint))]
    if None in parts:
        return hint if hint.startswith(OPERATOR) else OPERATOR + hint
    return "".join(part for part in parts if part is not None)


def _split(hint: str) -> Iterator[str]:
    """The words before the first command, then each command with what follows it."""
    starts = [0, *(match.start() for match in re.finditer("deepseekeyes ", hint)), len(hint)]
    yield from (hint[start:end] for start, end in pairwise(starts))


def _part(part: str, arguments: Collection[str]) -> str | None:
    """One command as a tool call; None if there is no such tool, or none with such an argument."""
    if part.startswith("deepseekeyes "):
        match = _COMMAND.match(part)
        operation = None if match is None else _operation(match)
        if match is None or operation is None:
            return None
        end = match.end() if operation.count(".") == 2 else match.end(2)
        part = served_name(operation) + part[end:]
        arguments = _arguments(operation)
    for flag in _FLAG.findall(part):
        if _argument(flag, arguments) is None:
            return None
    return _FLAG.sub(lambda flag: _argument(flag[1], arguments) or "", part)


def _operation(match: re.Match[str]) -> str | None:
    names = [".".join(filter(None, match.groups())), f"{match[1]}.{match[2]}"]
    return next((known for name in names for known in (name, name.replace("-", "_")) if known in SERVED), None)


def _arguments(operation: str) -> Collection[str]:
    from deepseekeyes.serve.tools import ServedTool

    properties: Mapping[str, Any] = ServedTool(operation, SERVED[operation]).input_schema["properties"]
    return properties.keys()


def _argument(flag: str, arguments: Collection[str]) -> str | None:
    first, *rest = flag.split("-")
    name = first + "".join(word.capitalize() for word in rest)
    return next((each for each in (name, f"{name}Ms") if each in arguments), None)
