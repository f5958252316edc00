"""Groups whose commands are imported when they are named, and options that every command takes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from deepseekeyes.cli.commands import Command, Group
from deepseekeyes.cli.options import SHARED

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter


class ExampleFirst:
    """Help that starts with something to type."""

    example: str = ""

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        if self.example:
            formatter.write_text("Example:")
            with formatter.indentation():
                for line in self.example.splitlines():
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
            formatter.write_paragraph()
        super().format_help(ctx, formatter)  # type: ignore[misc]


class EyesCommand(ExampleFirst, TyperCommand):
    """A leaf command."""


class LazyGroup(ExampleFirst, TyperGroup):
    """A group that knows its commands by name and summary; the code behind one is imported on use."""

    table: Group

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002
        return list(self.table.commands)

    def get_command(self, ctx: Context, cmd_name: str) -> Any:
        entry = self.table.commands.get(cmd_name)
        if entry is None:
            return None
        command = self.commands.get(cmd_name)
        if command is None:
            command = build_group(cmd_name, entry) if isinstance(entry, Group) else build_command(cmd_name, entry)
            self.commands[cmd_name] = command
            _share_options(ctx, command)
        return command

    def resolve_command(self, ctx: Context, args: list[str]) -> Any:
        name = str(args[0])
        if name not in self.table.commands and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, self.table.commands, n=1)
            ctx.fail(f"No such command '{name}'." + (f" Did you mean '{near[0]}'?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self.table.commands.items()])

    def shell_complete(self, ctx: Context, incomplete: str) -> list[Any]:
        from typer._click.shell_completion import CompletionItem

        names = [
            CompletionItem(name, help=entry.summary)
            for name, entry in self.table.commands.items()
            if name.startswith(incomplete)
        ]
        options = super(TyperGroup, self).shell_complete(ctx, incomplete)
        return names + [item for item in options if item.value not in self.table.commands]


def build_group(name: str, table: Group) -> LazyGroup:
    """A group from its row of the table."""
    group = LazyGroup(name=name, rich_markup_mode=None, help=table.summary, no_args_is_help=True)
    group.table = table
    group.example = table.example
    return group


def build_command(name: str, entry: Command) -> TyperCommand:
    """Import a command's module and build it. The module holds `command` (a function) and `EXAMPLE`."""
    module = import_module(entry.module)
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name=name, cls=EyesCommand)(module.command)
    command = typer.main.get_command(app)
    command.name = name
    command.example = module.EXAMPLE  # type: ignore[attr-defined]
    return command  # type: ignore[return-value]


def _share_options(ctx: Context, command: Any) -> None:
    root = ctx.find_root().command
    have = {option for parameter in command.params for option in parameter.opts}
    command.params.extend(
        parameter
        for parameter in root.params
        if isinstance(parameter, TyperOption)
        and not parameter.expose_value
        and parameter.name in SHARED
        and not have & set(parameter.opts)
    )
