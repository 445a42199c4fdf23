"""Texts in all games: which are moves, which are remarks, and that any text is read or refused."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.game import Seat
from tests.games.landrush.tables import BARRED, EXAMPLE, LAST, SAME_SIZES
from tests.games.landrush.tables import start as start_landrush
from tests.games.logan_stones.situations import DEEP, FAR, FIRST, LINKED, MOVING
from tests.games.logger.situations import OPENED, PLACED, WALLED
from tests.games.looney_ludo.situations import start
from tests.games.playing import OUR_GAMES

every_game = pytest.mark.parametrize("game", OUR_GAMES, ids=lambda game: game.key)

# --- moves and remarks ---------------------------------------------------------------------------

MOVES: Final = {
    "logger": ["c1 plant c2", "1c", "stay", "pass", "c3>c4", "xe2", "*d4", "f2"],
    "looney_ludo": [
        "S wnnen", "small west, n2, e, n", "L top", "BS n; L w", "keep", "reroll", "re-roll",
        "pass", "done.", "end", "aim blue ccw; M wn", "aim red", "hop yellow north of red left",
        "hop green", "swap red", "wild: tip", "tip", "dig", "pm top", "PS n", "s s",
        "move purple medium east", "my small to the north", "red w",
        "small", "red small", "s n s", "M: n", "then L up", "L ^", "doubles keep",
        "Doubles: reroll <= 3", "S no", "M o", "L top so.", "pm os; L top", "small wno",
    ],
    "logan_stones": [
        "1 l21", "3 rock n 21", "1 21", "add 3", "flip", "pass", "m20-o22 t", "-A3",
    ],
    "landrush": [
        "b6 L", "l b6", "6b", "b6l", "k3 l", "b13", "xsm", "with lm", "x b4=s b5=l",
        "put small on a6", "large on ne", "se", "so small", "l", "small.", "pass", "c4!",
    ],
}  # fmt: skip
REMARKS: Final = [
    "Hi Bob, I hope you are well!", "Hi Bob,", "hi bob, nice move!", "see you at 10", "Well done!",
    "Thanks, that was fun.", "thanks, that is a large board", "thanks, a good place to be",
    "Thanks, see you at the table", "Let us move on to 2027.", "I'd add that paper is dull.",
    "the place to put my pyramid", "my 1st and 2nd game", "I keep losing.", "What a small world",
    "See you in the end", "Nice tip!", "Best wishes, Ann", "On my way home", "yes", "resign",
    "offer draw", "help", "board", "I like doubles", "P.S. hello", "P.S. We see",
    "It's we who won", "So, now", "so", "so, no", "No", "S now we go", "my small so far",
    "That was a medium, so no", "A swap would have been better", "with", "b2b", "Cheers", "",
]  # fmt: skip
OWN_REMARKS: Final = {
    "logger": [],
    "looney_ludo": ["I pass the salt", "M.", "S"],
    "logan_stones": [],
    "landrush": ["i will pass by", "as mp3"],
}
"""Remarks with a word that is a move in another game."""


@every_game
def test_lines_with_a_word_of_the_game_are_moves(game: AnyGame) -> None:
    known = [line for line in MOVES[game.key] if game.move_words.search(line.casefold())]
    assert known == MOVES[game.key]


@every_game
def test_other_lines_are_remarks(game: AnyGame) -> None:
    lines = [*REMARKS, *OWN_REMARKS[game.key]]
    assert [line for line in lines if game.move_words.search(line.casefold())] == []


# --- records -------------------------------------------------------------------------------------

NOT_CANONICAL: Final[dict[str, tuple[Any, list[str]]]] = {
    # LG-7.13
    "logger": (PLACED, [
        "stay;plant d1", "stay; Plant d1", "e1; plant d1", "stay; c3>c4, b3>b4; plant d1",
        "stay; protest e4, a1", "stay; plant d1 ", "plant d1", "e1", "",
    ]),
    "looney_ludo": (start("5 3 swap"), [
        "RS w", "S w; S n", "S  w", "S", "swap Red Blue x", "aim Red cw, Red", "hop Red to B9",
        "hop Red to B1 90", "PASS", "", "S w;M n", "keep; S w", "s w",
    ]),
    # LS-7.10
    "logan_stones": (FIRST, [
        "add 1 l21", "add 1  L21", "add 1 L21 ", "add 9 L21", "add 1 L021", "add 1 L22",
        "add 1 L-0", "1 L21", "move M20 O22", "flip M20 turned", "flip M 20", "",
    ]),
    # LR-7.10
    "landrush": (EXAMPLE, [
        "b6 l", "L b6", "b6  L", "b06 L", "b6 L x b5=M b4=S", "b6 L x", "b6 L x SM", "c13", "Pass",
        "pass ", "",
    ]),
}  # fmt: skip


@every_game
def test_only_the_canonical_form_is_read_from_records(game: AnyGame) -> None:
    position, texts = NOT_CANONICAL[game.key]
    for text in texts:
        with pytest.raises(Rejection, match="unreadable"):
            game.read_notation(text, position)


# --- any text ------------------------------------------------------------------------------------

POSITIONS: Final[dict[str, list[Any]]] = {
    "logger": [PLACED, OPENED, WALLED],
    "looney_ludo": [
        *map(start, ("5 3 swap", "6 4 hop", "6 1 aim", "4 3 wild", "4 1 dig", "2 2 aim", "3 3 tip"))
    ],
    "logan_stones": [FIRST, MOVING, LINKED, FAR, DEEP],
    "landrush": [EXAMPLE, LAST, start_landrush(3), BARRED, SAME_SIZES],
}
WORDS: Final = {
    "logger": [
        "e3", "e2", "c3", "d3", "4c", "f9", "stay", "plant", "chop", "protest", "pass", "place",
        "grow", "move", ">", "+", "*", "x", ";", ",", "?",
    ],
    "looney_ludo": [
        "s", "m", "l", "small", "red", "blue", "g", "n", "e", "w", "ne", "swn", "n2", "top", "up",
        "^", "swap", "hop", "aim", "tip", "dig", "wild", "keep", "reroll", "pass", "end", "of",
        "to", "cw", "ccw", "180", "0", "dot", "nw", "stay", "b1", "d4", "h9", "z99", ";", ",", ">",
        "->", "\n", "the", "5", "£", "\x00", "ſ", "İ", "³", "٣",
    ],
    "logan_stones": [
        "add", "put", "move", "flip", "f", "t", "turned", "to", "at", "-", "->", ">", "r", "rock",
        "paper", "s", "1", "3", "9", "22", "-2", "m", "l", "m20", "m22", "n21", "-a3", "o22",
        "pass",
    ],
    "landrush": [
        "b6", "a6", "b5", "b4", "9z", "S", "L", "med", "x", "with", "=", "pass", "se", "on", "?",
    ],
}  # fmt: skip


@every_game
@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_legal_move_or_a_refusal(game: AnyGame, data: st.DataObject) -> None:
    position = data.draw(st.sampled_from(POSITIONS[game.key]))
    words = st.lists(st.sampled_from(WORDS[game.key]), max_size=12).map(" ".join)
    text = data.draw(st.text(max_size=40) | words)
    with suppress(Rejection):
        game.read_chance(text, position)
    with suppress(Rejection):
        assert game.notation(game.read_notation(text, position)) == text
    try:
        move = game.parse(text, position, Seat(1))
    except Rejection:
        return
    assert game.read_notation(game.notation(move), position) == move
    assert game.parse(game.notation(move), position, Seat(1)) == move
    game.play(position, move)


BEGINNINGS: Final = ("", "keep", "S ", "red", "doubles ", "aim ")
REPEATED: Final = (
    "\n", " ", "keep ", "keep\n", "small ", "s, ", "red to ", "s n9", "n", "; ", "(", "- ",
    "b4=", "x", "1", "play ", "c3>", "xc3 ", "*", "and ",
)  # fmt: skip


@every_game
def test_long_texts_take_no_long_time(game: AnyGame) -> None:
    # Nothing is timed: a search that goes back and forth would not come to an end here.
    position = POSITIONS[game.key][0]
    # Each beginning and each part is in some of the texts: 7 has no divisor in common with 20.
    for beginning, part in [*product(BEGINNINGS, REPEATED)][::7]:
        text = beginning + part * 8_000 + "x"
        game.move_words.search(text.casefold())
        readers: tuple[Callable[[], object], ...] = (
            partial(game.parse, text, position, Seat(1)),
            partial(game.read_notation, text, position),
            partial(game.load, text),
            partial(game.parse_standing_order, text),
            partial(game.read_chance, text, position),
        )
        for reader in readers:
            with suppress(Rejection):
                assert reader() is None  # a standing order there is none
