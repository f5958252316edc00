"""Semantic input: text into elements, values of ranges, actions by name."""

from __future__ import annotations

import math
from dataclasses import dataclass

from deepseekeyes.core.errors import EyesError
from deepseekeyes.desktop.adapters.linux.accessibility import Accessibility
from deepseekeyes.desktop.adapters.linux.atspi_names import NATURAL
from deepseekeyes.desktop.adapters.linux.atspi_nodes import Ref
from deepseekeyes.desktop.adapters.linux.atspi_wire import (
    ACCESSIBLE,
    ACTION,
    APPLICATION,
    EDITABLE_TEXT,
    PROPERTIES,
    ROOT_PATH,
    TEXT,
    VALUE,
    Call,
    Failed,
    prop,
    value_of,
)
from deepseekeyes.desktop.adapters.linux.windows import Listed
from deepseekeyes.desktop.codes import (
    DESKTOP_ACTION_NOT_EXPOSED,
    DESKTOP_NATIVE_ACTION_FAILED,
    DESKTOP_TIMEOUT,
    DESKTOP_TYPE_TARGET_NOT_EDITABLE,
)
from deepseekeyes.desktop.ports import Element, Typed

ACTION_S = 3.0


@dataclass(slots=True)
class Acting:
    """Acts through accessibility; one per display."""

    accessibility: Accessibility

    def insert(self, handle: str, one: Listed | None, text: str) -> Typed:
        """Put text at the caret, in the place of a selection."""
        ref, now = self.accessibility.require(handle, one)
        self._require_text(ref, now)
        caret = self._without_selection(ref)
        body = (caret, text, self._length(ref, text))
        done = self._do(Call(ref.bus, ref.path, EDITABLE_TEXT, "InsertText", "isi", body))
        if done is False:
            raise EyesError(
                DESKTOP_NATIVE_ACTION_FAILED, "The element did not take the text.", details={"dispatched": "unknown"}
            )
        moved = value_of(self.accessibility.ask(prop(ref.bus, ref.path, TEXT, "CaretOffset")))
        if moved == caret:
            end = caret + len(text)
            self.accessibility.ask(Call(ref.bus, ref.path, TEXT, "SetCaretOffset", "i", (end,)))
        return Typed(len(text), len(text), "semantic")

    def set_value(self, handle: str, one: Listed | None, value: str) -> str | None:
        """Replace the text or the number of an element; returns what reads back."""
        ref, now = self.accessibility.require(handle, one)
        interfaces = self._interfaces(ref)
        if EDITABLE_TEXT in interfaces and now.editable:
            self._do(Call(ref.bus, ref.path, EDITABLE_TEXT, "SetTextContents", "s", (value,)))
            if VALUE not in interfaces:
                return self.accessibility.text(handle, one)
        if VALUE in interfaces:
            return self._set_number(ref, now, value)
        raise _not_editable(now)

    def do(self, handle: str, one: Listed | None, name: str | None) -> str:
        """Carry out an action by its machine name, or the element's natural one."""
        ref, now = self.accessibility.require(handle, one)
        names = self._action_names(ref)
        chosen = self._chosen(names, name)
        if chosen is None:
            raise EyesError(
                DESKTOP_ACTION_NOT_EXPOSED,
                f'The {now.role} "{now.name[:80]}" has no such action.',
                details={"dispatched": "no", "candidates": names},
                choices=", ".join(names) or "none at all",
            )
        done = self._do(Call(ref.bus, ref.path, ACTION, "DoAction", "i", (names.index(chosen),)))
        if done is False:
            raise EyesError(
                DESKTOP_NATIVE_ACTION_FAILED,
                f"The program did not carry out {chosen[:40]}.",
                details={"dispatched": "unknown"},
            )
        return chosen

    def _chosen(self, names: list[str], wanted: str | None) -> str | None:
        if wanted is not None:
            return wanted if wanted in names else None
        lowered = {name.lower(): name for name in names}
        natural = next((lowered[word] for word in NATURAL if word in lowered), None)
        return natural or (names[0] if len(names) == 1 else None)

    def _action_names(self, ref: Ref) -> list[str]:
        """All names in their order; only the one-by-one question is not localised."""
        count = value_of(self.accessibility.ask(prop(ref.bus, ref.path, ACTION, "NActions")), 0)
        if not isinstance(count, int):
            return []
        asked = [Call(ref.bus, ref.path, ACTION, "GetName", "i", (index,)) for index in range(min(count, 24))]
        return [str(value_of(self.accessibility.ask(call), "") or "") for call in asked]

    def _interfaces(self, ref: Ref) -> frozenset[str]:
        told = value_of(self.accessibility.ask(Call(ref.bus, ref.path, ACCESSIBLE, "GetInterfaces")), ())
        return frozenset(str(name) for name in told or ())

    def _require_text(self, ref: Ref, now: Element) -> None:
        if not now.editable or EDITABLE_TEXT not in self._interfaces(ref):
            raise _not_editable(now)

    def _without_selection(self, ref: Ref) -> int:
        """Delete what is selected; returns the caret's place."""
        told = self.accessibility.ask(Call(ref.bus, ref.path, TEXT, "GetNSelections"))
        if isinstance(count := value_of(told), int) and count > 0:
            span = self.accessibility.ask(Call(ref.bus, ref.path, TEXT, "GetSelection", "i", (0,)))
            if not isinstance(span, Failed) and len(span) == 2 and span[0] != span[1]:
                ends = sorted(int(str(end)) for end in span)
                self._do(Call(ref.bus, ref.path, EDITABLE_TEXT, "DeleteText", "ii", (ends[0], ends[1])))
                return ends[0]
        caret = value_of(self.accessibility.ask(prop(ref.bus, ref.path, TEXT, "CaretOffset")), 0)
        return max(caret, 0) if isinstance(caret, int) else 0

    def _length(self, ref: Ref, text: str) -> int:
        """What InsertText takes as length: UTF-16 units in Qt, which pads with nulls up to it; else UTF-8 bytes."""
        told = self.accessibility.ask(prop(ref.bus, ROOT_PATH, APPLICATION, "ToolkitName"))
        if str(value_of(told, "")).lower() == "qt":
            return len(text.encode("utf-16-le")) // 2
        return len(text.encode())

    def _set_number(self, ref: Ref, now: Element, value: str) -> str | None:
        number = _number(value)
        if number is None:
            raise EyesError(
                DESKTOP_TYPE_TARGET_NOT_EDITABLE,
                f'The {now.role} "{now.name[:80]}" takes numbers only.',
                details={"dispatched": "no"},
            )
        low, high = (
            value_of(self.accessibility.ask(prop(ref.bus, ref.path, VALUE, name)))
            for name in ("MinimumValue", "MaximumValue")
        )
        if isinstance(low, int | float) and isinstance(high, int | float) and high > low:
            number = min(max(number, low), high)
        body = (VALUE, "CurrentValue", ("d", number))
        self._do(Call(ref.bus, ref.path, PROPERTIES, "Set", "ssv", body))
        back = value_of(self.accessibility.ask(prop(ref.bus, ref.path, VALUE, "CurrentValue")))
        return f"{back:g}" if isinstance(back, int | float) else None

    def _do(self, call: Call) -> object:
        """A call that changes something.

        Raises:
            EyesError: DESKTOP_TIMEOUT when no answer came: it may have happened; DESKTOP_NATIVE_ACTION_FAILED.
        """
        told = self.accessibility.ask(call, ACTION_S)
        if isinstance(told, Failed):
            if told.silent:
                raise EyesError(
                    DESKTOP_TIMEOUT,
                    "The program did not answer; it may have done it, and may be showing a dialog.",
                    details={"dispatched": "unknown"},
                )
            raise EyesError(
                DESKTOP_NATIVE_ACTION_FAILED,
                f"The program refused it ({told.error.rpartition('.')[2][:60]}).",
                details={"dispatched": "no" if told.gone else "unknown"},
            )
        return value_of(told)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _not_editable(now: Element) -> EyesError:
    return EyesError(
        DESKTOP_TYPE_TARGET_NOT_EDITABLE,
        f'The {now.role} "{now.name[:80]}" takes no text.',
        details={"dispatched": "no"},
    )
