"""Operations that run in a live session: one line to its host, its document printed here."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from deepseekeyes.cli.emit import emit, json_line, write_stdout
from deepseekeyes.core.errors import EXIT_CODES, EyesError

if TYPE_CHECKING:
    from deepseekeyes.cli.options import Globals
    from deepseekeyes.contracts.document import Document
    from deepseekeyes.contracts.session import SessionEnd
    from deepseekeyes.session.client import Reply, Request
    from deepseekeyes.session.descriptor import Place

DEFAULT = "default"
UNASKABLE = frozenset({"SESSION_VERSION", "SESSION_UNRESPONSIVE", "SESSION_PROTOCOL", "SESSION_DIED"})
"""Why a host cannot be asked to close; it is ended by a signal then."""


def perform_in_session(operation: str, payload: dict[str, Any], options: Globals, *, as_json: bool) -> int:
    """Run one operation in the session that its payload names and print what comes back.

    Returns:
        The exit code.
    """
    from deepseekeyes.cli.door import CommandLine
    from deepseekeyes.operations import OPERATIONS
    from deepseekeyes.session.client import Request, call

    if not as_json and options.output is None:
        as_json = _prefers_json(options)
    door = CommandLine(options, as_json=as_json)
    place = _place(operation, payload, options)
    request = Request(place, operation, payload, OPERATIONS[operation].life, wants_text=door.wants_text)
    try:
        reply = call(request, door, lambda: _start(request, options))
    except EyesError as failed:
        if request.life != "ends" or failed.code.name not in UNASKABLE:
            raise
        emit(_ended(request, failed), options, as_json=as_json)
        return 0
    finally:
        door.finish()
    _print(operation, reply, options, as_json=as_json)
    return _exit_code(reply)


def _place(operation: str, payload: dict[str, Any], options: Globals) -> Place:
    from pathlib import Path

    from deepseekeyes.core.home import home
    from deepseekeyes.session.descriptor import Place

    kept = Path(options.home).expanduser().absolute() if options.home else home(os.environ)
    return Place.of(kept, operation.partition(".")[0], str(payload.get("session") or DEFAULT))


def _ended(request: Request, why: EyesError) -> SessionEnd:
    """What is left of a session that cannot be asked to close: nothing."""
    from deepseekeyes.contracts.session import SessionEnd
    from deepseekeyes.session.listing import end

    place = request.place
    return end(place, why.message) or SessionEnd(session=place.name, kind=place.kind, pid=0, reason=why.message)


def _start(request: Request, options: Globals) -> None:
    """Start a host, once the operation's gate has let it pass: what is switched off starts nothing."""
    from importlib import import_module

    from deepseekeyes.operations import OPERATIONS
    from deepseekeyes.session.spawn import start
    from deepseekeyes.wiring.app import App
    from deepseekeyes.wiring.door import Silent

    app = App.open(door=Silent(), environ=os.environ, home=options.home, config=options.config)
    module, _, gate = OPERATIONS[request.operation].gate.partition(":")
    if module:
        getattr(import_module(module), gate)(app.settings, request.payload)
    timeout = app.settings.session.start_timeout_ms / 1000
    start(request.place, home=app.home, config=options.config, environ=os.environ, timeout_s=timeout)


def _prefers_json(options: Globals) -> bool:
    """What `[output] format` says; asked for on a terminal only."""
    from deepseekeyes.wiring.app import App
    from deepseekeyes.wiring.door import Silent

    try:
        return (
            App.open(door=Silent(), environ=os.environ, home=options.home, config=options.config).settings.output.format
            == "json"
        )
    except EyesError:
        return False


def _print(operation: str, reply: Reply, options: Globals, *, as_json: bool) -> None:
    if as_json:
        write_stdout(json_line(reply.document, pretty=options.pretty))
        return
    emit(_document(operation, reply.document), options, as_json=False)


def _document(operation: str, values: dict[str, Any]) -> Document:
    """The document as its contract: one of the family's, which cost nothing else, or what the operation names."""
    from importlib import import_module

    from deepseekeyes.operations import OPERATIONS

    known = _of_family(operation.partition(".")[0], values.get("schema"))
    if known is not None:
        found: Document = known.model_validate(values)
        return found
    module, _, function = OPERATIONS[operation].target.partition(":")
    loaded = import_module(module)
    named = getattr(loaded, function).__annotations__["return"]
    model: Any = named if isinstance(named, type) else _named(loaded, str(named), values)
    document: Document = model.model_validate(values)
    return document


def _named(loaded: Any, annotation: str, values: dict[str, Any]) -> Any:
    """The contract an annotation names; of several (`A | B`) the one with the document's schema."""
    models = [getattr(loaded, name.strip()) for name in annotation.split("|")]
    for model in models:
        field = model.model_fields.get("schema_")
        if field is not None and field.default == values.get("schema"):
            return model
    return models[0]


def _exit_code(reply: Reply) -> int:
    if reply.failure is not None:
        return EXIT_CODES[reply.failure]  # type: ignore[index]
    return 0 if reply.outcome is None else EXIT_CODES[reply.outcome]  # type: ignore[index]


def _of_family(family: str, schema: object) -> Any:
    """The contract of that schema among those of an operation's family; None when it is not there."""
    from importlib import import_module

    try:
        contracts = vars(import_module(f"deepseekeyes.contracts.{family}"))
    except ModuleNotFoundError:
        return None
    fields = ((one, getattr(one, "model_fields", {}).get("schema_")) for one in contracts.values())
    return next((one for one, field in fields if field is not None and field.default == schema), None)
