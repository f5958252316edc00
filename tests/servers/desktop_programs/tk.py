"""A form in Tk, which has no accessibility tree: an entry, a button, and a window that may come and take the focus."""

from __future__ import annotations

import tkinter as tk

from telling import asked, corner, tell


class Form(tk.Tk):
    def __init__(self, title: str, thief_after: int) -> None:
        super().__init__()
        self.title(title)
        self.thief_after = thief_after
        self.text = tk.StringVar(self)
        self.text.trace_add("write", self.changed)
        tk.Label(self, text="Name").pack()
        self.entry = tk.Entry(self, textvariable=self.text, width=40, font=("DejaVu Sans", 12))
        self.entry.pack(padx=20, pady=10)
        self.said = tk.Label(self, text="Nothing yet")
        tk.Button(self, text="Greet", command=self.greet, height=2, width=20).pack()
        self.said.pack(pady=10)
        self.bind("<Map>", lambda event: tell("ready") if event.widget is self else None)

    def greet(self) -> None:
        self.said.config(text=f"Hello {self.text.get()}")
        tell("greet", value=self.text.get())

    def changed(self, *_: object) -> None:
        tell("name", value=self.text.get())
        if self.thief_after and len(self.text.get()) >= self.thief_after:
            self.thief_after = 0
            self.steal()

    def steal(self) -> None:
        """Open a window that takes the keyboard."""
        thief = tk.Toplevel(self)
        thief.title("Thief")
        taken = tk.StringVar(thief)
        taken.trace_add("write", lambda *_: tell("stolen", value=taken.get()))
        entry = tk.Entry(thief, textvariable=taken)
        entry.pack(padx=40, pady=40)
        thief.update()
        entry.focus_force()
        thief.update()
        tell("thief")


options = asked(__doc__)
form = Form(options.title, options.thief_after)
if place := corner(options.at):
    form.geometry(f"+{place[0]}+{place[1]}")
form.mainloop()
