"""The operations of the command line, for programs in Python: same requests, same documents, same errors."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from deepseekeyes.dispatch import dispatch
from deepseekeyes.wiring.app import App
from deepseekeyes.wiring.door import Door, Silent


class Eyes:
    """One home, held open for many calls; use it as `async with Eyes() as eyes`.

    Files are named as on the command line and belong to this process's working folder. What lives between calls
    (a browser, an MCP connection) ends with the block.

    Args:
        home: where state lies; as the command line finds it when absent.
        config: a configuration file instead of those that would be found.
        settings: settings by dotted name, before every file: `{"vision.provider": "qwen"}`.
        door: hears progress and warnings, and gives standard input; nothing of that when absent.
        environ: variables, for settings and secrets; those of this process when absent.
    """

    def __init__(
        self,
        *,
        home: str | os.PathLike[str] | None = None,
        config: str | os.PathLike[str] | None = None,
        settings: Mapping[str, Any] | None = None,
        door: Door | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._app = App.open(
            door=door or Silent(),
            environ=os.environ if environ is None else environ,
            home=os.fspath(home) if home is not None else None,
            config=os.fspath(config) if config is not None else None,
            flags=settings,
            serving=True,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._app.aclose()

    async def run(self, operation: str, **request: Any) -> dict[str, Any]:
        """Run one operation.

        Args:
            operation: as `deepseekeyes.operations.OPERATIONS` lists it, such as `vision.read`.
            request: its fields, such as `images=["error.png"]`.

        Returns:
            The document that the command prints with `--json`.

        Raises:
            EyesError: UNKNOWN_OPERATION, INVALID_REQUEST, or what the operation raises; `code` and `kind` are stable.
        """
        return (await dispatch(operation, request, self._app)).to_json()
