"""The text of a first `config.toml`: every setting with its meaning and default, commented out. Pure."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from deepseekeyes.config.fields import entry_model, expected, leaves
from deepseekeyes.config.settings import SECTIONS, section_type
from deepseekeyes.config.sources import KeyPath, dotted
from deepseekeyes.contracts.settings import Section

HEAD: Final = """\
# Settings of deepseekeyes. Every line is a comment until you remove its `#`; what stands there then is the default.
# What is in force, and where each value comes from: deepseekeyes config show
# Check this file: deepseekeyes config validate
#
# A setting `key` of `[section]` can also be given as the environment variable DEEPSEEKEYES_SECTION_KEY.
# A secret is never written here, only the name of the variable that holds it: key = { env = "NAME" }
"""

ROUTE_EXAMPLE: Final = """\
# A route is a model behind an endpoint. Without any there is the local eye, and DeepSeek once its key is set.
# [routes.qwen]
# engine = "openai_chat"
# base_url = "https://example.invalid/v1"
# model = "qwen-vl"
# key = { env = "QWEN_KEY" }
# capabilities = ["image_to_evidence"]
# inputs = ["text", "image"]
# priority = 10
# coordinates = "0-1000"
"""

SERVER_EXAMPLE: Final = """\
# [mcp.servers.files]
# transport = "stdio"
# command = "npx"
# args = ["-y", "@modelcontextprotocol/server-filesystem", "."]
# allowed_tools = ["read_text_file"]
"""

SECRETS_EXAMPLE: Final = """\
# Secrets that are typed by name, never shown: `browser type --secret-name login`. A table of `value` and `origins`
# holds one to the sites it is for.
# [automation.secrets]
# login = { env = "LOGIN_PASSWORD" }
"""

EXAMPLE_TABLES: Final = {("automation", "secrets")}
EXAMPLES: Final = {"automation": SECRETS_EXAMPLE, "mcp": SERVER_EXAMPLE}

WIDTH: Final = 110


def starter() -> str:
    """The whole text; parsing it as it is yields empty sections."""
    parts = [HEAD, ROUTE_EXAMPLE]
    for name in SECTIONS:
        parts.append("\n".join(_section(name, section_type(name))) + "\n")
        if name in EXAMPLES:
            parts.append(EXAMPLES[name])
    return "\n".join(parts)


def _section(name: str, model: type[Section]) -> Iterator[str]:
    yield from _comment((model.__doc__ or "").strip().splitlines()[0])
    yield f"[{name}]"
    table: KeyPath = (name,)
    for leaf in sorted(leaves(model, (name,)), key=lambda leaf: len(leaf.path)):
        if entry_model(leaf.info.annotation) is not None or leaf.path in EXAMPLE_TABLES:
            continue
        if leaf.path[:-1] != table:
            table = leaf.path[:-1]
            yield ""
            yield f"[{dotted(table)}]"
        yield from _comment(leaf.info.description or "")
        if leaf.default is None:
            yield f"# {leaf.path[-1]} = ...   # {expected(leaf.info)}; not set"
        else:
            yield f"# {leaf.path[-1]} = {written(leaf.default)}"


def _comment(text: str) -> Iterator[str]:
    for line in textwrap.wrap(text, WIDTH):
        yield f"# {line}"


def written(value: Any) -> str:
    """A plain value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Path):
        return json.dumps(value.as_posix())
    if isinstance(value, list | tuple):
        return "[" + ", ".join(written(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {written(item)}" for key, item in value.items()) + " }" if value else "{}"
    return json.dumps(value, ensure_ascii=False)
