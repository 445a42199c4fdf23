"""Find English words of moves, settings and commands in a German email."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = re.compile(
    r"\b(?:place|plant|chop|protest|stay|pass|move|add|flip|turned|over|take|replace|becomes"
    r"|swap|hop|aim|dot|cw|ccw|keep|reroll|doubles|ask|tip|dig"
    r"|north|east|south|west|top|bottom|small|medium|large"
    r"|red|yellow|green|blue|purple|black"
    r"|language|timezone|window|digest|reminder|pictures|spoken|off"
    r"|new|with|easy|strong|set|undo|resign|remove|none"
    r"|Red|Yellow|Green|Blue|Purple|Black|Small|Medium|Large|Suns|Moons|Crowns|Arms|Ace)\b"
)
"""The dice say AIM in German, too. Words that German has as well are left out."""


def find_english(text: str) -> list[str]:
    """Return the lines of a German email that have such a word, except in addresses and dice."""
    text = re.sub(r"\S*@\S+|https?://\S+|\b\d \d [a-z]+$", "", text, flags=re.MULTILINE)
    return [line for line in text.splitlines() if _WORDS.search(line)]
