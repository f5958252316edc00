"""What the caller's side holds, whether the operation runs in the caller's process or in a session host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from deepseekeyes.core.codes import CREDENTIAL_MISSING
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.secrets import SecretRef, remember, reveal

if TYPE_CHECKING:
    from deepseekeyes.wiring.app import App


@runtime_checkable
class Distant(Protocol):
    """A door whose caller is another process with an environment of its own."""

    def environment(self, name: str) -> str | None: ...


def secret(app: App, name: str) -> str:
    """The value of an environment variable of the caller; from now on the redactor knows it.

    May block while the caller is asked, so it belongs into the thread of the operations.

    Raises:
        EyesError: CREDENTIAL_MISSING when it is unset or blank.
    """
    if not isinstance(app.door, Distant):
        return reveal(SecretRef(name))
    value = (app.door.environment(name) or "").strip()
    if not value:
        raise EyesError(CREDENTIAL_MISSING, f"The environment variable {name} is not set.", name=name)
    remember(value)
    return value
