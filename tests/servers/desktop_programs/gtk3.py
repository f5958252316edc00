"""A form in GTK 3: entries, a button, a check box, a protected entry, a list that scrolls, a menu, a modal question."""

from __future__ import annotations

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402
from telling import asked, corner, tell  # noqa: E402


class Form(Gtk.Window):
    def __init__(self, title: str, rows: int) -> None:
        super().__init__(title=title)
        self.set_default_size(380, 300)
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, margin=8)
        self.add(column)
        self.name_entry = self._entry(column, "Name")
        self._entry(column, "Password", hidden=True)
        agree = Gtk.CheckButton(label="Agree")
        agree.connect("toggled", lambda box: tell("agree", value=box.get_active()))
        level = Gtk.SpinButton.new_with_range(0, 100, 1)
        level.get_accessible().set_name("Level")
        level.connect("value-changed", lambda spin: tell("level", value=spin.get_value()))
        buttons = Gtk.Box(spacing=6)
        for label, pressed in (("Greet", self.greet), ("Ask", self.ask), ("Quit", self.quit)):
            button = Gtk.Button(label=label)
            button.connect("clicked", pressed)
            buttons.add(button)
        buttons.add(self._menu())
        self.said = Gtk.Label(label="Nothing yet")
        for widget in (agree, level, buttons, self.said):
            column.add(widget)
        if rows:
            column.pack_start(self._list(rows), True, True, 0)
        self.connect("map-event", lambda *_: tell("ready"))
        self.connect("destroy", Gtk.main_quit)

    @staticmethod
    def _entry(column: Gtk.Box, name: str, *, hidden: bool = False) -> Gtk.Entry:
        row, label, entry = Gtk.Box(spacing=6), Gtk.Label(label=name), Gtk.Entry(visibility=not hidden)
        if hidden:
            entry.set_input_purpose(Gtk.InputPurpose.PASSWORD)
        label.set_mnemonic_widget(entry)
        entry.get_accessible().set_name(name)
        entry.connect("changed", lambda one: tell(name.lower(), value=one.get_text()))
        row.add(label)
        row.pack_start(entry, True, True, 0)
        column.add(row)
        return entry

    @staticmethod
    def _menu() -> Gtk.MenuButton:
        menu, item = Gtk.Menu(), Gtk.MenuItem(label="Archive")
        item.connect("activate", lambda *_: tell("archive"))
        menu.add(item)
        menu.show_all()
        menu.connect("map", lambda *_: tell("menu"))
        return Gtk.MenuButton(label="More", popup=menu)

    @staticmethod
    def _list(rows: int) -> Gtk.ScrolledWindow:
        scrolled, box = Gtk.ScrolledWindow(min_content_height=80), Gtk.ListBox()
        scrolled.get_vadjustment().connect("value-changed", lambda place: tell("scrolled", value=place.get_value()))
        for number in range(1, rows + 1):
            button = Gtk.Button(label=f"Row {number}")
            button.connect("clicked", lambda one: tell("row", value=one.get_label()))
            box.add(button)
        scrolled.add(box)
        return scrolled

    def greet(self, _: Gtk.Button) -> None:
        self.said.set_text(f"Hello {self.name_entry.get_text()}")
        tell("greet", value=self.name_entry.get_text())

    def quit(self, _: Gtk.Button) -> None:
        self.destroy()

    def ask(self, _: Gtk.Button) -> None:
        """A modal question in a loop of its own."""
        question = Gtk.MessageDialog(
            transient_for=self, modal=True, buttons=Gtk.ButtonsType.YES_NO, text="Delete everything?", title="Sure?"
        )
        question.connect("map-event", lambda *_: tell("asking"))
        answer = question.run()
        question.destroy()
        tell("answer", value="yes" if answer == Gtk.ResponseType.YES else "no")


options = asked(__doc__)
form = Form(options.title, options.rows)
if place := corner(options.at):
    form.move(*place)
form.show_all()
Gtk.main()
