"""Live sessions as documents."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.contracts.document import Document
from deepseekeyes.contracts.model import Contract


class SessionRow(Contract):
    """One live session host; `answers` is False when its process lives but does not take connections."""

    name: str
    kind: str
    pid: int
    version: str
    started_at: str
    log: str
    doing: str | None = None
    answers: bool = True


class SessionList(Document):
    """`deepseekeyes.session-list.v1`: live sessions of one kind; the dead that were found are in `ended`."""

    schema_: Literal["deepseekeyes.session-list.v1"] = Field(default="deepseekeyes.session-list.v1", alias="schema")
    items: tuple[SessionRow, ...] = ()
    ended: tuple[str, ...] = ()
    truncated: bool = False
    omitted: int = 0


class SessionEnd(Document):
    """`deepseekeyes.session-end.v1`: a host that could not be asked was ended by a signal."""

    schema_: Literal["deepseekeyes.session-end.v1"] = Field(default="deepseekeyes.session-end.v1", alias="schema")
    session: str
    kind: str
    pid: int
    reason: str
