"""The words of the grammar (LL-7.3), and the pattern that recognises the moves of this game."""

from __future__ import annotations

import re
from typing import Final

from pbem.games.looney_ludo.boards import DOTS
from pbem.games.looney_ludo.position import COLOURS, LETTERS, SIZES

COLOUR_WORDS: Final = {
    word: colour
    for colour, name in enumerate(COLOURS)
    for word in (name.lower(), LETTERS[colour].lower())
}
SIZE_WORDS: Final = {
    "small": 0, "s": 0, "little": 0, "medium": 1, "med": 1, "m": 1,
    "large": 2, "lg": 2, "l": 2, "big": 2,
}  # fmt: skip
JOINED: Final = {  # words for a colour with a size, such as `GS` for a green Small (LL-7.2)
    letter + first: (colour, size)
    for colour, letter in enumerate(LETTERS.lower())
    for size, first in enumerate("sml")
}

WAY_WORDS: Final = {  # LL-7.3c; `o` is east in some languages (Ost, oost)
    word: number
    for number, name in enumerate(("north", "east", "south", "west"))
    for word in (name, name[0])
} | {"o": 1}

# Directions in a path (LL-7.3c). In an AIM or a HOP, `right` and `left` are rotations instead.
SIDE_WORDS: Final = {"right": 1, "down": 2, "left": 3}

WAY: Final = re.compile(r"(north|east|south|west|left|right|down|[nesow])([1-9]?)")
COUNTED_WAY: Final = re.compile(r"([1-9])(north|east|south|west|left|right|down|[nesow])")
CORNER_WORDS: Final = {corner.lower(): corner for corner in DOTS} | {"no": "NE", "so": "SE"}
"""Corners by word (LL-7.3h); `no` is NE in languages whose word for east begins with o."""

PATH: Final = re.compile(rf"(?:{WAY.pattern})+")
COUNT: Final = re.compile(r"[1-9]")
SLOT: Final = re.compile(r"([a-z])([0-9]{1,2})")
TOP_WORDS: Final = frozenset(("top", "up", "climb", "climbs", "^"))  # words for a climb (LL-7.3d)
STAY_WORDS: Final = frozenset(("stay", "stays", "here", "place"))  # words for staying (LL-7.3i)
END_WORDS: Final = frozenset(("pass", "end", "done"))
AIM_WORDS: Final = frozenset(("aim", "turn", "rotate"))  # words for AIM, which turns boards

IGNORED: Final = frozenset(  # filler words, which are removed from a clause
    re.findall(
        r"\S+",
        # LL-7.1
        "to with and then move my the board pyramid"
        # More words that players use when they describe a turn. They do not change its meaning.
        " first finally go goes moves moving one boards piece by i"
        " mein meine meinen meiner der die das den dem ein eine einen einer mit dann danach zuerst"
        " gehe geht ziehe zieht setze stein pyramide brett ich",
    )
)

TURN_WORDS: Final = {  # LL-7.3e, LL-7.3f, LL-7.3g
    **dict.fromkeys(("0", "norot"), 0),
    **dict.fromkeys(("cw", "right", "clockwise", "90"), 1),
    **dict.fromkeys(("180", "half", "flip"), 2),
    **dict.fromkeys(("ccw", "acw", "left", "counterclockwise", "anticlockwise", "270"), 3),
}

