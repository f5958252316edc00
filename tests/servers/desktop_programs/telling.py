"""How a program under test says what happened to it: one line of JSON each on standard output."""

from __future__ import annotations

import argparse
import json
from typing import Any


def tell(event: str, **values: Any) -> None:
    print(json.dumps({"event": event, **values}), flush=True)


def asked(description: str | None) -> argparse.Namespace:
    """The options every program takes."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--title", required=True)
    parser.add_argument("--at", default="", help="x,y of the window")
    parser.add_argument("--rows", type=int, default=0, help="rows of a list that needs scrolling")
    parser.add_argument("--thief-after", type=int, default=0, help="characters after which another window opens")
    return parser.parse_args()


def corner(text: str) -> tuple[int, int] | None:
    x, _, y = text.partition(",")
    return (int(x), int(y)) if text else None
