"""What can be read beside the tools: stored evidence records and the published schemas."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from deepseekeyes.contracts.document import Document
from deepseekeyes.core.errors import EyesError
from deepseekeyes.serve.codes import SERVE_RESOURCE_UNKNOWN
from deepseekeyes.serve.json_text import compact
from deepseekeyes.serve.results import Picture
from deepseekeyes.serve.tool_schema import published, published_names

SCHEME = "deepseekeyes://"
JSON = "application/json"
SCHEMA_JSON = "application/schema+json"
LISTED = 100

_EVIDENCE = re.compile(r"deepseekeyes://evidence/([0-9a-f]{4,64})")
_REPORT = re.compile(r"deepseekeyes://run/(browser|desktop)/([^/]{1,128})")
_SCHEMA = re.compile(r"deepseekeyes://schema/([A-Za-z0-9.-]{1,80})")

Run = Callable[[str, Mapping[str, Any]], Awaitable[Document]]


@dataclass(frozen=True, slots=True)
class Entry:
    """A resource, or a template of several when `uri` has a variable."""

    uri: str
    name: str
    description: str
    media_type: str = JSON
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """What a resource holds: text, pictures, or both."""

    text: str
    media_type: str
    pictures: tuple[Picture, ...] = ()


TEMPLATES = (
    Entry(f"{SCHEME}evidence/{{sha256}}", "evidence record", "A stored evidence record by its hash or cache key."),
    Entry(f"{SCHEME}schema/{{name}}", "schema", "A published JSON Schema by its name.", SCHEMA_JSON),
)


def schemas() -> tuple[Entry, ...]:
    """The published schemas."""
    return tuple(
        Entry(f"{SCHEME}schema/{name}", f"schema {name}", f"The JSON Schema {name}.", SCHEMA_JSON)
        for name in published_names()
    )


async def evidence(run: Run) -> tuple[Entry, ...]:
    """The newest stored evidence records, newest first.

    Args:
        run: dispatches one operation.
    """
    listed = (await run("vision.cache.list", {"limit": LISTED})).to_json()
    return tuple(
        Entry(
            f"{SCHEME}evidence/{item['recordSha256']}",
            f"{item['kind']} evidence {item['recordSha256'][:12]}",
            f"Picture {item['imageSha256'][:12]} as read by {item['route']}: {compact(item['summary'])}",
            bytes=item["bytes"],
        )
        for item in listed["items"]
    )


async def read(uri: str, run: Run) -> Content:
    """The content of one of our resources.

    Raises:
        EyesError: SERVE_RESOURCE_UNKNOWN, and what looking up a record raises.
    """
    record = _EVIDENCE.fullmatch(uri)
    if record is not None:
        return Content(compact((await run("vision.cache.get", {"record": record[1]})).to_json()), JSON)
    schema = _SCHEMA.fullmatch(uri)
    if schema is not None and schema[1] in published_names():
        return Content(compact(dict(published(schema[1]))), SCHEMA_JSON)
    raise unknown(uri)


def run_of(uri: str) -> tuple[str, str] | None:
    """Kind and id of the run whose report an address means."""
    match = _REPORT.fullmatch(uri)
    return None if match is None else (match[1], match[2])


def run_report(kind: str, run: str) -> Entry:
    """The report of a run."""
    return Entry(f"{SCHEME}run/{kind}/{run}", f"{kind} run {run}", f"The newest report of the {kind} run {run}.")


def unknown(uri: str) -> EyesError:
    """The failure for an address that names nothing here."""
    from deepseekeyes.core.redact import surface

    return EyesError(SERVE_RESOURCE_UNKNOWN, f"There is no resource {surface(uri, 200)}.")
