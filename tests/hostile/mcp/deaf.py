"""Stops reading its stdin after the first listing."""

import json
import sys
import time

import wire

for line in sys.stdin:
    request = json.loads(line)
    method = request.get("method")
    if method == "initialize":
        wire.greet(request)
    elif method == "tools/list":
        wire.answer(request, {"tools": [wire.TOOL]})
        time.sleep(60)
    elif "id" in request:
        wire.refuse(request, -32601, "Method not found")
