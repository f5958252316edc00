"""Re-checking an evidence record offline, as a third person would.

Every check says what it saw. A check that needs pixels which are not at hand is skipped, never passed. `cacheHit`,
`run` and `persistence` travel beside a record and belong to a call; nothing vouches for them and nothing checks them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from deepseekeyes.contracts.check import Check, CheckStatus
from deepseekeyes.contracts.validation import Verification
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.redact import clip
from deepseekeyes.evidence.bounds import AnswerBounds

if TYPE_CHECKING:
    from deepseekeyes.vision.rederive import Rederived

Rederive = Callable[[Mapping[str, Any], bytes], "Rederived"]

TRAVELLING: Final = frozenset({"cacheHit", "run", "persistence"})
RECORD_BOUNDS: Final = AnswerBounds(depth=64)
NO_PIXELS: Final = "no pixels"

_GROUP = "record"
_CONTENT = ("contract", "evidence", "boxes", "audit")
_PICTURE = ("source-hash", "source-facts", "rendition")
_FIX = "Read the picture again: deepseekeyes vision read IMAGE --fresh"

_Finding = tuple[CheckStatus, str]


def verify_record(
    record: Mapping[str, Any],
    *,
    picture: bytes | None = None,
    rederive: Rederive | None = None,
    key: str | None = None,
    faults: Sequence[str] = (),
) -> Verification:
    """Hold one record against everything it claims.

    Args:
        record: the record as JSON values, with or without the parts that only travel beside it.
        picture: the bytes of the picture it is about; None when they are not at hand.
        rederive: decodes the picture and makes its rendition again (`vision.rederive`).
        key: the key under which it was found; None when it did not come out of a store.
        faults: what was wrong with it as JSON text.
    """
    checks = tuple(_checks(record, picture, rederive, key, faults))
    statuses = {check.status for check in checks}
    return Verification(
        record_sha256=_text(record.get("recordSha256")),
        cache_key=_text(record.get("cacheKey")),
        valid="failed" not in statuses,
        complete=not statuses & {"failed", "skipped"},
        checks=checks,
    )


def _checks(
    record: Mapping[str, Any],
    picture: bytes | None,
    rederive: Rederive | None,
    key: str | None,
    faults: Sequence[str],
) -> Iterator[Check]:
    readable = _json(record, faults)
    yield _check("json", readable)
    if readable[0] == "failed":
        yield from _untouched(("digest", "shape", "key", *_CONTENT, *_PICTURE), "the record cannot be read")
        return
    yield _check("digest", _digest(record))
    shaped = _shape(record)
    yield _check("shape", shaped)
    yield _check("key", _key(record, key))
    if shaped[0] == "failed":
        yield from _untouched((*_CONTENT, *_PICTURE), "the record does not have its shape")
        return
    yield _check("contract", _contract(record))
    yield _check("evidence", _evidence(record))
    yield _check("boxes", _boxes(record))
    yield _check("audit", _audit(record))
    if picture is None:
        yield from _untouched(_PICTURE, NO_PIXELS)
    else:
        yield from _pixels(record, picture, rederive)


def _check(name: str, finding: _Finding) -> Check:
    status, seen = finding
    return Check(
        id=f"{_GROUP}.{name}",
        group=_GROUP,
        status=status,
        seen=clip(seen, 500),
        fix=_FIX if status == "failed" else None,
    )


def _untouched(names: Sequence[str], why: str) -> Iterator[Check]:
    for name in names:
        yield _check(name, ("skipped", why))


def _json(record: Mapping[str, Any], faults: Sequence[str]) -> _Finding:
    from deepseekeyes.core.canonical import canonical
    from deepseekeyes.evidence.bounds import bounded

    if faults:
        return "failed", "; ".join(faults[:3])
    try:
        bounded(dict(record), RECORD_BOUNDS)
        canonical(dict(record))
    except EyesError as error:
        return "failed", error.message
    return "ok", "strict JSON within the bounds"


def _digest(record: Mapping[str, Any]) -> _Finding:
    from deepseekeyes.core.canonical import digest

    content = {name: value for name, value in record.items() if name not in TRAVELLING and name != "recordSha256"}
    derived = digest(content)
    claimed = record.get("recordSha256")
    if claimed == derived:
        return "ok", f"recordSha256 {derived} derived again"
    return "failed", f"the content has the digest {derived}, the record claims {_told(claimed)}"


def _shape(record: Mapping[str, Any]) -> _Finding:
    import json

    from pydantic import ValidationError

    from deepseekeyes.contracts.evidence import EvidenceRecord

    try:
        EvidenceRecord.model_validate_json(json.dumps(dict(record)), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        return "failed", f"{_pointer(first['loc'])}: {first['msg']}"
    missing = [name for name in _STORED if name not in record]
    if missing:
        return "failed", f"/{missing[0]} is missing"
    return "ok", str(record["schema"])


def _key(record: Mapping[str, Any], key: str | None) -> _Finding:
    claimed = record.get("cacheKey")
    if key is None:
        return "skipped", "the record did not come out of a store, and a route's configuration is not part of it"
    if claimed == key:
        return "ok", f"found under its own key {key}"
    return "failed", f"found under {key}, the record claims {_told(claimed)}"


def _contract(record: Mapping[str, Any]) -> _Finding:
    from deepseekeyes.evidence.schema import CONTRACT, shape

    form = shape(record["kind"])
    version, claimed = record["evidence"].get("schemaVersion"), record["contract"]["evidence"]
    if version != form.version:
        return "failed", f"a {record['kind']} record holds evidence of version {_told(version)}"
    if claimed not in {form.version, CONTRACT}:
        return "failed", f"the record claims the contract {_told(claimed)}"
    if record["kind"] == "target" and not record["question"]:
        return "failed", "a target record without a question"
    if record["kind"] == "base" and record["question"] is not None:
        return "failed", "a base record with a question"
    return "ok", form.version


def _evidence(record: Mapping[str, Any]) -> _Finding:
    from deepseekeyes.evidence.validate import problems

    found = problems(record["evidence"], record["kind"])
    return ("failed", found.sentence) if found else ("ok", "every rule of the schema holds")


def _boxes(record: Mapping[str, Any]) -> _Finding:
    from deepseekeyes.vision.record_boxes import misplaced

    wrong, total = misplaced(record)
    if wrong:
        return "failed", wrong[0]
    return "ok", f"{total} boxes lie inside of what was sent"


def _audit(record: Mapping[str, Any]) -> _Finding:
    from deepseekeyes.vision.record_boxes import disagreements

    wrong, total = disagreements(record)
    if wrong:
        return "failed", wrong[0]
    return "ok", f"{total} recorded changes lead to what the evidence says"


def _pixels(record: Mapping[str, Any], picture: bytes, rederive: Rederive | None) -> Iterator[Check]:
    source = record["source"]
    found = hashlib.sha256(picture).hexdigest()
    if found != source["sha256"]:
        yield _check(
            "source-hash", ("failed", f"the picture has the hash {found}, the record claims {source['sha256']}")
        )
        yield from _untouched(_PICTURE[1:], "the picture is another one")
        return
    yield _check("source-hash", ("ok", f"{len(picture)} bytes with the hash {found}"))
    if rederive is None:
        yield from _untouched(_PICTURE[1:], "no decoder")
        return
    try:
        derived = rederive(record, picture)
    except EyesError as error:
        status: CheckStatus = "skipped" if "limit" in error.details else "failed"
        for name in _PICTURE[1:]:
            yield _check(name, (status, f"{error.code.name}: {error.message}"))
        return
    differing = [name for name in derived.source if derived.source[name] != source.get(name)]
    if differing:
        name = differing[0]
        seen = f"{name} is {_told(derived.source[name])}, the record claims {_told(source.get(name))}"
        yield _check("source-facts", ("failed", seen))
    else:
        yield _check("source-facts", ("ok", f"upright pixels {source['pixelSha256']} derived again"))
    if derived.rendition:
        yield _check("rendition", ("ok", f"{record['rendition']['sha256']} derived again"))
    else:
        yield _check("rendition", ("failed", "the recorded rendition does not come out of these pixels"))


def _text(value: Any) -> str | None:
    return clip(value, 100) if isinstance(value, str) else None


def _told(value: Any) -> str:
    return clip(repr(value), 80)


def _pointer(steps: Sequence[Any]) -> str:
    return "".join(f"/{step}" for step in steps) or "/"


_STORED: Final = (
    "schema",
    "recordSha256",
    "cacheKey",
    "readId",
    "supersedes",
    "kind",
    "question",
    "region",
    "source",
    "rendition",
    "route",
    "contract",
    "coordinates",
    "repairs",
    "evidence",
)
