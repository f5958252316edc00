"""Failure codes of the core package."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

NOT_JSON = Code(
    "NOT_JSON", "contract", "Only null, booleans, finite numbers, strings, arrays and objects can be encoded."
)
JSON_DEPTH_LIMIT = Code("JSON_DEPTH_LIMIT", "contract", "Send a document that is nested less deeply.")
JSON_NODE_LIMIT = Code("JSON_NODE_LIMIT", "contract", "Send a document with fewer values.")
JSON_STRING_LIMIT = Code("JSON_STRING_LIMIT", "contract", "Send a document with less text.")

DISK_FULL = Code("DISK_FULL", "input", "Free some space or quota, or move the home: deepseekeyes --home DIR ...")
HOME_NOT_WRITABLE = Code("HOME_NOT_WRITABLE", "input", "Choose a writable home: deepseekeyes --home DIR ...")
FILE_UNREADABLE = Code("FILE_UNREADABLE", "input", "Check the file and its permissions: ls -l {path}")
PATH_LOOP = Code("PATH_LOOP", "input", "See where the links lead: namei -l {path}")
WRITE_FAILED = Code("WRITE_FAILED", "input", "Check the disk, then run: deepseekeyes doctor")
LOCK_TIMEOUT = Code("LOCK_TIMEOUT", "unavailable", "Another process holds the lock; try again in a moment.")

CREDENTIAL_MISSING = Code("CREDENTIAL_MISSING", "auth", "Set the environment variable: export {name}=...")

INTERNAL = Code("INTERNAL", "internal", "Report this with the crash file {crash}.")
