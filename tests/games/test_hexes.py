"""Hexagonal grids: rows by their letters. Games of Logan Stones check neighbours and links."""

from __future__ import annotations

from pbem.games.hexes import row_letters, row_number

LETTERS = {
    0: "A", 12: "M", 25: "Z", 26: "AA", 27: "AB", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA",
    -1: "-A", -2: "-B", -26: "-Z", -27: "-AA",
}  # fmt: skip


def test_rows_have_letters() -> None:
    # LS-1.6
    for row, letters in LETTERS.items():
        assert row_letters(row) == letters
        assert row_number(letters) == row
