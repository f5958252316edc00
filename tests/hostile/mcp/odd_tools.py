"""Lists tools that are no tools, tools with odd schemas, and tools whose names only cleaning makes equal."""

import sys

import wire

KINDS = {
    "schemas": [
        {"name": "null", "inputSchema": None},
        {"name": "missing"},
        {"name": "untyped", "inputSchema": {"properties": {"a": {"type": "string"}}}},
        {"name": "string", "inputSchema": {"type": "string"}},
        {"name": "list", "inputSchema": [1]},
        {
            "name": "refs",
            "inputSchema": {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}]}},
                "$defs": {
                    "A": {"type": "string"},
                    "B": {"type": "object", "properties": {"again": {"$ref": "#/$defs/B"}}},
                },
            },
        },
    ],
    "shapes": [
        7,
        None,
        {"description": "nameless"},
        {"name": ""},
        {"name": 5},
        wire.TOOL,
        {"name": "x", "description": 9},
    ],
    "names": [dict(wire.TOOL, name=name) for name in ("a.b", "a_b", "a/b", "名前", "x" * 200)],
    "annotations": [
        dict(wire.TOOL, name="text", annotations={"readOnlyHint": "true"}),
        dict(wire.TOOL, name="number", annotations={"readOnlyHint": 1}),
        dict(wire.TOOL, name="list", annotations=["readOnlyHint"]),
        dict(wire.TOOL, name="both", annotations={"readOnlyHint": True, "destructiveHint": True}),
        dict(wire.TOOL, name="honest"),
    ],
    "twice": [wire.TOOL, wire.TOOL],
    "many": [dict(wire.TOOL, name=f"tool{index:03}") for index in range(257)],
    "long": [dict(wire.TOOL, description="x" * 1_000_001)],
    "wide": [dict(wire.TOOL, description="語" * 900_000), dict(wire.TOOL, name="b", description="語" * 99_000)],
    "not-a-list": {"tools": 5},
    "hidden": [dict(wire.TOOL, description="Adds.\u200b\U000e0041\u202e Really\x1b[31m.")],
}

listed = KINDS[sys.argv[1]]
wire.serve({"tools/list": lambda request: wire.answer(request, {"tools": listed})})
