"""Answers everybody's questions but the one that was asked, then that one twice, its id as text."""

import wire


def call(request):
    right = {"content": [{"type": "text", "text": "right"}]}
    wrong = {"content": [{"type": "text", "text": "wrong"}]}
    for wrong_id in (0, 99999, "x", None, request["id"] + 1):
        wire.send({"jsonrpc": "2.0", "id": wrong_id, "result": wrong})
    wire.send({"jsonrpc": "2.0", "id": str(request["id"]), "result": right})
    wire.answer(request, wrong)


wire.serve({"tools/call": call})
