"""Windows, dialogs, forms and shells, by day and by night."""

from __future__ import annotations

from page import DIM, FAINT, GLOW, INK, NIGHT, Page


def dialog() -> Page:
    page = Page(720, 400, "#dfe3e8")
    page.panel(60, 50, 600, 300, "#ffffff", DIM, 8)
    page.panel(60, 50, 600, 44, "#b3261e", None, 8)
    page.say(80, 61, "Upload stopped", 18, "#ffffff", "bold", box=True)
    page.say(90, 124, "Error NX-2081: the connection was reset.", 17, box=True)
    page.say(90, 158, "412 of 960 files were sent to eu-north-2.", 16)
    page.say(90, 190, "Try again after 45 seconds.", 16)
    page.button(330, 286, 140, "Show details")
    page.read("Show details")
    page.button(490, 286, 140, "Try again")
    page.place("Try again")
    page.never("succeeded")
    return page


def form() -> Page:
    page = Page(640, 480, "#f1f3f4")
    page.say(40, 30, "Create an account", 26, face="bold", box=True)
    for row, (label, value) in enumerate(
        (("Full name", "Petra Lindqvist"), ("E-mail", "petra@mail.example"), ("Company", "Fjord Optics AB"))
    ):
        page.text(40, 92 + row * 82, label, 15, DIM)
        page.panel(40, 114 + row * 82, 560, 40, "#ffffff", "#bdc1c6", 4)
        page.say(54, 124 + row * 82, value, 17)
    page.say(74, 352, "Send me news once a month", 16)
    page.panel(40, 350, 22, 22, "#ffffff", DIM)
    page.button(40, 404, 180, "Create account", "#1a73e8", "#ffffff")
    page.place("Create account")
    page.never("password")
    return page


def files() -> Page:
    page = Page(760, 440)
    page.panel(0, 0, 760, 40, "#e8eaed")
    page.say(16, 10, "Home / Projects / turbine", 16)
    rows = (
        ("blade-profile.step", "48.2 MB", "27 Nov 2026"),
        ("load-cases.xlsx", "812 KB", "26 Nov 2026"),
        ("report-draft-v7.docx", "2.3 MB", "25 Nov 2026"),
        ("wind-2026.csv", "17.9 MB", "3 Oct 2026"),
        ("README.txt", "4 KB", "12 Jan 2025"),
    )
    for row, cells in enumerate(rows):
        y = 64 + row * 52
        if row == 2:
            page.panel(8, y - 12, 744, 46, "#d2e3fc")
        for x, cell in zip((24, 420, 580), cells, strict=True):
            page.text(x, y, cell, 16, INK if x == 24 else DIM)
    for text in ("blade-profile.step", "report-draft-v7.docx", "812 KB", "3 Oct 2026"):
        page.read(text)
    page.place("wind-2026.csv")
    page.say(24, 398, "5 items, 1 selected (2.3 MB)", 15, DIM)
    return page


def shell() -> Page:
    page = Page(820, 380, "#101316")
    lines = (
        "$ systemctl status relay.service",
        "relay.service - message relay",
        "Loaded: loaded (/etc/systemd/system/relay.service)",
        "Active: failed (Result: exit-code)",
        "Main PID: 48213 (code=exited, status=203/EXEC)",
        "Memory: 6.1M (peak: 11.4M)",
        "$ journalctl -u relay -n 1",
        "relay[48213]: cannot open /run/relay.sock: EACCES",
    )
    for row, line in enumerate(lines):
        page.text(20, 22 + row * 42, line, 17, "#d4d4d4", "mono")
    for row in (2, 3, 4, 7):
        page.read(lines[row])
    page.place(lines[3])
    return page


def browser() -> Page:
    page = Page(820, 460)
    page.panel(0, 0, 820, 54, "#dee1e6")
    page.panel(90, 10, 640, 34, "#ffffff", None, 17)
    page.say(110, 17, "https://weather.example/week?city=Tromso", 16)
    page.say(40, 84, "Weather for Tromso", 28, face="bold", box=True)
    for column, (day, high, low) in enumerate((("Mon", "-3", "-9"), ("Tue", "1", "-4"), ("Wed", "4", "0"))):
        x = 40 + column * 250
        page.panel(x, 150, 230, 200, "#eef3fb", "#c4d4f0", 10)
        page.text(x + 115, 168, day, 22, face="bold", anchor="ma")
        page.text(x + 115, 218, f"high {high} C", 19, anchor="ma")
        page.text(x + 115, 258, f"low {low} C", 19, DIM, anchor="ma")
    for text in ("high -3 C", "low -4 C", "high 4 C"):
        page.read(text)
    page.say(40, 390, "Updated 30 November 2026, 06:15", 16, DIM)
    page.never("Thu", "ocr")
    return page


