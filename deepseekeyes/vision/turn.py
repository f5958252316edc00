"""The books of one question: what was tried, what was spent, what has to be said. A failure carries them too."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from deepseekeyes.contracts.answer import Spent
from deepseekeyes.contracts.usage import TokenUsage
from deepseekeyes.routing.tally import usage_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from deepseekeyes.contracts.attempt import Attempt
    from deepseekeyes.contracts.evidence import EvidenceRecord
    from deepseekeyes.core.errors import EyesError

Share = Literal["base", "target", "clarification", "final"]


@dataclass(slots=True)
class Turn:
    """Filled while a question is answered.

    Attributes:
        started: the monotonic clock when it began.
    """

    started: float
    attempts: list[Attempt] = field(default_factory=list)
    spent: dict[Share, TokenUsage] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def book(self, share: Share, usage: TokenUsage, attempts: Iterable[Attempt]) -> None:
        """One walk and what it spent."""
        self.attempts.extend(attempts)
        self.spent[share] = self.spent.get(share, TokenUsage()) + usage

    def book_record(self, share: Share, record: EvidenceRecord) -> None:
        """One reading of this turn."""
        if record.run is not None:
            self.book(share, record.run.usage, record.run.attempts)

    def note(self, sentence: str) -> None:
        """Something the reader of the answer should know, said once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def usage(self) -> Spent:
        """What was spent, by what it was spent on."""
        total = sum(self.spent.values(), TokenUsage())
        return Spent(**self.spent, total=total)

    def dressed(self, error: EyesError) -> EyesError:
        """The failure that ends the turn, with the attempts and the tokens of everything before it."""
        if not self.attempts and not self.spent:
            return error
        own: list[dict[str, Any]] = error.details.get("attempts", [])
        total = sum(self.spent.values(), usage_of(error))
        error.details["attempts"] = [*(one.model_dump(mode="json", by_alias=True) for one in self.attempts), *own]
        error.details["usage"] = total.model_dump(mode="json", by_alias=True)
        return error
