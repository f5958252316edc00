"""Where state lives."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def home(environ: Mapping[str, str] | None = None) -> Path:
    """The home directory as an absolute path; nothing is created.

    `DEEPSEEKEYES_HOME`, else `$DSH_HOME/deepseekeyes`, else `~/.dsh/deepseekeyes`. A blank variable counts as unset.
    Writers create what they need with `core.atomic.private_dir`.

    Args:
        environ: the environment to read; the process's own by default.
    """
    environ = os.environ if environ is None else environ
    own = environ.get("DEEPSEEKEYES_HOME", "").strip()
    if own:
        return _absolute(own, environ)
    shared = environ.get("DSH_HOME", "").strip()
    return _absolute(shared or "~/.dsh", environ) / "deepseekeyes"


def _absolute(text: str, environ: Mapping[str, str]) -> Path:
    if text == "~" or text.startswith(("~/", "~\\")):
        user = environ.get("HOME") or environ.get("USERPROFILE")
        return Path(user or Path.home(), text[2:]).absolute()
    return Path(text).expanduser().absolute()
