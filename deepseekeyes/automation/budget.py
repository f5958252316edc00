"""How much one run may do."""

from __future__ import annotations

from deepseekeyes.automation.codes import AUTOMATION_BUDGET
from deepseekeyes.core.errors import EyesError


class Budget:
    """Counts the actions of a run and watches its age.

    Args:
        actions: most actions, 0 for any number.
        seconds: longest age of the run, 0 for any.
        used: actions spent already, for a run that is taken up again.
    """

    def __init__(self, actions: int = 0, seconds: float = 0, *, used: int = 0) -> None:
        self.actions = actions
        self.seconds = seconds
        self.used = used

    def check(self, age_s: float) -> None:
        """Whether one more action is allowed; nothing is spent.

        Raises:
            EyesError: AUTOMATION_BUDGET.
        """
        if self.actions and self.used >= self.actions:
            raise _spent(f"This run has used its {self.actions} actions.", "run_actions", self.actions)
        if self.seconds and age_s >= self.seconds:
            raise _spent(f"This run is older than {self.seconds:g} s.", "run_seconds", self.seconds)

    def spend(self) -> None:
        """Count one action."""
        self.used += 1


def _spent(sentence: str, name: str, value: float) -> EyesError:
    setting = f"automation.{name}"
    return EyesError(
        AUTOMATION_BUDGET,
        sentence,
        details={"dispatched": "no", "limit": {"name": name, "value": value, "setting": setting}},
        setting=setting,
    )
