"""Lists tools over pages: `loop`, `endless`, `empty` (an empty cursor ends it), or a number of pages of one tool."""

import sys

import wire

mode = sys.argv[1]


def tools(request):
    cursor = request.get("params", {}).get("cursor")
    page = int(cursor) if cursor else 0
    tool = dict(wire.TOOL, name="echo" if page == 0 else f"tool{page}")
    result = {"tools": [tool]}
    if mode == "loop":
        result = {"tools": [dict(tool, name=f"tool{len(seen)}")], "nextCursor": "1"}
        seen.append(1)
    elif mode == "endless":
        result = {"tools": [], "nextCursor": str(page + 1)}
    elif mode == "empty":
        result["nextCursor"] = ""
    elif page + 1 < int(mode):
        result["nextCursor"] = str(page + 1)
    wire.answer(request, result)


seen = []
wire.serve({"tools/list": tools})
