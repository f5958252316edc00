"""Deps of the `vision` operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deepseekeyes.vision.deps import VisionDeps

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence

    from deepseekeyes.contracts.check import Check
    from deepseekeyes.contracts.evidence import EvidenceRecord
    from deepseekeyes.imaging.inputs import Failed, InputDeps, Loaded
    from deepseekeyes.routing.catalog import Route
    from deepseekeyes.routing.metered import Annotate
    from deepseekeyes.routing.ports import Engine
    from deepseekeyes.vision.ask_deps import AskDeps
    from deepseekeyes.vision.attempts import AttemptsDeps
    from deepseekeyes.vision.cache_deps import CacheDeps
    from deepseekeyes.vision.routes import RoutesDeps
    from deepseekeyes.vision.subject import ShowDeps
    from deepseekeyes.vision.validate import ValidateDeps
    from deepseekeyes.wiring.app import App


def vision_deps(app: App) -> VisionDeps:
    """Everything between a picture and its evidence."""

    def load(texts: Sequence[str], allow_url: bool) -> AsyncIterator[Loaded | Failed]:
        from deepseekeyes.imaging.inputs import load_many

        return load_many(texts, input_deps(app, texts, allow_url=allow_url))

    return VisionDeps(
        clock=app.clock,
        settings=app.settings.vision,
        blobs=app.blobs,
        records=app.records,
        load=load,
        plan=app.routes.plan,
        book=app.books.attempt_row,
        trouble=app.books.trouble,
        walk=lambda: app.routes.walk,
        engine=app.routes.engine,
        verifier=lambda: app.verifier,
        keep_pictures=app.places.blobs is not None,
        session_hash=app.session_hash,
        persistence=app.books.persistence,
        progress=app.door.progress,
        names_file=_names_file(app),
        note=app.routes.note_once,
        max_wait_s=app.settings.routing.max_wait_ms / 1000,
    )


def ask_deps(app: App) -> AskDeps:
    """Everything between a question and its answer."""
    from deepseekeyes.vision.ask_deps import AskDeps

    door, limits, serve = app.door, app.settings.vision.limits, app.settings.serve

    def reasoner(route: Route, annotate: Annotate) -> Engine:
        from deepseekeyes.routing.metered import Metered

        bare = app.routes.bare_engine(route)
        return Metered(bare, app.books.usage, app.clock, "final", app.session_hash, annotate)

    return AskDeps(
        vision=vision_deps(app),
        stdin=lambda: door.stdin(limits.max_bytes),
        names_file=_names_file(app),
        reasoner=reasoner,
        locked_to=serve.upstream_route if serve.lock_model else None,
        show=door.text if door.wants_text else None,
    )


def _names_file(app: App) -> Callable[[str], bool]:
    def names_file(text: str) -> bool:
        from pathlib import Path

        try:
            return app.door.local and Path(text).is_file()
        except (OSError, ValueError):
            return False

    return names_file


def attempts_deps(app: App) -> AttemptsDeps:
    """The attempt rows of the ledger."""
    from deepseekeyes.vision.attempts import AttemptsDeps

    if not app.settings.ledger.attempts:
        app.door.note("Attempts are not written down at the moment: ledger.attempts is false. Earlier ones are listed.")

    def rows(where: Mapping[str, str | int], limit: int) -> list[dict[str, Any]]:
        return [row.body for row in app.books.ledger.rows("attempts", limit, where=where)]

    return AttemptsDeps(rows=rows)


def input_deps(app: App, texts: Sequence[str], *, allow_url: bool = False) -> InputDeps:
    """How inputs are found: files of a local caller, its standard input, the blob store, the network if allowed."""
    from deepseekeyes.imaging.inputs import InputDeps

    limits = app.settings.vision.limits
    local = app.door.local
    roots = None if local else app.settings.serve.roots
    return InputDeps(
        limits=limits,
        blobs=app.blobs,
        stdin=app.door.stdin(limits.max_bytes) if "-" in texts else None,
        allow_url=allow_url,
        allow_paths=local or bool(roots),
        roots=roots,
    )


def validate_deps(app: App) -> ValidateDeps:
    """What the judge of answers and records touches."""
    from deepseekeyes.evidence.bounds import AnswerBounds
    from deepseekeyes.vision.rederive import rederive
    from deepseekeyes.vision.validate import ValidateDeps

    limits = app.settings.vision.limits

    def text(name: str) -> bytes:
        from deepseekeyes.wiring.files import read_text_file

        return app.door.stdin(limits.max_bytes) if name == "-" else read_text_file(name, limits.max_bytes)

    async def image(name: str) -> bytes:
        from deepseekeyes.imaging.inputs import load

        return (await load(name, input_deps(app, ()))).data

    def size(data: bytes) -> tuple[int, int]:
        from deepseekeyes.imaging.decode import decode

        source = decode(data, limits).source
        return source.width, source.height

    return ValidateDeps(
        text=text,
        image=image,
        stored=lambda sha256: _stored(app, sha256),
        size=size,
        rederive=lambda found, data: rederive(found, data, limits),
        bounds=AnswerBounds(chars=app.settings.vision.answer_max_chars),
    )


def show_deps(app: App) -> ShowDeps:
    """What a drawing of evidence needs: records, pictures, an eye for pictures not read yet, and a place to write."""
    from pathlib import Path

    from deepseekeyes.core.atomic import write_private
    from deepseekeyes.core.errors import EyesError
    from deepseekeyes.imaging.codes import INPUT_PATH_REFUSED
    from deepseekeyes.vision.subject import ShowDeps

    limits = app.settings.vision.limits
    if not app.door.local:
        raise EyesError(INPUT_PATH_REFUSED, "Drawings are written for local callers only.")

    async def one(text: str) -> Loaded:
        from deepseekeyes.imaging.inputs import load

        return await load(text, input_deps(app, (text,)))

    async def read(loaded: Loaded, route: str | None) -> EvidenceRecord:
        from deepseekeyes.vision.see import see
        from deepseekeyes.vision.work import Work

        return await see(Work.of(loaded)._replace(route=route), vision_deps(app))

    return ShowDeps(
        limits=limits,
        find=app.records.get,
        load=one,
        stdin=lambda: app.door.stdin(limits.max_bytes),
        read=read,
        write=write_private,
        folder=Path(),
    )


def schema_deps(app: App) -> None:
    """The contract needs nothing from outside."""


def routes_deps(app: App) -> RoutesDeps:
    """What the route listing touches."""
    from deepseekeyes.vision.routes import RoutesDeps
    from deepseekeyes.wiring.probe import verifier

    origins = app.routes.catalog.origins
    return RoutesDeps(
        clock=app.clock,
        plan=app.routes.plan,
        states=app.routes.states,
        readiness=app.routes.readiness,
        verifier=verifier(app),
        origin=lambda route: origins.get(route, "built-in"),
    )


def cache_deps(app: App) -> CacheDeps:
    """Stored records and how to judge one."""
    from deepseekeyes.vision.cache_deps import CacheDeps

    store = app.settings.store

    def judge(record: dict[str, Any], key: str) -> Iterable[Check]:
        from deepseekeyes.vision.rederive import rederive
        from deepseekeyes.vision.verify import verify_record

        return verify_record(
            record,
            picture=_stored(app, record["source"]["sha256"]),
            rederive=lambda found, data: rederive(found, data, app.settings.vision.limits),
            key=key,
        ).checks

    return CacheDeps(
        records=app.records,
        judge=judge,
        now=app.seconds,
        retention_days=store.retention_days,
        max_bytes=store.max_bytes,
        progress=app.door.progress,
    )


def _stored(app: App, sha256: str) -> bytes | None:
    """The picture with that hash, where the store still has it whole."""
    from deepseekeyes.core.errors import EyesError

    try:
        return app.blobs.get(sha256)
    except EyesError:
        return None
