"""Is killed in the middle of a call while a child of its own keeps its stdout open."""

import os
import signal
import subprocess
import sys

import wire


def call(request):
    sys.stderr.write("about to fall over\n")
    sys.stderr.flush()
    subprocess.Popen(["sleep", "30"])
    os.kill(os.getpid(), signal.SIGKILL)


wire.serve({"tools/call": call})