def toolbar() -> Page:
    page = Page(760, 240, "#f8f9fa")
    for column, label in enumerate(("File", "Edit", "View", "Insert", "Help")):
        page.text(20 + column * 90, 14, label, 17)
    for column, label in enumerate(("Undo", "Redo", "Export PDF", "Share")):
        page.button(20 + column * 160, 60, 140, label)
    page.place("Export PDF")
    page.place("Share")
    page.read("Insert")
    page.say(20, 130, "Untitled drawing 3 (modified)", 18)
    page.say(20, 180, "Zoom 125 %   Layer 2 of 6   1920 x 1080 px", 16, DIM)
    return page


def night_player() -> Page:
    page = Page(700, 380, NIGHT)
    page.say(40, 36, "Now playing", 16, FAINT)
    page.say(40, 66, "Northern Lights, part two", 28, GLOW, "bold", box=True)
    page.say(40, 116, "Astrid Venn and the Harbour Quartet", 18, "#bdc1c6")
    page.panel(40, 190, 620, 8, "#3c4043", None, 4)
    page.panel(40, 190, 240, 8, "#8ab4f8", None, 4)
    page.say(40, 212, "2:47", 16, FAINT)
    page.say(660, 212, "7:12", 16, FAINT, anchor="ra")
    page.button(40, 280, 130, "Previous", "#3c4043", GLOW)
    page.button(190, 280, 130, "Pause", "#8ab4f8", NIGHT)
    page.place("Pause")
    return page


def night_metrics() -> Page:
    page = Page(780, 420, "#0f1117")
    page.say(30, 24, "Cluster edge-07", 24, "#f1f3f4", "bold")
    cards = (("CPU", "73.4 %"), ("Memory", "18.9 GiB"), ("Requests", "1,284/s"), ("Errors", "0.07 %"))
    for index, (name, value) in enumerate(cards):
        x, y = 30 + index % 2 * 370, 80 + index // 2 * 150
        page.panel(x, y, 350, 130, "#1a1e27", "#2b3140", 10)
        page.text(x + 22, y + 20, name, 17, FAINT)
        page.text(x + 22, y + 58, value, 34, "#8ab4f8", "bold")
        page.read(value)
    page.place("18.9 GiB")
    page.say(30, 382, "Last sample 14:02:55 UTC", 15, FAINT)
    return page


def night_editor() -> Page:
    page = Page(820, 360, "#1e1e1e")
    code = (
        "def settle(account, amount):",
        "if amount > account.limit:",
        'raise LimitExceeded("ceiling is 2500")',
        "account.balance -= amount",
        "return account.balance",
    )
    for row, line in enumerate(code):
        page.text(40, 30 + row * 40, str(row + 18), 17, "#858585", "mono", anchor="ra")
        page.say(70 + (row > 0) * 40 + (row == 2) * 40, 30 + row * 40, line, 17, "#d4d4d4", "mono")
    page.place(code[0])
    page.panel(0, 328, 820, 32, "#007acc")
    page.say(16, 335, "Ln 20, Col 14   UTF-8   Python 3.12", 15, "#ffffff")
    return page


def night_chat() -> Page:
    page = Page(640, 420, "#111b21")
    lines = (
        ("Ines", "The parcel is at gate B14.", 30),
        ("You", "Thanks, I will be there at 16:40.", 150),
        ("Ines", "Bring the blue form, please.", 270),
    )
    for name, text, y in lines:
        x = 260 if name == "You" else 30
        page.panel(x, y, 350, 92, "#005c4b" if name == "You" else "#202c33", None, 12)
        page.text(x + 16, y + 12, name, 15, FAINT)
        page.say(x + 16, y + 46, text, 18, GLOW)
    page.place(lines[1][1])
    page.never("B41")
    return page
