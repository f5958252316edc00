"""Ignores the end of its stdin and SIGTERM."""

import signal
import time

import wire

signal.signal(signal.SIGTERM, signal.SIG_IGN)
wire.serve({})
while True:
    time.sleep(1)
