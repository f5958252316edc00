"""The global options: declared once, accepted anywhere on the line."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import typer

from deepseekeyes import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

META = "deepseekeyes"
SHARED = frozenset({"config", "home", "json", "text", "pretty", "quiet", "verbose"})


@dataclass(slots=True, eq=False, repr=False)
class Globals:
    """What the global options of one invocation said; None where the line did not say."""

    config: str | None = None
    home: str | None = None
    output: Literal["json", "text"] | None = None
    pretty: bool = False
    quiet: bool = False
    verbose: int = 0

    def json_wanted(self, environ: Mapping[str, str], *, terminal: bool) -> bool:
        """JSON off a terminal; on one, what the flag says, else what the environment prefers."""
        if self.output is not None:
            return self.output == "json"
        return not terminal or environ.get("DEEPSEEKEYES_OUTPUT_FORMAT", "").strip().lower() == "json"


def seen(context: typer.Context) -> Globals:
    """The globals collected so far on this line."""
    return context.find_root().obj[META]  # type: ignore[no-any-return]


def guess(arguments: Sequence[str]) -> Globals:
    """The globals of a line that could not be parsed, read off its words."""
    found = Globals()
    for word in arguments:
        if word == "--":
            break
        if word in ("--json", "--text"):
            found.output = "json" if word == "--json" else "text"
        elif word == "--pretty":
            found.pretty = True
        elif word in ("-q", "--quiet"):
            found.quiet = True
    return found


def _config(context: typer.Context, value: str | None) -> None:
    if value is not None:
        seen(context).config = value


def _home(context: typer.Context, value: str | None) -> None:
    if value is not None:
        seen(context).home = value


def _json(context: typer.Context, value: bool) -> None:
    if value:
        seen(context).output = "json"


def _text(context: typer.Context, value: bool) -> None:
    if value:
        seen(context).output = "text"


def _pretty(context: typer.Context, value: bool) -> None:
    if value:
        seen(context).pretty = True


def _quiet(context: typer.Context, value: bool) -> None:
    if value:
        seen(context).quiet = True


def _verbose(context: typer.Context, value: int) -> None:
    if value:
        seen(context).verbose = max(value, seen(context).verbose)


def _version(value: bool) -> None:
    if value:
        sys.stdout.write(f"deepseekeyes {__version__}\n")
        raise typer.Exit


def _shared(*names: str, help: str, callback: Any, default: Any = False, **more: Any) -> Any:
    return typer.Option(default, *names, help=help, callback=callback, expose_value=False, **more)


def root(
    config: str | None = _shared(
        "--config",
        help="Read this configuration file and no other.",
        callback=_config,
        default=None,
        metavar="FILE",
    ),
    home: str | None = _shared(
        "--home", help="Keep state in this directory.", callback=_home, default=None, metavar="DIR"
    ),
    json: bool = _shared("--json", help="Print one JSON document.", callback=_json),
    text: bool = _shared("--text", help="Print text for people.", callback=_text),
    pretty: bool = _shared("--pretty", help="Indent the JSON document.", callback=_pretty),
    quiet: bool = _shared("-q", "--quiet", help="No progress and no hints on standard error.", callback=_quiet),
    verbose: int = _shared(
        "-v",
        "--verbose",
        help="Say more on standard error.",
        callback=_verbose,
        default=0,
        count=True,
        show_default=False,
    ),
    version: bool = typer.Option(
        False, "--version", help="Print the version.", callback=_version, expose_value=False, is_eager=True
    ),
) -> None:
    """Auditable eyes and hands for text-only reasoning models."""
