"""Dense pages, tables, charts, small print."""

from __future__ import annotations

from page import DIM, INK, Page

WORDS = [
    "valve",
    "pressure",
    "harbour",
    "signal",
    "ledger",
    "copper",
    "winter",
    "engine",
    "margin",
    "timber",
    "ribbon",
    "static",
    "meadow",
    "carbon",
    "velvet",
    "anchor",
    "mosaic",
    "parcel",
    "lantern",
    "orchard",
    "granite",
    "saddle",
    "beacon",
    "thimble",
    "quarry",
    "pepper",
    "tunnel",
    "walnut",
]


def sentence(start: int, count: int) -> str:
    """Words that mean nothing, so that nothing can be guessed."""
    return " ".join(WORDS[(start * 11 + index * 5) % len(WORDS)] for index in range(count))


def columns() -> Page:
    page = Page(860, 620)
    page.say(430, 24, "Minutes of the 47th assembly", 26, face="bold", anchor="ma", box=True)
    for column in range(2):
        for row in range(18):
            page.text(40 + column * 410, 84 + row * 28, sentence(column * 18 + row, 5), 15)
    for number in (2, 9, 16, 21, 28, 35):
        page.read(sentence(number, 5))
    return page


def log() -> Page:
    page = Page(900, 560, "#fbfbfb")
    lines = [
        f"2026-11-30T0{row % 10}:{row * 7 % 60:02d}:{row * 13 % 60:02d}Z node-{row % 4} "
        f"{('INFO', 'WARN', 'DEBUG')[row % 3]} job={row * 7919 % 9973:04d} took={row * 37 % 900 + 11}ms"
        for row in range(18)
    ]
    for row, line in enumerate(lines):
        page.text(16, 16 + row * 29, line, 15, INK, "mono")
    for row in (1, 5, 10, 13, 17):
        page.read(lines[row])
    page.place(lines[10])
    return page


def terms() -> Page:
    page = Page(760, 560, "#fffdf8")
    page.say(40, 30, "Terms of carriage", 22, face="bold")
    clauses = (
        "1. The carrier answers for loss up to 8.33 units per kilogram.",
        "2. Notice of damage must reach the carrier within 7 days.",
        "3. Claims lapse 12 months after delivery of the goods.",
        "4. Deck cargo travels at the risk of the shipper alone.",
        "5. Demurrage is 1,250 EUR for each day begun.",
        "6. The court of first instance is that of Marsel Bay.",
    )
    for row, clause in enumerate(clauses):
        page.say(40, 90 + row * 62, clause, 16)
        page.text(58, 114 + row * 62, sentence(row, 9), 13, DIM)
    page.say(40, 500, "Version 4.2, in force from 1 January 2027", 14, DIM)
    return page


