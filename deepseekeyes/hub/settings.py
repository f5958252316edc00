"""The `[hub]` section."""

from __future__ import annotations

from pydantic import Field

from deepseekeyes.contracts.settings import Section


class HubSettings(Section):
    """The model hub. It starts no program until `allow_process_launch`."""

    allow_process_launch: bool = Field(
        default=False, description="Allow starting and stopping the programs that catalog entries name."
    )
    allow_any_command: bool = Field(
        default=False, description="Lift the list of known programs; needs allow_process_launch."
    )
