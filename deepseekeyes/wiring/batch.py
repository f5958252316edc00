"""Deps of `vision batch`, and who reads for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepseekeyes.wiring.vision import vision_deps

if TYPE_CHECKING:
    from deepseekeyes.core.errors import EyesError
    from deepseekeyes.vision.batch import BatchDeps
    from deepseekeyes.vision.ports import Readers
    from deepseekeyes.wiring.app import App


def batch_deps(app: App) -> BatchDeps:
    """What a batch touches; neither processes nor cluster before the first picture needs them."""
    from deepseekeyes.vision.batch import BatchDeps

    most = app.settings.vision.limits.max_bytes

    def text(name: str) -> bytes:
        from deepseekeyes.wiring.files import read_text_file

        return app.door.stdin(most) if name == "-" else read_text_file(name, most)

    def crashed(bug: Exception) -> EyesError:
        from deepseekeyes.core.crash import internal

        return internal(bug, app.home)

    async def readers(jobs: int | None, cluster: str | None) -> Readers:
        return await _readers(app, jobs, cluster)

    return BatchDeps(
        vision=vision_deps(app), text=text, piped=_piped, item=app.door.item, readers=readers, crashed=crashed
    )


def _piped(data: bytes) -> tuple[str, ...] | None:
    """The stored pictures that documents of ours name; None for a list of pictures, and for pictures themselves."""
    from deepseekeyes.core.errors import EyesError
    from deepseekeyes.imaging.codes import STDIN_DOCUMENT_FOREIGN
    from deepseekeyes.imaging.piped import document_images, piped_documents
    from deepseekeyes.imaging.sniff import sniff

    if sniff(data).kind == "image":
        return ("-",)
    try:
        documents = piped_documents(data)
    except EyesError as other:
        if other.code is not STDIN_DOCUMENT_FOREIGN:
            raise
        return None
    if documents is None:
        return None
    return tuple(f"sha256:{picture.sha256}" for document in documents for picture in document_images(document))


async def _readers(app: App, jobs: int | None, cluster: str | None) -> Readers:
    from deepseekeyes.routing.adapters.local.engine import cores
    from deepseekeyes.wiring.reader_pool import Pool, ReadersOver

    if cluster is not None:
        from deepseekeyes.wiring.cluster import Cluster

        workers = await Cluster.join(cluster, jobs, app.settings.vision.batch.cluster_wait_ms)
        return ReadersOver(app, workers, threads=1, readings=workers.readings)
    count = jobs or cores()
    return ReadersOver(app, Pool(count), threads=max(1, cores() // count))
