"""What is wrong with a configuration: found all at once, said with the key, the place and the nearest valid name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from deepseekeyes.config import codes
from deepseekeyes.config.sources import KeyPath, dotted, line_of
from deepseekeyes.core.errors import Code, EyesError

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic.fields import FieldInfo

    from deepseekeyes.config.sources import Layer
    from deepseekeyes.contracts.config import ConfigProblem
    from deepseekeyes.contracts.settings import Section

SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        code: decides the exit code and the hint.
        message: one sentence, without the value of any text.
        origin: the file, the variable or the flag.
        path: the setting, where there is one.
        line: in the file, from 1.
        candidates: names that were probably meant.
        fields: for the placeholders of the hint.
    """

    code: Code
    message: str
    origin: str
    path: KeyPath = ()
    line: int | None = None
    candidates: tuple[str, ...] = ()
    fields: Mapping[str, object] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """The message with its place in front, unless it begins with it."""
        where = self.origin.removeprefix("file ").removeprefix("env ")
        if self.message.startswith(where):
            return self.message
        return f"{where}: {self.message}" if self.line is None else f"{where} line {self.line}: {self.message}"

    def document(self) -> ConfigProblem:
        from deepseekeyes.contracts.config import ConfigProblem

        return ConfigProblem(
            code=self.code.name,
            message=self.message,
            key=dotted(self.path) if self.path else None,
            origin=self.origin,
            line=self.line,
            candidates=self.candidates,
        )


def from_error(error: EyesError, origin: str) -> Problem:
    """A failure to read a source, as a problem."""
    line = error.fields.get("line")
    return Problem(error.code, error.message, origin, line=line if isinstance(line, int) else None, fields=error.fields)


def raised(problems: Sequence[Problem]) -> EyesError:
    """The exception for a configuration that may not be used: an untrusted file first, else the first problem."""
    first = next((problem for problem in problems if problem.code is codes.CONFIG_UNTRUSTED), problems[0])
    more = len(problems) - 1
    message = first.sentence + (f" ({more} more: deepseekeyes config validate)" if more else "")
    named = list(first.candidates or [problem.sentence for problem in problems[1:SHOWN]])
    error = EyesError(first.code, message, details=None, **first.fields)
    if named:
        error.details["candidates"] = named
    if first.path:
        error.details["path"] = "/" + "/".join(part.replace("~", "~0").replace("/", "~1") for part in first.path)
    return error


def located(code: Code, message: str, layer: Layer, path: KeyPath, **extra: Any) -> Problem:
    """A problem of a value that came from a layer."""
    origin = layer.origins.get(path, layer.origin)
    line = None if layer.text is None else line_of(layer.text, path)
    return Problem(code, message, origin, path, line, **extra)


def of_section(
    name: str,
    model: type[Section],
    values: Mapping[str, Any],
    error: ValidationError,
    layer_of: Callable[[KeyPath], Layer],
) -> list[Problem]:
    """Pydantic's complaints about one section, one problem a setting."""
    found: dict[KeyPath, Problem] = {}
    for item in error.errors(include_url=False, include_context=True):
        inner = _key_path(item["loc"], values, missing=item["type"] == "missing")
        path = (name, *inner)
        if path in found:
            continue
        found[path] = _problem(path, inner, item, model, layer_of(path))
    return list(found.values())


def unknown(path: KeyPath, known: Sequence[str], layer: Layer) -> Problem:
    """A key that does not exist, with the name it has now or the nearest one."""
    from deepseekeyes.config.fields import snake
    from deepseekeyes.config.renamed import OLD_KEYS
    from deepseekeyes.core.names import nearest

    key = path[-1]
    if key in OLD_KEYS:
        new = OLD_KEYS[key]
        return located(
            codes.CONFIG_RENAMED_KEY,
            f"{dotted(path)} is now {new}.",
            layer,
            path,
            candidates=(new,),
            fields={"new": new, "old": key},
        )
    word = snake(key)
    meant = word if word in known else nearest(word, known)
    kind = "section" if len(path) == 1 else "key"
    if meant is None:
        return located(codes.CONFIG_UNKNOWN_KEY, f"{dotted(path)} is no known {kind}.", layer, path)
    right = dotted((*path[:-1], meant))
    message = f"{dotted(path)} is no known {kind}; did you mean {right}?"
    return located(codes.CONFIG_UNKNOWN_KEY, message, layer, path, candidates=(right,))


