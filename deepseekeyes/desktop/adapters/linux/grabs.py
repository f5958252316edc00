"""Who holds the input, and what is held down."""

from __future__ import annotations

from dataclasses import dataclass

from deepseekeyes.core.errors import Dispatched, EyesError
from deepseekeyes.desktop.adapters.linux.connection import Connection
from deepseekeyes.desktop.adapters.linux.keymap import Keymap
from deepseekeyes.desktop.adapters.linux.windows import Windows
from deepseekeyes.desktop.codes import DESKTOP_INPUT_GRABBED, DESKTOP_KEYS_HELD

BUTTONS = ((1 << 8, "left button"), (1 << 9, "middle button"), (1 << 10, "right button"))
LOCKS = {"CAPSLOCK", "MOD2"}
MENUS = {"menu", "popup"}


@dataclass(slots=True)
class Grabs:
    """Probes; one per connection."""

    connection: Connection
    windows: Windows

    def keyboard(self) -> bool:
        """Whether another program holds the keyboard. Asking tells the focused program so for a moment."""
        from Xlib import X

        root, display = self.connection.root, self.connection.display
        status = root.grab_keyboard(False, X.GrabModeAsync, X.GrabModeAsync, X.CurrentTime)
        if status == X.GrabSuccess:
            display.ungrab_keyboard(X.CurrentTime)
            self.connection.sync()
        return bool(status == X.AlreadyGrabbed)

    def pointer(self) -> bool:
        """Whether another program holds the pointer."""
        from Xlib import X

        root, display = self.connection.root, self.connection.display
        status = root.grab_pointer(False, 0, X.GrabModeAsync, X.GrabModeAsync, X.NONE, X.NONE, X.CurrentTime)
        if status == X.GrabSuccess:
            display.ungrab_pointer(X.CurrentTime)
            self.connection.sync()
        return bool(status == X.AlreadyGrabbed)

    def held(self, keymap: Keymap) -> tuple[str, ...]:
        """Modifier keys and buttons that are down now."""
        down = self.connection.display.query_keymap()
        names = [
            name
            for code, name in keymap.modifiers().items()
            if down[code >> 3] & (1 << (code & 7)) and name not in LOCKS
        ]
        mask = int(self.connection.root.query_pointer().mask)
        names += [name for bit, name in BUTTONS if mask & bit]
        return tuple(dict.fromkeys(names))

    def require_no_keys_held(self, keymap: Keymap) -> None:
        """Refuse while somebody holds a modifier or a button.

        Raises:
            EyesError: DESKTOP_KEYS_HELD.
        """
        held = self.held(keymap)
        if held:
            raise EyesError(DESKTOP_KEYS_HELD, f"Somebody holds down: {', '.join(held)}.", details={"dispatched": "no"})

    def require_none(self, dispatched: Dispatched, **fields: object) -> None:
        """Refuse while anybody holds the keyboard.

        Raises:
            EyesError: DESKTOP_INPUT_GRABBED.
        """
        if self.keyboard():
            raise EyesError(
                DESKTOP_INPUT_GRABBED,
                "Another program holds the keyboard.",
                details={"dispatched": dispatched},
                **fields,
            )

    def require_keyboard(self, window: str | None) -> None:
        """Refuse while anybody but a menu of that very program holds the keyboard.

        Raises:
            EyesError: DESKTOP_INPUT_GRABBED.
        """
        if not self._menu_of(window):
            self.require_none("no")

    def require_pointer(self, x: float, y: float) -> None:
        """Refuse a click while the pointer is held, unless an open menu explains it.

        Raises:
            EyesError: DESKTOP_INPUT_GRABBED.
        """
        if self.pointer() and not self._menu_of(None):
            raise EyesError(
                DESKTOP_INPUT_GRABBED,
                f"Another program holds the pointer; a click at {x:g}, {y:g} would go to it.",
                details={"dispatched": "no"},
            )

    def _menu_of(self, window: str | None) -> bool:
        """Whether a menu is open, of the window's program where one is named."""
        listed = self.windows.listed()
        pid = next((one.window.pid for one in listed if one.window.identity == window), None)
        return any(
            one.override
            and one.window.kind in MENUS
            and (window is None or (pid is not None and one.window.pid == pid))
            for one in listed
        )
