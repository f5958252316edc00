"""Answers with results of unusual shapes."""

import sys

import wire

RESULTS = {
    "unknown-block": {"content": [{"type": "hologram", "data": "x"}, 5, None, {"type": "text"}]},
    "no-content": {"answer": 42},
    "null-content": {"content": None},
    "extra": {"content": [{"type": "text", "text": "a", "annotations": {"priority": 2}}], "vendor": {"x": 1}},
    "many-blocks": {"content": [{"type": "text", "text": ""}] * 4097},
    "many-nodes": {"content": [], "structuredContent": {"a": [0] * 50_000}},
    "long-text": {"content": [{"type": "text", "text": "x" * 16_777_217}]},
    "link": {"content": [{"type": "resource_link", "uri": "file:///a", "name": "a"}]},
}
wire.serve({"tools/call": lambda request: wire.answer(request, RESULTS[sys.argv[1]])})
