"""Assertions: what can be claimed about a page or a window, and whether it holds. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from deepseekeyes.automation.codes import (
    ASSERTION_EXPECTED_MISSING,
    ASSERTION_TARGET_MISSING,
    ASSERTION_UNSEEN,
    ASSERTION_UNSUPPORTED,
)
from deepseekeyes.automation.keys import Keys
from deepseekeyes.contracts.automation import SurfaceKind
from deepseekeyes.core.canonical import compact
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.names import nearest

Text = Literal["text", "value", "name", "url", "title"]


@dataclass(frozen=True, slots=True)
class Assertion:
    """One claim.

    Attributes:
        kind: a key of `KINDS`.
        target: the target as the record names it; None for claims about the whole page or screen.
        expected: text, or a count; other values are compared by their compact JSON.
        declared: of `visual` only: what the caller saw, as `actual` and `passed`.
    """

    kind: str
    target: str | None = None
    expected: Any = None
    declared_actual: str | None = None
    declared_passed: bool | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """What a fresh observation says about the target and the whole. None means: cannot be told.

    Attributes:
        count: matches of the target; 0 when it is missing.
        protected: its text and value are compared, and kept as keyed digests only.
        screenshot_changed: against the newest state before the assertion.
        delivered: whether the caller was shown the newest screenshot.
    """

    count: int = 0
    visible: bool | None = None
    enabled: bool | None = None
    checked: bool | None = None
    focused: bool | None = None
    text: str | None = None
    value: str | None = None
    name: str | None = None
    url: str | None = None
    title: str | None = None
    protected: bool = False
    screenshot_changed: bool | None = None
    delivered: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one evaluation. `expected` and `actual` may be shown."""

    passed: bool
    expected: Any
    actual: Any
    verified_by: Literal["runtime", "caller"] = "runtime"


_Rule = Callable[[Assertion, Subject], tuple[bool, Any]]


@dataclass(frozen=True, slots=True)
class _Kind:
    rule: _Rule
    target: bool = True
    expected: bool = False
    surfaces: tuple[SurfaceKind, ...] = ("browser", "desktop")


def _flag(field: str, wanted: bool, missing: bool = False) -> _Rule:
    """A yes or no of the target; `missing` is what a target that is not there counts as."""

    def rule(_: Assertion, subject: Subject) -> tuple[bool, Any]:
        if subject.count == 0:
            return missing, None
        actual = getattr(subject, field)
        return actual is wanted, actual

    return rule


def _text(field: Text, compare: Callable[[str, str], bool]) -> _Rule:
    def rule(assertion: Assertion, subject: Subject) -> tuple[bool, Any]:
        actual = getattr(subject, field)
        if not isinstance(actual, str):
            return False, None
        seen = actual.strip() if field == "text" else actual
        return compare(seen, expected_text(assertion.expected)), seen

    return rule


def _equals(actual: str, expected: str) -> bool:
    return actual == expected


def _contains(actual: str, expected: str) -> bool:
    return expected in actual


def _count(assertion: Assertion, subject: Subject) -> tuple[bool, Any]:
    return str(subject.count) == expected_text(assertion.expected).strip(), subject.count


def _exists(_: Assertion, subject: Subject) -> tuple[bool, Any]:
    return subject.count > 0, subject.count > 0


def _screen(wanted: bool) -> _Rule:
    def rule(_: Assertion, subject: Subject) -> tuple[bool, Any]:
        return subject.screenshot_changed is wanted, subject.screenshot_changed

    return rule


def _declared(assertion: Assertion, _: Subject) -> tuple[bool, Any]:
    return assertion.declared_passed is True, assertion.declared_actual


_BROWSER: tuple[SurfaceKind, ...] = ("browser",)
_DESKTOP: tuple[SurfaceKind, ...] = ("desktop",)

