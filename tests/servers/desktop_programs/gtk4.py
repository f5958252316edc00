"""A form in GTK 4: an entry, a button, a check box."""

from __future__ import annotations

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # noqa: E402
from telling import asked, tell  # noqa: E402


def form(title: str) -> Gtk.Window:
    window = Gtk.Window(title=title, default_width=340, default_height=200)
    column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
    label, entry, said = Gtk.Label(label="Name"), Gtk.Entry(), Gtk.Label(label="Nothing yet")
    entry.update_property([Gtk.AccessibleProperty.LABEL], ["Name"])
    entry.connect("changed", lambda one: tell("name", value=one.get_text()))
    agree, greet = Gtk.CheckButton(label="Agree"), Gtk.Button(label="Greet")
    agree.connect("toggled", lambda box: tell("agree", value=box.get_active()))

    def pressed(_: Gtk.Button) -> None:
        said.set_text(f"Hello {entry.get_text()}")
        tell("greet", value=entry.get_text())

    greet.connect("clicked", pressed)
    for widget in (label, entry, agree, greet, said):
        column.append(widget)
    window.set_child(column)
    window.connect("map", lambda *_: tell("ready"))
    return window


options = asked(__doc__)
window = form(options.title)
loop = GLib.MainLoop()
window.connect("close-request", lambda *_: loop.quit())
window.present()
loop.run()
