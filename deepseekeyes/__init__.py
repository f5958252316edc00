"""Auditable eyes and hands for text-only reasoning models."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deepseekeyes.core.errors import EyesError
    from deepseekeyes.serve.python_door import Eyes

__version__ = "0.1.0"
__all__ = ["Eyes", "EyesError", "__version__"]

_OFFERED = {"Eyes": "deepseekeyes.serve.python_door", "EyesError": "deepseekeyes.core.errors"}


def __getattr__(name: str) -> Any:
    """What programs in Python use, loaded when it is named."""
    if name not in _OFFERED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_OFFERED[name]), name)
