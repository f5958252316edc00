"""Never stops printing lines that are no messages."""

import wire


def call(request):
    while True:
        wire.raw("still working on it")


wire.serve({"tools/call": call})
