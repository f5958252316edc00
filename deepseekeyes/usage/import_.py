"""`usage import`: add statistics that were counted elsewhere to the totals, each call once."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NoReturn

from deepseekeyes.contracts.model import Contract
from deepseekeyes.contracts.usage_report import UsageImport
from deepseekeyes.core.errors import EyesError
from deepseekeyes.usage import codes, fold
from deepseekeyes.usage.deps import UsageDeps
from deepseekeyes.usage.statistics_file import counted


class ImportRequest(Contract):
    """The file; `-` is standard input."""

    file: str


async def import_(request: ImportRequest, deps: UsageDeps) -> UsageImport:
    """Read a `usage-stats.json` or an export, and add what of its sums is new to the totals.

    What was imported before, in this file or in an older one of the same origin, is known, and so is what this home
    counted itself. The file is left alone.

    Raises:
        EyesError: `USAGE_FILE_INVALID`; what reading the file or writing the ledger raises.
    """
    content = deps.text(request.file)
    data = content.encode() if isinstance(content, str) else content
    sha256 = hashlib.sha256(data).hexdigest()
    found = counted(_parsed(data), sha256)
    whole = fold.figures(bucket for source in found.sources for bucket in source.buckets)
    new = fold.figures(deps.ledger.import_totals(found.sources))
    return UsageImport(
        file_sha256=sha256,
        source=found.kind,
        calls=whole.calls,
        new_calls=new.calls,
        known_calls=whole.calls - new.calls,
        new_tokens=new.total_tokens,
        left_out=found.left_out,
    )


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise EyesError(codes.USAGE_FILE_INVALID, "The file is not JSON.") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)
