"""Starts a helper that outlives it, says its process id, and ends politely."""

import subprocess

import wire

helper = subprocess.Popen(["sleep", "300"])
wire.serve(
    {"tools/call": lambda request: wire.answer(request, {"content": [{"type": "text", "text": str(helper.pid)}]})}
)