_PIECE_WORD: Final = rf"(?:{'|'.join(word for word in SIZE_WORDS if len(word) > 1)})"
_COLOUR_WORD: Final = rf"(?:{'|'.join(COLOUR_WORDS)})"
_GAP: Final = rf"[\s,:()\[\]=>-]+(?:(?:{'|'.join(sorted(IGNORED))})[\s,:()\[\]=>-]+)*"
_ALONE: Final = r"[ \t]*+[.!]?+[ \t]*+(?:$|;)"  # end of a clause; `*+` keeps matching linear
_SIZED: Final = (
    rf"(?:{_COLOUR_WORD}{_GAP})?(?:{'|'.join(SIZE_WORDS)})(?:{_GAP}{_COLOUR_WORD})?"
    rf"|[{LETTERS.lower()}][sml]"
)
_STARTS: Final = (
    rf"(?:keep|re-?\s?roll|pass|end|done){_ALONE}",
    r"doubles\W{1,3}(?:ask|keep|re-?\s?roll)\b",
    rf"(?:wild\W{{1,3}})?(?:tip|dig){_ALONE}",
    r"(?:wild\W{1,3})?(?:swap|hop|aim)\b",
    # A path of letters must end the clause, because these letters also spell `so`, `now` and `on`.
    rf"(?:{_SIZED}){_GAP}(?:top[ \t]++)?[nsow1-9]++{_ALONE}",
    rf"(?:(?:{_COLOUR_WORD}{_GAP})?{_PIECE_WORD}|{_PIECE_WORD}{_GAP}{_COLOUR_WORD}){_ALONE}",
)
COUNTS: Final = {
    **dict.fromkeys(("one", "once", "ein", "einen", "eins", "einmal"), 1),
    **dict.fromkeys(("two", "twice", "zwei", "zweimal"), 2),
    **dict.fromkeys(("three", "drei", "dreimal"), 3),
    **dict.fromkeys(("four", "vier", "viermal"), 4),
}
_NAMED: Final = r"north|east|south|west|left|right|down"
COUNTED: Final = re.compile(  # counted steps such as `two steps east`
    rf"\b({'|'.join(COUNTS)})(?:[ \t]+(?:(?:step|square|space|field)s?|schritte?|feld(?:er)?))?"
    rf"(?:[ \t]+to(?:[ \t]+the)?)?[ \t]+({_NAMED})(?![a-z0-9])",
    re.IGNORECASE,
)

AFTER: Final = re.compile(r"(?<=and )(?:after[ \t]+(?:that|this)|afterwards)\b", re.IGNORECASE)
"""A pattern that finds a synonym of `then` after the word `and`, as in `and after that`."""

CLIMBED: Final = re.compile(
    r"\b(?:climbs?[ \t]+)?(?:up[ \t]+)?(?:on)?to[ \t]+the[ \t]+top(?:[ \t]+of[ \t]+(?:its|the)"
    r"[ \t]+(?:pile|stack|tower))?(?![a-z0-9])",
    re.IGNORECASE,
)

COUNTED_BEHIND: Final = re.compile(
    rf"\b({_NAMED}|[nesw])[ \t]+(once|twice)(?![a-z0-9])", re.IGNORECASE
)

_WORD_OF_PATH: Final = (
    rf"(?:(?:(?:{_NAMED}|[nesw])[1-9]?)+|top|up|climb|\^|{COUNTED.pattern})(?![a-z0-9])"
)
_BOARD: Final = "|".join(COLOURS).lower()
_TURNED: Final = "|".join(word for word in TURN_WORDS if word.isalpha())
_ACTS: Final = (  # patterns of actions inside a sentence, with the verb at either end
    rf"swap{_GAP}(?:{_COLOUR_WORD}){_GAP}(?:{_COLOUR_WORD})(?![a-z0-9])",
    rf"(?:{_BOARD}){_GAP}(?:{_BOARD}){_GAP}swap(?![a-z0-9])",
    rf"(?:{'|'.join(sorted(AIM_WORDS))}){_GAP}(?:{_BOARD})(?![a-z0-9])",
    rf"(?:{_BOARD}){_GAP}(?:{_TURNED}){_GAP}aim(?![a-z0-9])",
    rf"hop{_GAP}(?:{_BOARD})(?![a-z0-9])",
)

_PIECE: Final = rf"{_SIZED}|{'|'.join(COLOURS).lower()}"
WORDS: Final = re.compile(
    rf"(?:^|;)[ \t,:.()-]*(?:{'|'.join(_STARTS)})"
    rf"|(?<![a-z0-9'])(?:re-?roll(?![a-z0-9])|{'|'.join(_ACTS)}|(?:{_PIECE}){_GAP}{_WORD_OF_PATH})",
    re.MULTILINE,
)
"""A pattern of texts that are probably a move of this game.

Such a text is a piece with a path, an action, a standing order (LL-7.14), or a clause of one word
such as `keep` or `pass`.
"""

WAYS: Final = re.compile(  # directions that are alone, or that follow a piece or a climb
    rf"((?<![^\W_])(?:[{LETTERS}]?[SML]|top|dot|{'|'.join((*COLOURS, *SIZES))})\W|^(?=[nesw]+$))"
    r"([nesw]+)(?![^\W_])",
    re.IGNORECASE,
)
