"""From words to an operation's name and payload. Nothing runs here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import typer

from deepseekeyes.cli.codes import USAGE
from deepseekeyes.cli.commands import ROOT
from deepseekeyes.cli.lazy import LazyGroup
from deepseekeyes.cli.options import META, root
from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from typer._click.exceptions import ClickException

    from deepseekeyes.cli.options import Globals

Call = tuple[str, dict[str, Any]]
INTERRUPTED_EXIT = 130
"""What Typer makes of an interrupt while it parses."""


def tree() -> LazyGroup:
    """The command tree; groups and commands below it load when they are named."""
    app = typer.Typer(
        name="deepseekeyes",
        cls=LazyGroup,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(root)
    group = typer.main.get_command(app)
    assert isinstance(group, LazyGroup)
    group.table = ROOT
    group.example = ROOT.example
    return group


def parse(arguments: list[str], options: Globals) -> Call | int:
    """Parse one line.

    Args:
        arguments: the words after the program's name.
        options: filled with the global options found anywhere on the line.

    Returns:
        The operation's name and payload, or the exit code of help.

    Raises:
        EyesError: USAGE for a wrong line, with Typer's own words.
    """
    from typer._click.exceptions import ClickException, NoArgsIsHelpError

    try:
        result = tree().main(arguments, prog_name="deepseekeyes", standalone_mode=False, obj={META: options})
    except NoArgsIsHelpError as bare:
        bare.show()
        raise EyesError(USAGE, "A command is missing.", command=_where(bare)) from None
    except ClickException as wrong:
        raise EyesError(USAGE, _sentence(wrong.format_message()), command=_where(wrong)) from None
    except typer.Abort:
        raise KeyboardInterrupt from None
    if result == INTERRUPTED_EXIT:
        raise KeyboardInterrupt
    return result if isinstance(result, int) else cast("Call", result)


def _where(wrong: ClickException) -> str:
    """The words that lead to the command whose line was wrong."""
    context = getattr(wrong, "ctx", None)
    return context.command_path if context is not None else "deepseekeyes"


def _sentence(text: str) -> str:
    folded = " ".join(text.replace("Value error, ", "").split())
    return folded if folded.endswith((".", "?", "!")) else folded + "."
