"""Change the home's `config.toml` in place: comments and order stay, one writer at a time, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from deepseekeyes.config.sources import HOME_FILE, KeyPath, decoded, parsed, read
from deepseekeyes.core.errors import EyesError

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

LOCK_FILE: Final = "config.toml.lock"


@contextmanager
def lock_of(home: Path) -> Iterator[None]:
    """Hold the configuration of a home for writing.

    Raises:
        EyesError: LOCK_TIMEOUT, or the home cannot be written.
    """
    from deepseekeyes.core.lock import locked

    with locked(home / LOCK_FILE):
        yield


def set_table(home: Path, path: KeyPath, values: Mapping[str, Any], *, replace: bool = False) -> bool:
    """Write a table, such as `("mcp", "servers", "files")`, with its values.

    Args:
        home: whose configuration.
        path: the table's keys; tables on the way are made.
        values: plain TOML values; None is left out. Keys of an existing table that `values` lacks go away.
        replace: whether an existing table may be changed.

    Returns:
        True when written, False when the table existed and `replace` is off.

    Raises:
        EyesError: CONFIG_* when the file as it is, or as it would become, cannot be used; nothing is written then.
    """

    def change(document: TOMLDocument) -> bool:
        holder = _walk(document, path[:-1], make=True)
        old = holder.get(path[-1])
        if old is not None and not replace:
            return False
        if isinstance(old, Mapping):
            _overwrite(old, values)
        else:
            holder[path[-1]] = _table(values)
        return True

    return _edit(home, change)


def set_value(home: Path, path: KeyPath, value: Any) -> None:
    """Write one value, such as `("mcp", "enabled")`.

    Raises:
        EyesError: as `set_table`.
    """

    def change(document: TOMLDocument) -> bool:
        holder = _walk(document, path[:-1], make=True)
        holder[path[-1]] = _item(value)
        return True

    _edit(home, change)


def remove(home: Path, path: KeyPath) -> bool:
    """Remove a table or a value.

    Returns:
        True when it was there.

    Raises:
        EyesError: as `set_table`.
    """

    def change(document: TOMLDocument) -> bool:
        holder = _walk(document, path[:-1], make=False)
        if holder is None or path[-1] not in holder:
            return False
        del holder[path[-1]]
        return True

    return _edit(home, change)


def _edit(home: Path, change: Callable[[TOMLDocument], bool]) -> bool:
    import tomlkit

    from deepseekeyes.core.atomic import write_private

    path = home / HOME_FILE
    with lock_of(home):
        file = read("home", path)
        text = decoded(file)
        parsed(text, path)
        document = tomlkit.parse(text)
        if not change(document):
            return False
        new = tomlkit.dumps(document)
        _check(new, path, home)
        write_private(path.resolve() if path.is_symlink() else path, new.encode())
    return True


def _check(text: str, path: Path, home: Path) -> None:
    """Refuse to write a file that the next command would refuse to read; problems it had before are not ours."""
    from deepseekeyes.config.load import inspect_text
    from deepseekeyes.config.problems import raised

    before = {problem.message for problem in inspect_text(decoded(read("home", path)), path, home)}
    new = [problem for problem in inspect_text(text, path, home) if problem.message not in before]
    if new:
        raise raised(new)


def _walk(document: Any, path: KeyPath, *, make: bool) -> Any:
    import tomlkit

    here = document
    for part in path:
        inner = here.get(part)
        if inner is None:
            if not make:
                return None
            inner = tomlkit.table(is_super_table=True)
            here[part] = inner
            inner = here[part]
        if not isinstance(inner, Mapping):
            from deepseekeyes.config.codes import CONFIG_VALUE

            raise EyesError(CONFIG_VALUE, f"{part} is no table in the configuration file.")
        here = inner
    return here


def _overwrite(table: Any, values: Mapping[str, Any]) -> None:
    for key in [key for key in table if values.get(key) is None]:
        del table[key]
    for key, value in values.items():
        if value is not None and table.get(key) != value:
            table[key] = _item(value)


def _table(values: Mapping[str, Any]) -> Any:
    import tomlkit

    table = tomlkit.table()
    for key, value in values.items():
        if value is not None:
            table[key] = _item(value)
    return table


def _item(value: Any) -> Any:
    """A mapping inside a table becomes an inline table, so that `{ env = "NAME" }` stays on its line."""
    import tomlkit

    if not isinstance(value, Mapping):
        return tomlkit.item(list(value) if isinstance(value, tuple) else value)
    inline = tomlkit.inline_table()
    for key, item in value.items():
        if item is not None:
            inline[key] = _item(item)
    return inline
