"""The `[output]` section. The doors lie above the configuration, so their sections are kept here."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from deepseekeyes.contracts.settings import Section


class OutputSettings(Section):
    """How results are printed on a terminal; a pipe always gets JSON."""

    format: Literal["text", "json"] = Field(
        default="text", description="Form on a terminal where neither --json nor --text is given."
    )
    pretty: bool = Field(default=False, description="Indent JSON documents.")
