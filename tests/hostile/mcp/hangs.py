"""Never answers a call, and writes down when it is told to stop."""

import sys
from pathlib import Path

import wire


def cancelled(request):
    Path(sys.argv[1]).write_text("cancelled")


wire.serve({"tools/call": lambda request: None, "notifications/cancelled": cancelled})
