"""Failure codes of what wiring reads on behalf of the operations."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

FILE_MISSING = Code("FILE_MISSING", "input", "Check the name, or pipe the content in and write - instead.")
FILE_NOT_READ = Code("FILE_NOT_READ", "input", "Name a regular file that you may read.")
FILE_TOO_LARGE = Code("FILE_TOO_LARGE", "input", "Raise `vision.limits.max_bytes`, or name a smaller file.")