def _key_path(location: tuple[str | int, ...], values: Any, *, missing: bool) -> KeyPath:
    """The part of pydantic's location that names keys, without list indices and names of union members."""
    path: list[str] = []
    here = values
    for part in location:
        if isinstance(here, Mapping) and part in here:
            here = here[part]
            path.append(str(part))
        elif missing and isinstance(here, Mapping) and isinstance(part, str) and part == location[-1]:
            path.append(part)
            break
        elif not isinstance(here, Mapping):
            break
    return tuple(path)


def _problem(path: KeyPath, inner: KeyPath, item: Any, model: type[Section], layer: Layer) -> Problem:
    from deepseekeyes.core.redact import surface

    kind: str = item["type"]
    holder, info = _field(model, inner)
    if kind == "extra_forbidden":
        return unknown(path, list(holder.model_fields) if holder is not None else [], layer)
    if kind == "missing":
        return located(codes.CONFIG_VALUE, f"{dotted(path)} is required.", layer, path)
    if kind == "secret_ref":
        message = f'{dotted(path)} takes {{ env = "NAME" }}, never the secret itself.'
        return located(codes.CONFIG_SECRET_LITERAL, message, layer, path)
    if kind in {"value_error", "assertion_error"}:
        reason = surface(item["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")).rstrip(".")
        return located(codes.CONFIG_VALUE, f"{dotted(path)}: {reason}.", layer, path)
    if info is None:
        return located(codes.CONFIG_VALUE, f"{dotted(path)}: {surface(item['msg'])}.", layer, path)
    return _wrong_value(path, info, item, layer)


def _wrong_value(path: KeyPath, info: FieldInfo, item: Any, layer: Layer) -> Problem:
    from deepseekeyes.config.fields import expected

    value = item.get("input")
    detail = _detail(item) if item["type"] in _DETAILED else ""
    message = f"{dotted(path)} must be {expected(info)}{detail}, not {_shown(value, info)}."
    return located(codes.CONFIG_VALUE, message, layer, path)


_DETAILED: Final = frozenset(
    {"string_too_short", "string_too_long", "string_pattern_mismatch", "too_short", "too_long"}
)


def _detail(item: Any) -> str:
    limits = item.get("ctx", {})
    if "pattern" in limits:
        return f" matching {limits['pattern']}"
    if "min_length" in limits:
        return f" of at least {limits['min_length']} characters or entries"
    return f" of at most {limits['max_length']} characters or entries"


def _shown(value: object, info: FieldInfo) -> str:
    """A value in words; a text is shown only where the setting takes one of a few words."""
    from deepseekeyes.config.fields import forms
    from deepseekeyes.core.redact import clip, surface

    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return clip(repr(value), 40)
    if isinstance(value, str):
        return repr(surface(clip(value, 40))) if "choice" in forms(info.annotation) else "this text"
    if isinstance(value, list):
        return "a list"
    return "a table" if isinstance(value, Mapping) else "nothing"


def _field(model: type[Section], inner: KeyPath) -> tuple[type[Section] | None, FieldInfo | None]:
    """The section that holds the last key of a path, and that key's field."""
    from deepseekeyes.config.fields import entry_model, nested

    holder: type[Section] | None = model
    info: FieldInfo | None = None
    skip = False
    for index, part in enumerate(inner):
        if skip:
            skip = False
            continue
        info = None if holder is None else holder.model_fields.get(part)
        if info is None:
            return holder, None
        if index == len(inner) - 1:
            break
        holder = nested(info.annotation)
        if holder is None:
            holder, skip = entry_model(info.annotation), True
            info = None
    return holder, info
