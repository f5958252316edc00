"""One foreign server definition in our words: references instead of values, an empty allow list, nothing guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from deepseekeyes.contracts.mcp_edit import McpVariable, Origin
from deepseekeyes.core.errors import EyesError
from deepseekeyes.mcp.codes import MCP_IMPORT_UNSUPPORTED
from deepseekeyes.mcp.definitions import SERVER_ID
from deepseekeyes.mcp.editing import invalid

STDIO = frozenset({"stdio", "local"})
HTTP = frozenset({"http", "streamable-http", "streamablehttp", "streamable_http", "remote"})
TAKEN = frozenset(
    "type transport command args env environment cwd url serverUrl httpUrl headers enabled disabled".split()  # noqa: SIM905
)
LISTS = frozenset(
    "alwaysAllow autoApprove autoallow allowedTools includeTools tools trust excludeTools disabledTools".split()  # noqa: SIM905
)

_PLACEHOLDER = re.compile(r"\$\{([^{}]*)\}")
_ENV = re.compile(r"(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-.*)?", re.DOTALL)
_INPUT = re.compile(r"input:(.+)")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HOMES = frozenset({"HOME", "env:HOME", "userHome", "env:USERPROFILE", "USERPROFILE"})


@dataclass(slots=True)
class Claims:
    """Which variable holds which value, so that two servers with one name and two values do not share a variable."""

    values: dict[str, str] = field(default_factory=dict)

    def take(self, wanted: str, other: str, value: str) -> str:
        """The first name that is free or already means this value."""
        for name in (wanted, other, *(f"{other}_{number}" for number in range(2, MAX_CLAIMS))):
            if self.values.setdefault(name, value) == value:
                return name
        raise invalid("Too many servers use the same variable with different values.")


MAX_CLAIMS = 1000


@dataclass(frozen=True, slots=True)
class Converted:
    """A definition as it would be written, and everything a person should know about it."""

    values: dict[str, Any]
    variables: tuple[McpVariable, ...]
    ignored: tuple[str, ...]
    notes: tuple[str, ...]


def own_id(name: str, taken: frozenset[str]) -> str:
    """An id for a foreign name: itself where it may stay, otherwise cleaned; numbered where another one has it."""
    base = name if SERVER_ID.fullmatch(name) else re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:32] or "server"
    number, found = 1, base
    while found.lower() in taken:
        number += 1
        found = f"{base[: 31 - len(str(number))]}-{number}"
    return found


def convert(
    server_id: str, name: str, entry: Mapping[str, Any], claims: Claims, value: Callable[[str], str], user_home: str
) -> Converted:
    """Translate one definition.

    Raises:
        EyesError: MCP_IMPORT_UNSUPPORTED, MCP_CONFIG_INVALID.
    """
    maker = _Maker(server_id, claims, value, user_home)
    values: dict[str, Any] = {} if name == server_id else {"name": name}
    if entry.get("disabled") is True or entry.get("enabled") is False:
        values["enabled"] = False
    values |= maker.stdio(entry) if _is_stdio(entry) else maker.http(entry)
    values["allowed_tools"] = []
    notes = list(maker.notes)
    ignored = tuple(sorted(str(key)[:64] for key in entry if key not in TAKEN))
    if LISTS & set(ignored):
        notes.append("Its own lists of allowed tools are not taken over; nothing is allowed until you allow it here.")
    return Converted(values, tuple(maker.variables), ignored, tuple(notes))


def _is_stdio(entry: Mapping[str, Any]) -> bool:
    kind = entry.get("type", entry.get("transport"))
    if kind is None:
        return "command" in entry
    word = str(kind).strip().lower()
    if word in STDIO:
        return True
    if word in HTTP:
        return False
    raise EyesError(MCP_IMPORT_UNSUPPORTED, f"Its transport {word[:32]!r} is not supported: stdio or streamable HTTP.")


def _word(inner: str) -> str:
    """What a placeholder names, without a default that may be a secret."""
    found = re.match(r"(?:[a-z]+:)?[A-Za-z0-9_.-]{1,40}", inner)
    return found[0].rstrip(":") if found else "?"


class _Maker:
    def __init__(self, server_id: str, claims: Claims, value: Callable[[str], str], user_home: str) -> None:
        self._prefix = re.sub(r"[^A-Za-z0-9]", "_", server_id).upper()
        if self._prefix[0].isdigit():
            self._prefix = f"_{self._prefix}"
        self._claims = claims
        self._value = value
        self._user_home = user_home
        self.variables: list[McpVariable] = []
        self.notes: list[str] = []

    def stdio(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        given = entry.get("command")
        words = [*given] if isinstance(given, list) else [given]
        args = entry.get("args", [])
        if not isinstance(args, list):
            raise invalid("args is not a list.")
        if not words or not all(isinstance(word, str) for word in words):
            raise invalid("command is not text.")
        spoken = [self._spelled(word, f"argument {place}") for place, word in enumerate([*words[1:], *args], 1)]
        values: dict[str, Any] = {
            "transport": "stdio",
            "command": self._spelled(words[0], "command"),
            "args": [word for word in spoken if word.strip()],
        }
        if len(values["args"]) < len(spoken):
            self.notes.append("Empty arguments are left out.")
        if entry.get("cwd"):
            values["cwd"] = self._spelled(entry["cwd"], "cwd")
        env = self._references(entry.get("env", entry.get("environment")), "env")
        return values | ({"env": env} if env else {})

    def http(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        url = entry.get("httpUrl") or entry.get("serverUrl") or entry.get("url")
        if not isinstance(url, str):
            raise invalid("It has neither a command nor a url.")
        values: dict[str, Any] = {"transport": "streamable-http", "url": self._spelled(url, "url")}
        headers = self._references(entry.get("headers"), "headers")
        return values | ({"headers": headers} if headers else {})

    def _spelled(self, given: Any, place: str) -> str:
        """A word with placeholders of the user's folder written out; any other placeholder cannot stay."""
        if isinstance(given, bool) or not isinstance(given, str | int | float):
            raise invalid(f"{place} is not text.")

        def spelled(found: re.Match[str]) -> str:
            if found[1] in _HOMES:
                return self._user_home
            raise invalid(
                f"{place} has the placeholder {_word(found[1])}; write its value out, or pass it through env."
            )

        return _PLACEHOLDER.sub(spelled, str(given))

    def _references(self, given: Any, table: str) -> dict[str, dict[str, str]]:
        if given is None:
            return {}
        if not isinstance(given, Mapping):
            raise invalid(f"{table} is not an object.")
        found = {}
        for name, value in given.items():
            if isinstance(value, bool):
                value = "true" if value else "false"
            if value is None or value == "":
                self.notes.append(f"{table}.{name} is empty and left out.")
                continue
            if not isinstance(value, str | int | float):
                raise invalid(f"{table}.{name} is not text.")
            found[name] = {"env": self._reference(name, str(value), table)}
        return found

    def _reference(self, name: str, text: str, table: str) -> str:
        """The variable that a value comes from, or the one that has to hold it from now on."""
        whole = _PLACEHOLDER.fullmatch(text)
        named = _ENV.fullmatch(whole[1]) if whole else None
        if named is not None:
            if named[2]:
                self.notes.append(f"{table}.{name} had a default for {named[1]}, which is not taken over.")
            self._note(f"{table}.{name}", named[1], "reference", f"export {named[1]}=...")
            return named[1]
        own = f"{self._prefix}_{re.sub(r'[^A-Za-z0-9]', '_', name).upper()}"
        wanted = name if table == "env" and _VARIABLE.fullmatch(name) else own
        variable = self._claims.take(wanted, own, text)
        field_ = f"{table}.{name}"
        asked = _INPUT.fullmatch(whole[1]) if whole else None
        if asked is not None:
            self._note(
                field_, variable, "asked", f"export {variable}=... (the other program asks for {_word(asked[1])})"
            )
        elif _PLACEHOLDER.search(text):
            inner = ", ".join(_word(found[1]) for found in _PLACEHOLDER.finditer(text))
            self._note(field_, variable, "composed", f"export {variable}=... (put together from {inner})", text)
        else:
            self._note(field_, variable, "literal", f"export {variable}=... (the value that the file has)", text)
        return variable

    def _note(self, where: str, variable: str, origin: Origin, hint: str, wanted: str | None = None) -> None:
        present = self._value(variable).strip()
        same = bool(present) and (wanted is None or origin == "composed" or present == wanted.strip())
        if present and not same:
            hint = f"{variable} is set, but not to the value that the file has"
        self.variables.append(
            McpVariable(field=where, name=variable, available=bool(present), origin=origin, hint=None if same else hint)
        )
