"""The key of a reading, and the seed's key format as vectors of the compact encoder."""

from __future__ import annotations

import hashlib

import pytest

from deepseekeyes.contracts.evidence import Region
from deepseekeyes.core.canonical import compact
from deepseekeyes.evidence.cachekey import cache_key

PARTS = {
    "kind": "target",
    "source_sha256": "a" * 64,
    "frame": 0,
    "route_id": "local",
    "route_digest": "b" * 64,
    "rendition": {"formats": ["image/png"], "max_side": None},
    "convention": None,
    "prompt": "p1",
    "contract": "c1",
    "question": "Read row 3",
    "region": Region(x=0, y=0, width=1, height=0.5),
}


def test_a_key_is_64_hexadecimal_digits_and_stable():
    assert cache_key(**PARTS) == cache_key(**dict(reversed(PARTS.items())))
    assert len(bytes.fromhex(cache_key(**PARTS))) == 32


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("kind", "base"),
        ("source_sha256", "c" * 64),
        ("frame", 1),
        ("route_id", "other"),
        ("route_digest", "d" * 64),
        ("rendition", {"formats": ["image/png"], "max_side": 1000}),
        ("convention", "pixel"),
        ("prompt", "p2"),
        ("contract", "c2"),
        ("question", "Read row 4"),
        ("question", None),
        ("region", None),
        ("region", Region(x=0, y=0, width=1, height=0.25)),
    ],
)
def test_everything_that_decides_a_reading_decides_the_key(part, value):
    assert cache_key(**{**PARTS, part: value}) != cache_key(**PARTS)


def test_numbers_count_by_value():
    whole = cache_key(**{**PARTS, "region": Region(x=0.0, y=-0.0, width=1.0, height=0.5)})
    assert whole == cache_key(**PARTS)


@pytest.mark.parametrize(
    ("kind", "about", "wanted"),
    [
        ("base", None, "ad28408af6f0935437a9552801d182a99ebc45554d3aa1a7572db5f7ce7a717b"),
        (
            "target",
            {"question": "Read row 3"},
            "c8f28e764da73c23bf6943242090cf0adbdcff2ed9bb64dbdd35440192a94f47",
        ),
        (
            "target",
            {"question": "Read row 3", "region": {"x": 0, "y": 0.0, "width": 1.0, "height": 0.5}},
            "e10d8e4d79d78a02a977a00c78339c34f9758f1fcac7c652c760886ea0375df3",
        ),
    ],
)
def test_the_compact_encoder_reproduces_the_seeds_cache_keys(kind, about, wanted):
    key = {
        "kind": kind,
        "sourceSha256": "a" * 64,
        "provider": "eyes",
        "model": "vision-1",
        "promptVersion": "2026-08-15.3",
        "discriminator": "" if about is None else compact(about),
    }
    assert hashlib.sha256(compact(key).encode()).hexdigest() == wanted
