"""`usage import`: add statistics that were counted elsewhere to the totals, once."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NoReturn

from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.usage_report import UsageImport
from deepseekeyes.core.errors import EyesError
from deepseekeyes.usage import codes, fold
from deepseekeyes.usage.deps import UsageDeps
from deepseekeyes.usage.statistics_file import Counted, counted

FILE = "usage-imports"
FILE_VERSION = 1
MOST_REMEMBERED = 1000


class ImportRequest(Contract):
    """The file; `-` is standard input."""

    file: str


async def import_(request: ImportRequest, deps: UsageDeps) -> UsageImport:
    """Read a `usage-stats.json` or an export, and add its sums to the totals. The file itself is left alone.

    Raises:
        EyesError: `USAGE_FILE_INVALID`, `USAGE_ALREADY_IMPORTED`; what reading the file or writing the ledger raises.
    """
    content = deps.text(request.file)
    data = content.encode() if isinstance(content, str) else content
    found = counted(_parsed(data))
    sha256 = hashlib.sha256(data).hexdigest()
    _once(sha256, found, deps)
    whole = fold.figures(found.buckets)
    return UsageImport(
        file_sha256=sha256,
        source=found.source,
        calls=whole.calls,
        total_tokens=whole.total_tokens,
        buckets=len(found.buckets),
        left_out=found.left_out,
    )


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise EyesError(codes.USAGE_FILE_INVALID, "The file is not JSON.") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _once(sha256: str, found: Counted, deps: UsageDeps) -> None:
    """Add the sums while the list of imported files is locked, so that two processes cannot add the same file."""

    def change(content: dict[str, Any] | None) -> dict[str, Any]:
        listed = (content or {}).get("files")
        files = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
        if sha256 in files:
            raise EyesError(codes.USAGE_ALREADY_IMPORTED, "This very file was imported before.")
        deps.ledger.add_totals(found.buckets)
        return {"files": [*files, sha256][-MOST_REMEMBERED:]}

    deps.documents.update(FILE, FILE_VERSION, change)