KINDS: Final[Mapping[str, _Kind]] = {
    "visible": _Kind(_flag("visible", True)),
    "hidden": _Kind(_flag("visible", False, missing=True)),
    "enabled": _Kind(_flag("enabled", True)),
    "disabled": _Kind(_flag("enabled", False)),
    "focused": _Kind(_flag("focused", True)),
    "checked": _Kind(_flag("checked", True)),
    "unchecked": _Kind(_flag("checked", False)),
    "text_contains": _Kind(_text("text", _contains), expected=True),
    "text_equals": _Kind(_text("text", _equals), expected=True),
    "value_equals": _Kind(_text("value", _equals), expected=True),
    "name_contains": _Kind(_text("name", _contains), expected=True),
    "count_equals": _Kind(_count, expected=True),
    "url_contains": _Kind(_text("url", _contains), target=False, expected=True, surfaces=_BROWSER),
    "url_equals": _Kind(_text("url", _equals), target=False, expected=True, surfaces=_BROWSER),
    "title_contains": _Kind(_text("title", _contains), target=False, expected=True, surfaces=_BROWSER),
    "title_equals": _Kind(_text("title", _equals), target=False, expected=True, surfaces=_BROWSER),
    "window_exists": _Kind(_exists, surfaces=_DESKTOP),
    "window_title_contains": _Kind(_text("title", _contains), expected=True, surfaces=_DESKTOP),
    "element_exists": _Kind(_exists),
    "element_visible": _Kind(_flag("visible", True), surfaces=_DESKTOP),
    "element_hidden": _Kind(_flag("visible", False, missing=True), surfaces=_DESKTOP),
    "element_enabled": _Kind(_flag("enabled", True), surfaces=_DESKTOP),
    "element_disabled": _Kind(_flag("enabled", False), surfaces=_DESKTOP),
    "element_focused": _Kind(_flag("focused", True), surfaces=_DESKTOP),
    "element_value_equals": _Kind(_text("value", _equals), expected=True, surfaces=_DESKTOP),
    "element_name_contains": _Kind(_text("name", _contains), expected=True, surfaces=_DESKTOP),
    "screen_changed": _Kind(_screen(True), target=False),
    "screen_unchanged": _Kind(_screen(False), target=False),
    "visual": _Kind(_declared, target=False, expected=True),
}


def kinds(surface: SurfaceKind) -> tuple[str, ...]:
    """The assertions a surface knows, in the order of the table."""
    return tuple(name for name, kind in KINDS.items() if surface in kind.surfaces)


def check(assertion: Assertion, surface: SurfaceKind) -> None:
    """Refuse a claim that makes no sense, before anything is looked at.

    Raises:
        EyesError: ASSERTION_UNSUPPORTED, ASSERTION_TARGET_MISSING, ASSERTION_EXPECTED_MISSING.
    """
    known = kinds(surface)
    if assertion.kind not in known:
        meant = nearest(assertion.kind, known)
        sentence = f"{assertion.kind!r} is no assertion" + (f"; did you mean {meant}?" if meant else ".")
        raise EyesError(ASSERTION_UNSUPPORTED, sentence, details={"candidates": list(known)}, choices=", ".join(known))
    kind = KINDS[assertion.kind]
    if kind.target and assertion.target is None:
        raise EyesError(ASSERTION_TARGET_MISSING, f"{assertion.kind} is about a target, and none is named.")
    if kind.expected and assertion.expected is None:
        raise EyesError(ASSERTION_EXPECTED_MISSING, f"{assertion.kind} compares with something, and nothing is given.")
    if assertion.kind == "visual" and assertion.declared_passed is None:
        raise EyesError(ASSERTION_EXPECTED_MISSING, "visual states what was seen and whether it passed.")


def evaluate(assertion: Assertion, subject: Subject, keys: Keys) -> Finding:
    """Whether a claim holds.

    The comparison is made on the texts themselves; what is given back of a protected target is keyed digests.

    Raises:
        EyesError: ASSERTION_UNSEEN when a visual claim passes although its pixels were never shown.
    """
    if assertion.kind == "visual":
        if assertion.declared_passed and not subject.delivered:
            raise EyesError(ASSERTION_UNSEEN, "A visual claim cannot pass: the screenshot was not delivered.")
        return Finding(bool(assertion.declared_passed), assertion.expected, assertion.declared_actual, "caller")
    passed, actual = KINDS[assertion.kind].rule(assertion, subject)
    if subject.protected and isinstance(actual, str):
        return Finding(passed, keys.told(expected_text(assertion.expected)), keys.told(actual))
    if subject.protected and assertion.kind in {"value_equals", "element_value_equals", "text_equals"}:
        return Finding(passed, keys.told(expected_text(assertion.expected)), None)
    return Finding(passed, assertion.expected, actual)


def expected_text(expected: Any) -> str:
    """An expectation as the text it is compared as."""
    return expected if isinstance(expected, str) else compact(expected)
