"""A GTK 3 window with a button that highlights under the pointer and does nothing, and one that draws."""

from __future__ import annotations

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402
from telling import asked, tell  # noqa: E402

options = asked(__doc__)
window, column, area = Gtk.Window(title=options.title), Gtk.Box(orientation=Gtk.Orientation.VERTICAL), Gtk.EventBox()


def paint(colour: str) -> None:
    found = Gdk.RGBA()
    found.parse(colour)
    area.override_background_color(Gtk.StateFlags.NORMAL, found)


def draw(_: Gtk.Button) -> None:
    paint("#cc0000")
    tell("drawn")


for label, pressed in (("Nothing", lambda _: tell("nothing")), ("Draw", draw)):
    button = Gtk.Button(label=label, can_focus=False, focus_on_click=False)
    button.connect("clicked", pressed)
    column.add(button)
area.set_size_request(300, 120)
paint("#0000cc")
column.add(area)
window.add(column)
window.connect("map-event", lambda *_: tell("ready"))
window.show_all()
Gtk.main()
