"""Prints a banner, box drawings and log lines on stdout, before and between its answers."""

import wire

wire.raw("\U0001f680 Server starting...")
wire.raw("╔════════╗")
wire.raw('{"level": "info", "msg": "a log line that is JSON"}')
wire.raw("[1, 2, 3]")


def call(request):
    wire.raw("│ working │")
    wire.answer(request, {"content": [{"type": "text", "text": "ok"}]})
    wire.raw("└────────┘")


wire.serve({"tools/call": call})