def parts() -> Page:
    page = Page(760, 520)
    page.text(30, 20, "Spare parts", 20, face="bold")
    codes = [f"{chr(65 + row * 5 % 26)}{chr(65 + row * 11 % 26)}-{row * 6151 % 89999 + 10000}" for row in range(48)]
    for index, code in enumerate(codes):
        page.text(30 + index % 4 * 180, 64 + index // 4 * 36, code, 16, INK, "mono")
    for index in (3, 14, 22, 33, 41, 47):
        page.read(codes[index])
    page.place(codes[22])
    return page


def invoice() -> Page:
    page = Page(760, 440)
    page.say(30, 22, "Invoice 2026-0773", 24, face="bold")
    rows = (
        ("Item", "Qty", "Price", "Sum"),
        ("Linear guide 400 mm", "4", "61.50", "246.00"),
        ("Ball screw SFU1605", "2", "88.20", "176.40"),
        ("Stepper motor 3 Nm", "3", "47.90", "143.70"),
        ("Limit switch", "6", "5.25", "31.50"),
    )
    _grid(page, rows, (30, 420, 520, 640), 76)
    for text in ("Ball screw SFU1605", "88.20", "143.70", "31.50"):
        page.read(text)
    page.say(640, 320, "597.60", 18, face="bold", box=True)
    page.text(520, 320, "Total", 18, face="bold")
    page.joined("Total", "597.60")
    page.say(30, 390, "Due 14 December 2026", 16, DIM)
    return page


def timetable() -> Page:
    page = Page(720, 400, "#fafafa")
    rows = (
        ("Train", "To", "Platform", "Departs"),
        ("IC 204", "Aldermoor", "3", "09:12"),
        ("RE 51", "Castle Weir", "11", "09:26"),
        ("EC 7", "Port Selwyn", "1", "09:40"),
        ("S 3", "Thornby", "22", "09:41"),
        ("IC 310", "Lakeside", "6", "10:05"),
    )
    _grid(page, rows, (30, 180, 440, 580), 30)
    for text in ("Castle Weir", "Port Selwyn", "09:41", "IC 310"):
        page.read(text)
    page.place("Thornby")
    page.never("cancelled")
    return page


def ranking() -> Page:
    page = Page(600, 440)
    page.say(30, 20, "Harbour run 2026, 10 km", 22, face="bold")
    names = ("Mira Solheim", "Otto Brandt", "Lucia Ferrante", "Sean O'Dwyer", "Yuki Tanabe", "Paula Reyes")
    for row, name in enumerate(names):
        time = f"{32 + row}:{(row * 17 + 8) % 60:02d}"
        for x, text in ((30, f"{row + 1}."), (80, name), (480, time)):
            page.text(x, 80 + row * 52, text, 18)
        if row in (0, 3, 5):
            page.read(name)
            page.read(time)
    page.place("Lucia Ferrante")
    return page


def matrix() -> Page:
    page = Page(640, 420)
    numbers = [[f"{(row * 6 + column) * 389 % 997 / 10:.1f}" for column in range(6)] for row in range(7)]
    for row, cells in enumerate(numbers):
        for column, cell in enumerate(cells):
            page.panel(20 + column * 100, 20 + row * 54, 99, 53, "#ffffff", "#9aa0a6")
            page.text(106 + column * 100, 36 + row * 54, cell, 18, anchor="ra")
    for row, column in ((0, 3), (2, 1), (4, 4), (5, 2), (6, 5)):
        page.read(numbers[row][column])
    return page


def bars() -> Page:
    page = Page(760, 460)
    page.say(380, 18, "Parcels by depot, thousands", 20, face="bold", anchor="ma", box=True)
    data = (("Elmside", 42, "#1a73e8"), ("Norcroft", 67, "#188038"), ("Quay", 28, "#e37400"), ("Wexley", 55, "#a142f4"))
    for column, (name, value, colour) in enumerate(data):
        x = 80 + column * 170
        page.panel(x, 400 - value * 4, 100, value * 4, colour)
        page.text(x + 50, 374 - value * 4, str(value), 18, anchor="ma")
        page.text(x + 50, 410, name, 18, anchor="ma")
        page.joined(name, str(value))
    page.read("Norcroft")
    page.never("Highgate")
    return page


def lying_bars() -> Page:
    page = Page(760, 380)
    page.say(30, 16, "Share of votes by list", 20, face="bold")
    for row, (name, value) in enumerate(
        (("Green list", 31.8), ("Civic union", 27.4), ("Harbour", 22.1), ("Others", 18.7))
    ):
        y = 74 + row * 72
        page.text(30, y + 8, name, 18)
        page.panel(190, y, int(value * 14), 38, ("#188038", "#1a73e8", "#e37400", "#9aa0a6")[row])
        page.text(206 + int(value * 14), y + 8, f"{value} %", 18)
        page.read(f"{value} %")
        page.joined(name, f"{value} %")
    return page


def curve() -> Page:
    page = Page(760, 460)
    page.say(380, 14, "Water level at Birk lock, cm", 20, face="bold", anchor="ma")
    points = ((80, 212), (240, 236), (400, 305), (560, 281), (710, 198))
    shown = [(x, 560 - value * 1.5) for x, value in points]
    page.draw.line(shown, fill="#1a73e8", width=4)
    for (x, y), (_, value), day in zip(shown, points, ("3 Nov", "4 Nov", "5 Nov", "6 Nov", "7 Nov"), strict=True):
        page.draw.ellipse((x - 6, y - 6, x + 6, y + 6), fill="#1a73e8")
        page.text(x, int(y) - 34, str(value), 17, anchor="ma")
        page.text(x, 410, day, 17, anchor="ma")
        page.read(str(value))
    page.read("6 Nov")
    page.joined("305", "5 Nov")
    page.never("8 Nov")
    return page


def pie() -> Page:
    page = Page(720, 420)
    page.say(30, 18, "Use of the reading room", 20, face="bold")
    start = -90.0
    data = (("Study", 46, "#1a73e8"), ("Papers", 29, "#188038"), ("Groups", 17, "#e37400"), ("Events", 8, "#a142f4"))
    for row, (name, share, colour) in enumerate(data):
        page.draw.pieslice((40, 80, 340, 380), start, start + share * 3.6, fill=colour)
        start += share * 3.6
        page.panel(420, 110 + row * 62, 28, 28, colour)
        page.text(464, 112 + row * 62, f"{name}: {share} %", 19)
        page.read(f"{name}: {share} %")
    page.place("Groups: 17 %")
    return page


def small_print(size: int) -> Page:
    page = Page(520, 260)
    lines = [f"{sentence(size * 3 + row, 4)} {row * 773 % 900 + 100}" for row in range(9)]
    for row, line in enumerate(lines):
        page.text(20, 18 + row * 26, line, size)
    for row in (0, 2, 4, 6, 8):
        page.read(lines[row])
    return page


def _grid(page: Page, rows: tuple[tuple[str, ...], ...], left: tuple[int, ...], top: int) -> None:
    """A table with a head, a rule under each row and plain columns."""
    wide = page.image.width
    page.panel(20, top - 8, wide - 40, 40, "#e8f0fe")
    for row, cells in enumerate(rows):
        y = top + row * 46
        page.draw.line((20, y + 32, wide - 20, y + 32), fill="#dadce0")
        for x, cell in zip(left, cells, strict=True):
            page.text(x, y, cell, 17, face="bold" if row == 0 else "sans")
