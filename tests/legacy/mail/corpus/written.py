"""What people type above or below a quote, and how a program breaks the lines that it quotes."""

from __future__ import annotations

BODIES = {
    "move": "c1 plant c2",
    "greeting": "Hi Bob,\n\nc1 plant c2\n\nGood luck!\nAnn",
    "two lines": "c1 plant c2\nsay well played",
    "capitals": "C1 Plant C2.",
    "our example": "a3 chop b3",
    "two examples": "b2; plant c2\nstay; protest c3",
    "talk": "Let me think about it until tomorrow.",
    "names the match": "c1 plant c2\n\nThis Logger K7QX2 is fun",
    "glued": "c3>c4, x b3",
    "empty": "",
}


def broken(lines: list[str], mark: str = "") -> list[str]:
    """Lines as Claws Mail breaks them: the end of one begins the next, if that is no item."""
    found: list[str] = []
    rest = ""
    for line in lines:
        goes_on = rest != "" and line.strip() != "" and not line.startswith("- ")
        if rest and not goes_on:
            found.append(f"{mark}{rest}")
        *full, last = _at_blanks(f"{rest} {line.lstrip()}" if goes_on else line, 72 - len(mark))
        found.extend(f"{mark}{one}" for one in full)
        rest = last if full else ""
        if not full:
            found.append(f"{mark}{last}")
    return [*found, f"{mark}{rest}"] if rest else found


def _at_blanks(line: str, width: int) -> list[str]:
    """A line in pieces of a width, cut at its blanks."""
    pieces: list[str] = []
    while len(line) > width and (at := line.rfind(" ", 0, width + 1)) > 0:
        pieces.append(line[:at])
        line = line[at + 1 :]
    return [*pieces, line]
