"""A bug becomes a crash file and one sentence."""

from __future__ import annotations

import traceback
from pathlib import Path

from deepseekeyes.core.codes import INTERNAL
from deepseekeyes.core.errors import EyesError

KEPT = 20


def internal(bug: BaseException, home: str | Path | None) -> EyesError:
    """Write a redacted traceback to `crash/` in the home and name it.

    Returns:
        The INTERNAL error to show; its crash file is `none` when it could not be written.
    """
    from deepseekeyes.core.redact import redact
    from deepseekeyes.core.secrets import known_values

    text = redact("".join(traceback.format_exception(bug)), known_values())
    return EyesError(INTERNAL, f"An unexpected {type(bug).__name__} stopped the command.", crash=_written(text, home))


def _written(text: str, home: str | Path | None) -> str:
    from deepseekeyes.core.atomic import private_dir, write_private
    from deepseekeyes.core.clock import Clock, rfc3339
    from deepseekeyes.core.home import home as default_home

    clock = Clock()
    try:
        folder = (Path(home) if home else default_home()) / "crash"
        private_dir(folder)
        stamp = rfc3339(clock.now()).replace(":", "").replace(".", "")
        path = folder / f"{stamp}-{clock.new_id()[:8]}.txt"
        write_private(path, text.encode("utf-8", "backslashreplace"))
        for old in sorted(folder.glob("*.txt"))[:-KEPT]:
            old.unlink(missing_ok=True)
    except (OSError, EyesError):
        return "none (the home cannot be written)"
    return str(path)
