"""A GTK 3 window with many small buttons, all of them in view."""

from __future__ import annotations

import argparse

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402
from telling import tell  # noqa: E402

COLUMNS = 25
STYLE = b"button { padding: 0; margin: 0; min-height: 0; min-width: 0; font-size: 8px }"

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--title", required=True)
parser.add_argument("--count", type=int, default=500)
options = parser.parse_args()
style = Gtk.CssProvider()
style.load_from_data(STYLE)
Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), style, 800)
window, grid, said = Gtk.Window(title=options.title), Gtk.Grid(), Gtk.Label(label="Nothing yet")


def pressed(button: Gtk.Button) -> None:
    said.set_text(f"Pressed {button.get_label()}")
    tell("pressed", value=button.get_label())


for number in range(options.count):
    one = Gtk.Button(label=f"b{number}")
    one.connect("clicked", pressed)
    grid.attach(one, number % COLUMNS, number // COLUMNS, 1, 1)
grid.attach(said, 0, options.count, COLUMNS, 1)
window.add(grid)
window.connect("map-event", lambda *_: tell("ready"))
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
