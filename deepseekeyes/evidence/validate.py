"""Holding evidence against its contract, with all faults at once."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deepseekeyes.contracts.evidence import Variant
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.geometry import contained
from deepseekeyes.core.redact import clip
from deepseekeyes.evidence.bounds import DEFAULT_BOUNDS
from deepseekeyes.evidence.codes import INVALID_VISION_EVIDENCE
from deepseekeyes.evidence.decode import shown
from deepseekeyes.evidence.mend import escaped
from deepseekeyes.evidence.repair import is_number
from deepseekeyes.evidence.schema import CONTAINED, inlined

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

_MESSAGE = 2000
_KINDS = {"array": "a list", "object": "an object", "string": "a string", "number": "a number"}


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault: where (JSON pointer, `/` for the whole document) and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Problems:
    """The first faults of a document, and how many more there are."""

    items: tuple[Problem, ...] = ()
    omitted: int = 0

    def __bool__(self) -> bool:
        return bool(self.items)

    @property
    def sentence(self) -> str:
        """All listed faults on one line of bounded length."""
        told = "; ".join(f"{problem.path} {problem.reason}" for problem in self.items)
        more = f"; and {self.omitted} more" if self.omitted else ""
        return clip(told, _MESSAGE - len(more)) + more


class InvalidEvidence(EyesError):  # noqa: N818 - it is an EyesError with the faults at hand
    """`INVALID_VISION_EVIDENCE` with every fault as a value."""

    def __init__(self, problems: Problems) -> None:
        path = problems.items[0].path if problems.items else "/"
        super().__init__(
            INVALID_VISION_EVIDENCE, f"The evidence breaks its contract: {problems.sentence}", details={"path": path}
        )
        self.problems = problems

    def __reduce__(self) -> tuple[Any, ...]:
        return InvalidEvidence, (self.problems,)


def problems(document: Any, variant: Variant, limit: int = DEFAULT_BOUNDS.errors) -> Problems:
    """Every way in which a document breaks the contract, in the order of its rules, at most `limit` of them in full."""
    kept: list[Problem] = []
    omitted = 0
    for problem in _all(document, variant):
        if len(kept) < limit:
            kept.append(problem)
        else:
            omitted += 1
    return Problems(tuple(kept), omitted)


def validate(document: Mapping[str, Any], variant: Variant) -> Mapping[str, Any]:
    """The same document when it keeps the contract; nothing is coerced or filled in.

    Raises:
        InvalidEvidence: INVALID_VISION_EVIDENCE, with `problems`.
    """
    found = problems(document, variant)
    if found:
        raise InvalidEvidence(found)
    return document


def _all(document: Any, variant: Variant) -> Iterator[Problem]:
    for error in _validator(variant).iter_errors(document):
        path = "".join(f"/{escaped(str(step))}" for step in error.absolute_path) or "/"
        for reason in _reasons(error):
            yield Problem(path, reason)


@functools.cache
def _validator(variant: Variant) -> Validator:
    from jsonschema import Draft7Validator
    from jsonschema.validators import extend

    strict: Callable[[dict[str, Any]], Validator] = extend(  # type: ignore[no-untyped-call]
        Draft7Validator,
        validators={"pattern": _whole_pattern, "uniqueItems": _unique_strings, CONTAINED: _contained_box},
        type_checker=Draft7Validator.TYPE_CHECKER.redefine("number", lambda _, value: is_number(value)),
    )
    return strict(inlined(variant))


def _whole_pattern(_: Validator, pattern: str, instance: Any, __: Any) -> Iterator[ValidationError]:
    """ECMAScript's `$` ends the text; Python's also stops before a trailing newline."""
    from jsonschema import ValidationError

    if isinstance(instance, str) and re.fullmatch(pattern.removeprefix("^").removesuffix("$"), instance) is None:
        yield ValidationError("")


def _unique_strings(_: Validator, wanted: bool, instance: Any, rule: Any) -> Iterator[ValidationError]:
    """Linear, unlike the library's; what is no string, or too long a list, is another keyword's fault."""
    from jsonschema import ValidationError

    if not wanted or not isinstance(instance, list) or len(instance) > rule.get("maxItems", 0):
        return
    words = [item for item in instance if isinstance(item, str)]
    if len(set(words)) != len(words):
        yield ValidationError("")


def _contained_box(validator: Validator, rule: Any, instance: Any, _: Any) -> Iterator[ValidationError]:
    """The rule of a box and the rule that it lies in the picture. Legal boxes, nearly all, need no further look."""
    from jsonschema import ValidationError

    numbers = isinstance(instance, list) and len(instance) == 4 and all(is_number(item) for item in instance)
    if numbers and contained(instance):
        return
    faults = list(validator.descend(instance, rule))  # type: ignore[attr-defined]
    yield from faults
    if not faults:
        yield ValidationError("")


def _reasons(error: ValidationError) -> Iterator[str]:
    keyword = str(error.validator)
    if keyword == "additionalProperties":
        known = error.schema.get("properties", {})  # type: ignore[union-attr]
        for name in error.instance:  # type: ignore[union-attr]
            if name not in known:
                yield f"has an unknown property {shown(name)}"
    elif keyword == "required":
        yield _missing(error)
    else:
        yield _SENTENCES.get(keyword, _otherwise)(error)


def _missing(error: ValidationError) -> str:
    """jsonschema reports each missing property on its own and names it first in its message."""
    name = next(
        name
        for name in error.validator_value  # type: ignore[union-attr]
        if name not in error.instance and error.message.startswith(repr(name))  # type: ignore[operator]
    )
    return f"lacks the property {shown(name)}"


def _otherwise(error: ValidationError) -> str:
    return f"breaks the rule {error.validator}"


def _value(error: ValidationError) -> str:
    return clip(repr(error.instance), 40)


_SENTENCES: Mapping[str, Callable[[Any], str]] = {
    "type": lambda error: f"must be {_KINDS.get(error.validator_value, error.validator_value)}",
    "const": lambda error: f"must be {shown(error.validator_value)}",
    "minLength": lambda _: "must not be empty",
    "maxLength": lambda error: f"has {len(error.instance)} characters, more than {error.validator_value}",
    "minItems": lambda error: f"has {len(error.instance)} members instead of {error.validator_value}",
    "maxItems": lambda error: f"has {len(error.instance)} members, more than {error.validator_value}",
    "additionalItems": lambda _: "has more members than a box",
    "pattern": lambda _: "may hold only letters, digits, '.', '_', ':' and '-'",
    "uniqueItems": lambda _: "names something twice",
    "minimum": lambda error: f"is {_value(error)}, less than {error.validator_value}",
    "maximum": lambda error: f"is {_value(error)}, more than {error.validator_value}",
    "exclusiveMinimum": lambda error: f"is {_value(error)}, but must be more than {error.validator_value}",
    CONTAINED: lambda _: "leaves the picture: x + width and y + height must not exceed 1",
}
