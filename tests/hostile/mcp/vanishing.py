"""Lists its tool until the file it is given exists, then nothing; with `flaky` the second listing of a start has it."""

import sys
from pathlib import Path

import wire

marker = Path(sys.argv[1])


def tools(request):
    gone = marker.exists()
    if gone and "flaky" in sys.argv:
        count = int(marker.read_text() or 0)
        marker.write_text(str(count + 1))
        gone = count % 2 == 0
    wire.answer(request, {"tools": [] if gone else [wire.TOOL]})


wire.serve({"tools/list": tools})
