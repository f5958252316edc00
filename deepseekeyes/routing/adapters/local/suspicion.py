"""Text that tries to give orders. It is quoted like any text and named for what it is."""

from __future__ import annotations

import re

_ORDERS = re.compile(
    r"""
    \b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines|messages?|above|previous)\b
    | \b(?:reply|respond|answer|return|output|say|print)\s+(?:back\s+)?(?:only|exactly|nothing\s+but|just)\b
    | \b(?:reveal|print|show|repeat|leak|output)\b.{0,30}\b
        (?:system|hidden|developer|initial)\s+(?:prompt|message|instructions?)\b
    | \bsystem\s+prompt\b
    | \byou\s+(?:are\s+now|must\s+now|will\s+now)\b
    | \b(?:new|updated|real|actual)\s+instructions?\s*:
    | \b(?:act|behave)\s+as\s+(?:if|an?)\b.{0,40}\b(?:assistant|admin|root|developer|model|ai)\b
    | \b(?:do\s+not|don't|never)\s+(?:tell|inform|mention|warn)\b.{0,30}\b(?:user|anyone|operator|human)s?\b
    | \bas\s+an?\s+(?:ai|assistant|language\s+model)\b | \b(?:dear|attention)\s+(?:ai|assistant|model)s?\b
    | \b(?:run|execute|paste)\b.{0,30}\b(?:command|script|in\s+(?:your|the|a)\s+(?:terminal|shell))\b
    | \b(?:upload|send|post|exfiltrate|forward)\b.{0,40}\b(?:files?|passwords?|tokens?|credentials?|secrets?|keys?)\b
    | <\|[a-z_]+\|> | \[/?INST\] | </?(?:system|assistant|instructions?)>
    | (?:忽略|無視|无视|忘记).{0,12}(?:指令|指示|提示|规则|说明) | (?:只|仅)(?:回复|回答|输出|返回) | 系统提示词?
    """,
    re.IGNORECASE | re.VERBOSE,
)


def orders(text: str) -> bool:
    """Whether the text reads like an instruction to whoever processes the picture."""
    return _ORDERS.search(text) is not None
