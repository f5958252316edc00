"""Failure codes of the command line itself."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

USAGE = Code("USAGE", "usage", "{command} --help")
INTERRUPTED = Code("INTERRUPTED", "interrupt", "Run the command again; finished work is kept.")
STDIN_UNAVAILABLE = Code(
    "STDIN_UNAVAILABLE", "input", "Pipe the input in, or name a file: deepseekeyes vision read FILE."
)
STDIN_TOO_LARGE = Code("STDIN_TOO_LARGE", "input", "Give less, or raise {setting}.")
OUTPUT_FAILED = Code(
    "OUTPUT_FAILED", "input", "Free some space where the output goes, or send it elsewhere, then run the command again."
)
