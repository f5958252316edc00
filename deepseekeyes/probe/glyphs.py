"""Random lettering that can be graded fairly: no look-alikes in it, and a distance that forgives how it is typed."""

from __future__ import annotations

import unicodedata

from deepseekeyes.probe.dice import Dice

ALPHABET = "ACEFHJKLMNPRTWXY3479"
"""Letters and digits that are not taken for one another: no 0/O/Q/D, 1/I, 5/S, 2/Z, 8/B, 6/G, U/V."""

LONGEST = 64
_TWINS = str.maketrans("АВСЕНКМРТХУЗΑΕΗΚΜΝΡΤΧΥ", "ABCEHKMPTXY3AEHKMNPTXY")


def word(dice: Dice, length: int) -> str:
    """Random glyphs."""
    return "".join(ALPHABET[dice.below(len(ALPHABET))] for _ in range(length))


def folded(text: str) -> str:
    """Upper case letters and digits alone: width, case, spacing and look-alikes of other scripts do not count."""
    plain = unicodedata.normalize("NFKC", text[: LONGEST * 4]).upper().translate(_TWINS)
    return "".join(glyph for glyph in plain if glyph.isalnum())[:LONGEST]


def distance(left: str, right: str) -> int:
    """Edit distance (insertions, deletions, substitutions) of two short strings."""
    row = list(range(len(right) + 1))
    for i, mine in enumerate(left, 1):
        previous, row[0] = row[0], i
        for j, theirs in enumerate(right, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (mine != theirs))
    return row[-1]


def chance(length: int, *, tries: int) -> float:
    """Upper bound that one of `tries` blind guesses is within one edit of a random word of that length.

    A guess of n or n - 1 glyphs is within one edit of `n (k - 1) + 1` of the `k ** n` words; longer guesses hit fewer.
    """
    size = len(ALPHABET)
    return min(1.0, tries * (length * (size - 1) + 1) / float(size) ** length)
