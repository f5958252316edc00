"""A Tk window of one colour that tells where it was clicked."""

from __future__ import annotations

import argparse
import tkinter as tk

from telling import corner, tell

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--title", required=True)
parser.add_argument("--colour", default="#2060c0")
parser.add_argument("--size", default="300x200")
parser.add_argument("--at", default="", help="x,y of the window")
options = parser.parse_args()
window = tk.Tk()
window.title(options.title)
window.configure(background=options.colour)
place = corner(options.at)
window.geometry(options.size + (f"+{place[0]}+{place[1]}" if place else ""))
for button, name in ((1, "clicked"), (2, "middle"), (3, "menu"), (4, "up"), (5, "down")):
    window.bind(f"<Button-{button}>", lambda event, name=name: tell(name, x=event.x, y=event.y))
window.bind("<Double-Button-1>", lambda event: tell("double", x=event.x, y=event.y))
window.bind("<ButtonRelease-1>", lambda event: tell("released", x=event.x, y=event.y))
window.bind("<Key>", lambda event: tell("key", name=event.keysym))
window.bind("<Map>", lambda _: tell("ready"))
window.mainloop()
