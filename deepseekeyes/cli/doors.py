"""Commands that open a door of their own instead of dispatching one operation: they stay until a client ends them."""

from __future__ import annotations

import os
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from deepseekeyes.cli.options import Globals
    from deepseekeyes.contracts.document import Document

DOORS: Final = {
    "mcp.serve": "deepseekeyes.serve.mcp_door:serve",
}


def run_door(name: str, payload: dict[str, Any], options: Globals, *, as_json: bool) -> int:
    """Open a door and wait until it is closed.

    The function behind a name takes the payload, a way to open an app (`door`, `flags` and `serving` to be given), and
    a way to print one document.

    Returns:
        The exit code.
    """
    from deepseekeyes.cli.emit import emit
    from deepseekeyes.cli.exits import exit_code
    from deepseekeyes.wiring.app import App

    module, _, function = DOORS[name].partition(":")
    open_app = partial(App.open, environ=os.environ, home=options.home, config=options.config)

    def show(document: Document) -> None:
        emit(document, options, as_json=as_json)

    document = getattr(import_module(module), function)(payload, open_app, show)
    if document is None:
        return 0
    show(document)
    return exit_code(document)
