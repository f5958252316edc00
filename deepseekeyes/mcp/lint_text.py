"""Descriptions that talk to the model instead of describing a tool. Pure; patterns run in linear time."""

from __future__ import annotations

import re
from typing import Final

from deepseekeyes.mcp.surface import visible

LONGEST: Final = 4_000
SCANNED: Final = 100_000

_DISREGARD = (
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|system|all)\b.{0,20}"
    r"\b(?:instruction|prompt|rule|message|direction)"
)
_SECRECY = (
    r"\b(?:do not|don't|never|without)\b.{0,30}\b(?:tell|mention|inform|reveal|notify)(?:ing)?"
    r"\b.{0,30}\b(?:user|human|anyone|operator)"
)
_KEYS = r"(?:~/|\$home/|/)\.(?:ssh|aws|gnupg|netrc)\b|\bid_rsa\b|\bapi[ _-]?keys? (?:from|of) "

COMMANDS: Final = (
    ("tells the model to disregard something", _DISREGARD),
    ("asks for secrecy", _SECRECY),
    ("speaks in the name of the system", r"<\s*/?\s*(?:important|system|secret|hidden)\s*>"),
    ("asks for files or keys of the user", _KEYS),
    ("wants the conversation", r"\b(?:system prompt|conversation history|chat history|previous messages)\b"),
    ("claims a role", r"\byou are (?:now|no longer)\b|\bnew instructions?\s*:"),
)
PRESSURE: Final = (
    (
        "orders itself before other tools",
        r"\b(?:before|instead of)\b.{0,30}\b(?:any|all|every|using|calling)\b.{0,20}\bother tools?\b",
    ),
    ("insists", r"\b(?:you must|always) (?:first )?(?:call|use|invoke|run) this tool\b"),
    ("carries a long encoded text", r"[A-Za-z0-9+/]{200,}={0,2}"),
    ("carries terminal sequences", r"\x1b\["),
)

_COMMANDS = tuple((name, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for name, pattern in COMMANDS)
_PRESSURE = tuple((name, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for name, pattern in PRESSURE)


def injection(text: str) -> tuple[list[str], list[str]]:
    """What fails and what is odd in a description, each as a sentence without its subject."""
    cut = text[:SCANNED]
    seen = visible(cut)
    bad = [name for name, pattern in _COMMANDS if pattern.search(seen)]
    hidden = len(cut) - len(seen)
    if hidden:
        bad.append(f"hides {hidden} characters that people cannot see")
    return bad, [name for name, pattern in _PRESSURE if pattern.search(cut)]
