"""Secrets typed by name: a caller knows the names, configuration the variables, and nobody sees the values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from deepseekeyes.automation.codes import SECRET_ELSEWHERE, SECRET_UNKNOWN
from deepseekeyes.automation.settings import NamedSecret
from deepseekeyes.core.errors import EyesError
from deepseekeyes.core.names import nearest
from deepseekeyes.core.secrets import SecretRef, remember

Secrets = Mapping[str, SecretRef | NamedSecret]

_PORTS = {"http": 80, "https": 443}


def named(name: str, secrets: Secrets, variable: Callable[[str], str | None]) -> str:
    """The value of a named secret; the redactor knows it from here on.

    Args:
        name: as the caller gave it.
        secrets: `automation.secrets`.
        variable: a variable of the caller's environment.

    Raises:
        EyesError: SECRET_UNKNOWN with the nearest names; CREDENTIAL_MISSING when the variable is not set.
    """
    known = secrets.get(name)
    reference = known.value if isinstance(known, NamedSecret) else known
    value = variable(reference.env) if reference is not None else None
    if known is None or value is None:
        close = nearest(name, secrets) if secrets and known is None else None
        guess = f"; did you mean {close!r}" if close else ""
        missing = "its variable is not set" if known is not None else f"there is none of that name{guess}"
        raise EyesError(
            SECRET_UNKNOWN,
            f"The secret {name[:64]!r} cannot be typed: {missing}.",
            details={"dispatched": "no", "candidates": sorted(secrets)[:20]},
            name=name[:64],
        )
    remember(value)
    return value


def origins_of(name: str, secrets: Secrets) -> tuple[str, ...]:
    """The sites a named secret is for; none is anywhere."""
    known = secrets.get(name)
    return known.origins if isinstance(known, NamedSecret) else ()


def check_origin(name: str, origins: tuple[str, ...], url: str) -> None:
    """Refuse to type a secret into a page of another site than those it is for.

    Args:
        name: of the secret.
        origins: where it may be typed; empty is anywhere.
        url: of the frame that holds the control.

    Raises:
        EyesError: SECRET_ELSEWHERE.
    """
    if origins and origin(url) not in {origin(each) for each in origins}:
        raise EyesError(
            SECRET_ELSEWHERE,
            f"The secret {name!r} is not for {origin(url) or 'this page'}.",
            details={"dispatched": "no"},
            name=name,
        )


def origin(url: str) -> str:
    """Scheme, host and port of an address, empty for one that has none (`about:`, `data:`)."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        return ""
    return f"{parts.scheme}://{parts.hostname or ''}:{port}"
