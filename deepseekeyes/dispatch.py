"""Name and payload in, document out: the one way every door runs an operation."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from deepseekeyes.core.errors import Code, EyesError
from deepseekeyes.operations import OPERATIONS, command_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import ValidationError
    from pydantic.fields import FieldInfo

    from deepseekeyes.contracts.document import Document
    from deepseekeyes.contracts.model import Contract
    from deepseekeyes.contracts.stored import StoredRecord
    from deepseekeyes.wiring.app import App

UNKNOWN_OPERATION: Final = Code("UNKNOWN_OPERATION", "usage", "See deepseekeyes --help for what there is.")
INVALID_REQUEST: Final = Code("INVALID_REQUEST", "usage", "See what it takes: deepseekeyes {command} --help")


async def dispatch(name: str, payload: Mapping[str, Any], app: App) -> Document | StoredRecord:
    """Validate the payload, build the deps, run the operation.

    Args:
        name: a key of `OPERATIONS`.
        payload: the request's fields in snake_case or camelCase.
        app: what the process has open.

    Raises:
        EyesError: UNKNOWN_OPERATION, INVALID_REQUEST, or whatever the operation raises.
    """
    operation = OPERATIONS.get(name)
    if operation is None:
        raise EyesError(UNKNOWN_OPERATION, f"There is no operation named {name!r}.")
    function = _load(operation.target)
    request = validated(request_type(function), payload, name)
    deps = _load(operation.deps)(app)
    document: Document | StoredRecord = await function(request, deps)
    return document


def request_type(function: Any) -> type[Contract]:
    """The request model of an operation, from its first parameter's annotation."""
    name = function.__annotations__["request"]
    return name if isinstance(name, type) else getattr(import_module(function.__module__), name)


def validated(model: type[Contract], payload: Mapping[str, Any], operation: str = "COMMAND") -> Contract:
    """The payload of an operation, which the hint names, as a request.

    Raises:
        EyesError: INVALID_REQUEST; the first problem is the sentence, its place the `path` of the details, and the hint
            names the command that explains the field.
    """
    from pydantic import ValidationError

    try:
        return model.model_validate(dict(payload))
    except ValidationError as wrong:
        place, reason = _first(wrong, model)
        raise EyesError(
            INVALID_REQUEST,
            f"{place.replace('/', '.')}: {reason}." if place else f"{reason}.",
            details={"path": f"/{place}"} if place else None,
            command=command_of(operation),
        ) from None


def _first(wrong: ValidationError, model: type[Contract]) -> tuple[str, str]:
    """The field of the first problem, and every reason given for it (one for each form that was tried).

    A text of the wrong shape or length is told the field's description instead of a pattern.
    """
    problems = wrong.errors(include_url=False, include_input=False, include_context=False)
    place = _place(problems[0]["loc"])
    reasons = [
        _reason(problem["type"], problem["msg"], _field(model, problem["loc"]))
        for problem in problems
        if _place(problem["loc"]) == place
    ]
    return place, " or ".join(dict.fromkeys(reasons))


def _field(model: type[Contract], loc: tuple[int | str, ...]) -> FieldInfo | None:
    fields = {name: field for key, field in model.model_fields.items() for name in (key, field.alias)}
    return fields.get(str(loc[0])) if loc else None


def _reason(kind: str, said: str, field: FieldInfo | None) -> str:
    """One reason in words. The description of a field with a pattern says what its text looks like."""
    patterned = field is not None and any(getattr(rule, "pattern", None) for rule in field.metadata)
    if kind == "string_pattern_mismatch" or (patterned and kind in ("string_too_short", "string_too_long")):
        told = field.description if field is not None else None
        return f"Input should be {told}" if told else "Input should have another form; see --help"
    return said.removeprefix("Value error, ").rstrip(".")


def _place(loc: tuple[int | str, ...]) -> str:
    """A field and the numbers below it; the names of the forms that were tried are left out."""
    return "/".join(str(part) for index, part in enumerate(loc) if index == 0 or isinstance(part, int))


def _load(target: str) -> Any:
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)
