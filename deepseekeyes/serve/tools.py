"""Our operations as tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, get_type_hints

from deepseekeyes.contracts.document import Document
from deepseekeyes.core.errors import EyesError
from deepseekeyes.dispatch import request_type
from deepseekeyes.operations import OPERATIONS, Operation
from deepseekeyes.serve.codes import SERVE_ARGUMENT_UNKNOWN, SERVE_GROUP_UNKNOWN
from deepseekeyes.serve.tool_names import served_name
from deepseekeyes.serve.tool_schema import PICTURES, input_schema, output_schema
from deepseekeyes.serve.tool_table import GROUPS_OF_AUTOMATION, LEFT_OUT, SERVED, Served

SAYS_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"schema": {"type": "string"}},
}


@dataclass(frozen=True, slots=True)
class Hints:
    """What a host may assume about a call. They are hints: policy lies in the operations."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool


@dataclass(frozen=True)
class ServedTool:
    """One operation as a tool."""

    operation: str
    row: Served

    @property
    def name(self) -> str:
        return served_name(self.operation)

    @property
    def group(self) -> str:
        return self.operation.partition(".")[0]

    @property
    def entry(self) -> Operation:
        return OPERATIONS[self.operation]

    @cached_property
    def hints(self) -> Hints:
        """The truth about the effect: what reads only is read-only, what acts may destroy and is never idempotent."""
        effect = self.entry.effect
        quiet = self.row.read_only is True or effect in ("pure", "reads")
        outward = effect in ("spends", "acts") or self.group in GROUPS_OF_AUTOMATION
        return Hints(
            read_only=quiet,
            destructive=effect == "acts",
            idempotent=quiet,
            open_world=outward if self.row.open_world is None else self.row.open_world,
        )

    @cached_property
    def description(self) -> str:
        """What it is for, in one paragraph."""
        if self.row.says:
            return self.row.says
        return " ".join((self._function.__doc__ or "").strip().partition("\n\n")[0].split())

    @cached_property
    def pictures(self) -> bool:
        """Whether results can name pictures."""
        if self.row.pictures is not None:
            return self.row.pictures
        returns = self._returns
        return returns is None or returns.images is not Document.images

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        return input_schema(request_type(self._function), self.row, pictures=self.pictures)

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        name = self.row.returns or self._published
        return output_schema(name) if name is not None else dict(SAYS_SCHEMA)

    def payload(self, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], bytes | None, bool]:
        """A call's arguments as the operation's payload, what stands for its standard input, and whether pictures are
        wanted.

        Raises:
            EyesError: SERVE_ARGUMENT_UNKNOWN for an argument that the tool does not have.
        """
        request = request_type(self._function)
        row = self.row
        names = {alias for name, field in request.model_fields.items() for alias in (name, field.alias)}
        known = {name for name in names if name} - {row.text, row.one and row.one[0]}
        hidden = {alias for name in row.hidden for alias in (name, request.model_fields[name].alias)}
        payload: dict[str, Any] = {}
        stdin: bytes | None = None
        for name, value in arguments.items():
            if row.one is not None and name == row.one[1]:
                payload[row.one[0]] = [value]
            elif row.text is not None and name == "text":
                stdin = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else None
                payload[row.text] = "-" if isinstance(value, str) else value
            elif name in known and name not in hidden:
                payload[name] = value
            elif name != PICTURES or not self.pictures:
                raise self._unknown(name)
        if row.text is not None and row.text not in payload:
            payload[row.text] = None
        return payload, stdin, arguments.get(PICTURES) is True

    def _unknown(self, name: str) -> EyesError:
        from deepseekeyes.core.names import nearest

        known = list(self.input_schema["properties"])
        near = nearest(name, known)
        return EyesError(
            SERVE_ARGUMENT_UNKNOWN,
            f"{self.name} has no argument {name[:64]!r}" + (f"; did you mean {near}?" if near else "."),
            details={"path": f"/{name[:64]}", "candidates": known},
        )

    @cached_property
    def _function(self) -> Any:
        module, _, attribute = self.entry.target.partition(":")
        return getattr(import_module(module), attribute)

    @cached_property
    def _returns(self) -> type[Document] | None:
        """The result's model where the operation has one only; None for a choice among several."""
        declared = self._function.__annotations__["return"]
        if isinstance(declared, str):
            declared = getattr(import_module(self._function.__module__), declared, None) or _hint(self._function)
        return declared if isinstance(declared, type) and declared is not Document else None

    @cached_property
    def _published(self) -> str | None:
        field = self._returns.model_fields.get("schema_") if self._returns is not None else None
        return None if field is None else str(field.default).removeprefix("deepseekeyes.")


def _hint(function: Any) -> Any:
    try:
        return get_type_hints(function).get("return")
    except NameError:
        return None


def groups() -> tuple[str, ...]:
    """The groups that have tools."""
    return tuple(dict.fromkeys(name.partition(".")[0] for name in SERVED if name in OPERATIONS))


def served_tools(wanted: Iterable[str]) -> tuple[ServedTool, ...]:
    """The tools of the given groups, in the order of the operation table.

    Raises:
        EyesError: SERVE_GROUP_UNKNOWN.
    """
    chosen = tuple(wanted)
    known = groups()
    for group in chosen:
        if group not in known:
            raise EyesError(
                SERVE_GROUP_UNKNOWN,
                f"There are no tools of a group {group[:64]!r}.",
                details={"candidates": list(known)},
                groups=", ".join(known),
            )
    return tuple(
        ServedTool(name, SERVED[name]) for name in OPERATIONS if name in SERVED and name.partition(".")[0] in chosen
    )


def left_out() -> dict[str, str]:
    """Operations that are no tools, and why."""
    from deepseekeyes.serve.tool_table import GROUPS_ONLY_FOR_OPERATORS

    return {
        name: LEFT_OUT.get(name) or GROUPS_ONLY_FOR_OPERATORS.get(name.partition(".")[0], "")
        for name in OPERATIONS
        if name not in SERVED
    }
