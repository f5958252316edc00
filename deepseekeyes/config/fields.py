"""What a section is made of: its settings one by one, and what each accepts in words."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Union, get_args, get_origin

from deepseekeyes.config.sources import PREFIX, KeyPath

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from deepseekeyes.contracts.settings import Section

Form = Literal["bool", "int", "float", "text", "path", "choice", "list", "table", "secret"]


class Leaf(NamedTuple):
    """One setting: its path below the whole configuration, and the field that declares it."""

    path: KeyPath
    info: FieldInfo

    @property
    def variable(self) -> str | None:
        """The environment variable that sets it; None for tables and secrets, which never come from there."""
        if forms(self.info.annotation) & {"table", "secret"}:
            return None
        return PREFIX + "_".join(self.path).upper()

    @property
    def default(self) -> Any:
        return self.info.get_default(call_default_factory=True)


def leaves(model: type[Section], prefix: KeyPath) -> Iterator[Leaf]:
    """Every setting of a section in declared order; nested sections are walked into."""
    for name, info in model.model_fields.items():
        inner = nested(info.annotation)
        if inner is None:
            yield Leaf((*prefix, name), info)
        else:
            yield from leaves(inner, (*prefix, name))


def nested(annotation: Any) -> type[Section] | None:
    """The section behind an annotation, `None` allowed beside it; None where it is a plain value."""
    from pydantic import BaseModel

    options = [option for option in _options(annotation) if option is not type(None)]
    if len(options) == 1 and isinstance(options[0], type) and issubclass(options[0], BaseModel):
        return options[0]  # type: ignore[return-value]
    return None


def forms(annotation: Any) -> set[Form]:
    """The kinds of value an annotation accepts; `None` does not count."""
    return {_form(option) for option in _options(annotation) if option is not type(None)}


def choices(annotation: Any) -> tuple[str, ...]:
    """The words of every `Literal` in an annotation."""
    return tuple(
        word
        for option in _options(annotation)
        if get_origin(option) is Literal
        for word in get_args(option)
        if isinstance(word, str)
    )


def expected(info: FieldInfo) -> str:
    """What a setting accepts, in words: `a whole number from 0 to 8`."""
    found = forms(info.annotation)
    parts: list[str] = []
    if "choice" in found:
        parts.append("one of " + ", ".join(choices(info.annotation)))
    for form, words in _WORDS.items():
        if form in found:
            parts.append(words + (_bounds(info) if form in {"int", "float"} else ""))
    if "bool" in found:
        parts.append("false" if parts and _only_false(info.annotation) else "true or false")
    return " or ".join(parts) or "another value"


_WORDS: Final[Mapping[Form, str]] = {
    "int": "a whole number",
    "float": "a number",
    "path": "a path",
    "text": "a text",
    "list": "a list",
    "secret": '{ env = "NAME" }',
    "table": "a table",
}


def _bounds(info: FieldInfo) -> str:
    limits: dict[str, Any] = {}
    for rule in info.metadata:
        for name in ("ge", "gt", "le", "lt"):
            if getattr(rule, name, None) is not None:
                limits[name] = getattr(rule, name)
    low = f"{limits['ge']}" if "ge" in limits else f"above {limits['gt']}" if "gt" in limits else ""
    high = f"{limits['le']}" if "le" in limits else f"below {limits['lt']}" if "lt" in limits else ""
    if low and high:
        return f" from {low} to {high}"
    if low:
        return f" of at least {low}" if "ge" in limits else f" {low}"
    return f" of at most {high}" if high else ""


def _options(annotation: Any) -> tuple[Any, ...]:
    origin = get_origin(annotation)
    if origin is typing.Annotated:
        return _options(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return tuple(option for part in get_args(annotation) for option in _options(part))
    return (annotation,)


def _form(option: Any) -> Form:
    origin = get_origin(option)
    if origin is Literal:
        return "choice" if any(isinstance(word, str) for word in get_args(option)) else "bool"
    if origin in (tuple, list, frozenset, set):
        return "list"
    if not isinstance(option, type) or origin is not None:
        return "table"
    return _plain(option)


def _plain(option: type) -> Form:
    from deepseekeyes.core.secrets import SecretRef

    known: tuple[tuple[type, Form], ...] = (
        (bool, "bool"),
        (int, "int"),
        (float, "float"),
        (str, "text"),
        (Path, "path"),
        (SecretRef, "secret"),
    )
    return next((form for kind, form in known if issubclass(option, kind)), "table")


def _only_false(annotation: Any) -> bool:
    return bool not in _options(annotation)


def snake(word: str) -> str:
    """A key of another style (`visionProvider`, `vision-provider`) as ours are written."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).replace("-", "_").lower()


def entry_model(annotation: Any) -> type[Section] | None:
    """The section that every entry of a table of named entries is, such as an MCP server; None where there is none."""
    for option in _options(annotation):
        if get_origin(option) is dict:
            forms_of_entry = _options(get_args(option)[1])
            return next((found for found in map(nested, forms_of_entry) if found is not None), None)
    return None
