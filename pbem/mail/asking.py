"""Questions in prose (`Whose turn is it?`): which order would answer them.

They are known by a few phrases of every language, and only where a letter has no order at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.mail.vocabulary import Vocabulary

ASKED: Final[Mapping[str, str]] = {
    "resign": "give up|want to quit|have to quit|want to stop|have to stop",
    "undo": (
        "made a mistake|my mistake|wrong move|take it back|take that back|take my move back|"
        "changed my mind|misclicked"
    ),
    "away 5 days": (
        "on holiday|on holidays|on vacation|a break|a pause|pause the|can we pause|be away|"
        "go away|going away|over christmas"
    ),
    "rematch": "play again|another game|one more game|another round",
    "help move": (
        "how do i move|how to move|how can i move|how do i play|how do i write|how do i make|"
        "how do i enter|how do i place"
    ),
    "rules": (
        "understand the rules|understand the game|know the rules|what are the rules|"
        "how is it played|how is this played|how does the game work"
    ),
    "board": (
        "whose turn|my turn|whose move|who is next|who's next|who moves|who has to move|"
        "where is my|where are my|where am i|how does it stand|who is winning|who is ahead|"
        "how much time|how long do i have|until when"
    ),
    "help": (
        "what can i do|what should i do|what shall i do|what do i do|what do i have to do|"
        "what am i supposed|how does this work|how does it work|help me|what now|i am lost|"
        "i'm lost|i'm stuck|i am stuck"
    ),
}
"""Every order with the phrases in which people ask for it, between strokes."""


def asked(lines: Iterable[str], words: Vocabulary) -> tuple[str, ...]:
    """The orders that a text asks for, in the order of `ASKED`: those that do something first."""
    text = " ".join(" ".join(lines).split())
    if text and not text.strip(" ?!"):
        return ("help",) if "?" in text else ()
    return tuple(order for order, phrases in words.asked.items() if phrases.search(text))
