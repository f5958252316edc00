"""Answers with one line of the given number of bytes; without a number it never ends the line."""

import sys

import wire


def call(request):
    if len(sys.argv) > 1:
        wire.answer(request, {"content": [{"type": "text", "text": "x" * int(sys.argv[1])}]})
        return
    while True:
        sys.stdout.write("x" * 65536)


wire.serve({"tools/call": call})
