"""Failure codes of live sessions."""

from __future__ import annotations

from deepseekeyes.core.errors import Code

SESSION_NOT_FOUND = Code("SESSION_NOT_FOUND", "input", "Start one: {command}")
SESSION_DIED = Code("SESSION_DIED", "input", "Start a new one: {command}")
SESSION_LOST = Code(
    "SESSION_LOST", "unresolved", "See what is left, then look before acting again: deepseekeyes {kind} sessions"
)
SESSION_START_FAILED = Code("SESSION_START_FAILED", "input", "Read the log: {log}")
SESSION_START_TIMEOUT = Code("SESSION_START_TIMEOUT", "unavailable", "Raise {setting}, or read the log: {log}")
SESSION_VERSION = Code("SESSION_VERSION", "input", "End it, then start a new one: {command}")
SESSION_BUSY = Code("SESSION_BUSY", "unavailable", "Wait for the running command, or raise {setting}.")
SESSION_UNRESPONSIVE = Code("SESSION_UNRESPONSIVE", "unavailable", "End it: {command}")
SESSION_ENDING = Code("SESSION_ENDING", "unavailable", "Try again in a moment.")
SESSION_LINE_LIMIT = Code("SESSION_LINE_LIMIT", "contract", "Ask for less, or raise {setting}.")
SESSION_PROTOCOL = Code("SESSION_PROTOCOL", "contract", "End the session, then start a new one: {command}")
SESSION_FORBIDDEN = Code("SESSION_FORBIDDEN", "policy", "Only the user who started a session may use it.")
