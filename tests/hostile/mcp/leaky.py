"""Puts the secret of its environment into errors, results of errors and stderr."""

import os
import sys

import wire

secret = os.environ["HOSTILE_TOKEN"]
sys.stderr.write("started with " + secret + "\n")
sys.stderr.flush()
wire.serve(
    {"tools/call": lambda request: wire.refuse(request, -32000, "login with " + secret + " failed " + "x" * 10000)}
)
