"""A Tk window, which has no tree: a button that only highlights, a field that takes one letter, an area that draws."""

from __future__ import annotations

import tkinter as tk

from telling import asked, tell

options = asked(__doc__)
window = tk.Tk()
window.title(options.title)
window.geometry("300x200")
button = tk.Button(window, text="Nothing", activebackground="#ffd000", takefocus=0, command=lambda: tell("nothing"))
button.place(x=0, y=0, width=120, height=40)
field = tk.Entry(window, takefocus=0)
field.place(x=140, y=5, width=150, height=30)
area = tk.Frame(window, background="#0000cc")
area.place(x=0, y=50, width=300, height=150)


def draw(_: object) -> None:
    area.configure(background="#cc0000")
    tell("drawn")


def key(event: tk.Event[tk.Entry]) -> str | None:
    tell("key", name=event.keysym)
    return None if event.keysym == "a" else "break"


field.bind("<FocusIn>", lambda _: tell("focus"))
field.bind("<Key>", key)
area.bind("<Button-1>", draw)
window.bind("<Map>", lambda _: tell("ready"))
window.mainloop()
