"""What people type as a move, and what comes of it in an email to each game.

A row is what was typed with its outcome: the move that is played, `ask MOVE` if the player is asked
about it, or the code of the refusal; behind a colon also the moves that are offered instead. A
part of what was typed is never played.
"""

from __future__ import annotations

from typing import Any

import chess
import pytest
from pbem_chess import GAME as CHESS

from pbem.errors import Rejection
from pbem.games import GAMES
from pbem.games.vocabulary import latinise
from pbem.mail.commands import Argument, CommandSpec, CommandTable, parse
from pbem.mail.words import NO, YES

TABLE = CommandTable([
    CommandSpec("draw", ("draw", "remis", "="), Argument.NONE, is_binding=True),
    CommandSpec("undo", ("undo",), Argument.NONE, is_binding=True),
])  # fmt: skip

LOGGER = "logger-1 loggers a1, e5; trees c3=1"
NEAR_TREE = "logger-1 loggers b2, e5; trees b3=2; hands 2, 2"
LOGGER_START = "logger-1 loggers -, -; trees c3=1; to move 1"
STONES = (
    "logan_stones-1 M20=SP M22=PR; hand 1 1 RS, 2 PP, 3 SR, 4 RP, 5 SS, 6 PP, 7 RR, 8 SS;"
    "hand 2 1 SP, 2 RR, 3 PS, 4 RS, 5 PP, 6 SS, 7 RR, 8 PR"
)
ISLAND = "logan_stones-1 M20=RP M22=SS N21=PR N23=SP"
LUDO = (
    "looney_ludo-1 seats Red, Blue; boards Red B2 SE, Yellow C2 SW, Green B3 NE, Blue C3 NW; "
    "pieces R.c=Bm Y.c=Rl<Bs G.c=Bl<Rs B.c=Rm; dice "
)
SWAP, AIM, HOP, WILD = LUDO + "5 3 swap", LUDO + "6 4 aim", LUDO + "6 4 hop", LUDO + "5 3 wild"
DIG, TIP, DOUBLES = LUDO + "5 3 dig", LUDO + "5 3 tip", LUDO + "4 4 swap"
LAND = "landrush-1 Red b7 M b8 S; Yellow b4 S b5 M; coin Suns 3"
LAND_START = "landrush-1 Red; Yellow; to place Red"
CHESS_START = f"chess-1 {chess.STARTING_FEN}"

STAY = "stay; chop b3"
TURNED = "add 1 L21 turned"
STONE_1 = "add 1 L21"

LOGGER_ROWS = [
    # What is not read is not dropped.
    ("b1 plant", "target_missing"),
    ("up plant b1", "unreadable: stay; plant b1"),
    ("move from a1, plant b1", "unreadable: stay; plant b1"),
    ("move from a1 to a2, plant a1", "a2; plant a1"),
    ("ziehe von a1 nach a2, pflanze a1", "a2; plant a1"),
    ("plant on b1, logger to b2", "unreadable: stay; plant b1"),
    ("b1 a2 plant a1", "two_moves: a2; plant a1: b1; plant a1"),
    ("b1", "action_missing"),
    ("b2 plant b1\nForget it", "ask b2; plant b1"),
    ("a2\nplant b1", "ask stay; plant b1"),
    ("b2 plant b1 wherever you like", "unreadable: b2; plant b1"),
    ("b2\nplant somewhere", "action_missing"),
    # Sentences, and words around a move
    ("don't move, plant b1", "stay; plant b1"),
    ("move to a2 and plant a1", "a2; plant a1"),
    ("I play a2, then plant a seedling at a1.", "a2; plant a1"),
    ("My move is a2 plant a1", "a2; plant a1"),
    ("My logger goes to a2 and plants a1", "a2; plant a1"),
    ("b2, plant b1 \N{FULLWIDTH DIGIT ONE}", "unreadable: b2; plant b1"),
    ("b\N{DEVANAGARI DIGIT TWO}; plant b1", "b2; plant b1"),
    ("\N{CYRILLIC SMALL LETTER A}2; plant a1", "a2; plant a1"),
    ("skip", "must_act"),
    # German
    ("Ich ziehe nach a2 und pflanze auf a1. Danke!", "a2; plant a1"),
    ("Ich bleibe stehen und pflanze einen Setzling auf b1", "stay; plant b1"),
    ("pflanze b1 oben", "unreadable: stay; plant b1"),
]
TREE_ROWS = [
    ("fell b3", STAY),
    ("chop down the tree on b3", STAY),
    ("stay on b2 and chop b3", STAY),
    ("put a protester on b3", "stay; protest b3"),
    ("faelle den Baum auf b3", STAY),
    ("bleibe, sch\N{LATIN SMALL LETTER U WITH DIAERESIS}tze b3", "stay; protest b3"),
    ("a3 stay chop b3", "two_moves"),
    ("fell asleep", "nothing"),
]
PLACING_ROWS = [
    ("I start on a1", "place a1"),
    ("put my logger on a1", "place a1"),
    ("Ich setze meinen Holzf\N{LATIN SMALL LETTER A WITH DIAERESIS}ller auf a1", "place a1"),
    ("b1; plant a1", "must_place"),
]
STONES_ROWS = [
    # The other face, in all words
    *(
        (f"1 L21 {words}", TURNED)
        for words in (
            "turned over", "reversed", "upside-down!", "back side up", "the other way up",
            "hidden side up", "with its back up", "with the other side on top", "and turn it",
            "turn it over", "the other way round", "umgedreht", "andere Seite oben",
            "mit der R\N{LATIN SMALL LETTER U WITH DIAERESIS}ckseite nach oben", "andere Seite",
            "verkehrt herum", "und drehe es um", "auf dem Kopf",
        )
    ),
    ("1 L21, not flipped", STONE_1),
    ("1 L21, nicht gewendet", STONE_1),
    ("1 L21 backwards", "unreadable: add 1 L21"),
    ("1 L21 over", "unreadable: add 1 L21"),
    ("1 L21\nThe hidden side shall be seen of it", "ask add 1 L21"),
    ("1 L21. Flipped", TURNED),
    ("1 L21 with its belly up", "unreadable: add 1 L21"),
    ("1 L21\nturned", "ask add 1 L21 turned"),
    ("add 1 L21\n\n, turn it over", "ask add 1 L21 turned"),
    # Verbs and signs
    ("place stone 1 at L21", STONE_1),
    ("I put the stone 1 on L21", STONE_1),
    ("1 -> L21", STONE_1),
    ("1: L21", STONE_1),
    ("rock L21", "stone_missing"),
    ("nothing", "no_pass"),
    # German
    ("lege Stein 1 auf L21", STONE_1),
    ("Ich lege die 1 auf L21, umgedreht", TURNED),
    ("1 auf L21 mit Schere oben", TURNED),
    ("1 auf L21, Stein oben", STONE_1),
]  # fmt: skip
ISLAND_ROWS = [
    ("flip the stone on M22", "flip M22"),
    ("turn M22 over", "flip M22"),
    ("move the stone from M20 to O22", "move M20 to O22"),
    ("M20 to O22 turned", "move M20 to O22 turned"),
    ("move M20 to O22 and flip it", "move M20 to O22 turned"),
    ("drehe den Stein auf M22 um", "flip M22"),
    (
        "ziehe das Pl\N{LATIN SMALL LETTER A WITH DIAERESIS}ttchen von M20 nach O22, gewendet",
        "move M20 to O22 turned",
    ),
    ("turn M20 to O22", "two_orders"),
]
LUDO_ROWS = [
    # Pieces follow each other with a sign between them.
    (AIM, "M n s e", "M nse"),
    (AIM, "M n S e", "unseparated"),
    (AIM, "M n, S e", "unseparated"),
    (AIM, "S e M n please", "unseparated"),
    (AIM, "S e, M n", "S e; M n"),
    (AIM, "S e. M n", "S e; M n"),
    (SWAP, "swap red green, M e", "swap Green Red; M e"),
    (SWAP, "S e, swap red green", "S e; swap Green Red"),
    (AIM, "S e and M n", "S e; M n"),
    (AIM, "M n\nS e", "M n; S e"),
    (SWAP, "small left", "S w"),
    (SWAP, "small up", "already_on_top"),
    (SWAP, "large up", "L top"),
    (SWAP, "M 1s", "M s"),
    (SWAP, "put large on top", "L top"),
    (SWAP, "skip", "pass"),
    (SWAP, "swap red/blue", "swap Blue Red"),
    (SWAP, "swap the red board with the blue one", "swap Blue Red"),
    (SWAP, "M s\nswap Red and Yellow", "M s; swap Red Yellow"),
    (HOP, "move yellow board to D3", "hop Yellow to D3"),
    (HOP, "hop yellow to D3 rotated right", "hop Yellow to D3 cw"),
    (HOP, "hop yellow to D3 and turn it right", "hop Yellow to D3 cw"),
    (AIM, "aim red 90 degrees", "aim Red cw"),
    (AIM, "drehe Rot um 180 Grad", "aim Red 180"),
    (AIM, "aim red twice right", "aim Red 180"),
    (AIM, "aim red cw; aim blue cw", "aim Blue cw, Red cw"),
    (AIM, "aim red cw; S w; aim blue cw", "action_used"),
    (WILD, "choose tip", "tip"),
    (WILD, "use dig; BS n", "dig; BS n"),
    (DOUBLES, "roll again", "reroll"),
    (DOUBLES, "keep 4; S w", "S w"),
    (DOUBLES, "keep 3; S w", "unreadable"),
    # German
    (SWAP, "S nach Osten", "S e"),
    (SWAP, "M so", "M se"),
    (SWAP, "gro\N{LATIN SMALL LETTER SHARP S} nach oben", "L top"),
    (SWAP, "tausche rot und blau", "swap Blue Red"),
    (SWAP, "passe", "pass"),
    (HOP, "versetze Gelb nach D3 rechtsherum", "hop Yellow to D3 cw"),
    (AIM, "drehe Rot nach rechts, Blau nach links", "aim Blue ccw, Red cw"),
    (DIG, "blau klein nach norden", "BS n"),
    (DOUBLES, "neu w\N{LATIN SMALL LETTER U WITH DIAERESIS}rfeln", "reroll"),
    (SWAP, "tausche rot", "swap_two"),
]
LAND_ROWS = [
    ("a6 = S", "a6 S"),
    ("I play a6 S", "a6 S"),
    ("a small one on a6", "a6 S"),
    ("b6 L takes b4 and b5", "b6 L x b4=S b5=M"),
    ("b6 L takes a5", "not_captured"),
    ("b6 L replace with S M", "b6 L x b4=S b5=M"),
    ("b6 L, replace b4 with L", "b6 L x b4=L b5=M"),
    ("take a6 with S", "a6 S"),
    ("a6 S turned", "unreadable: a6 S"),
    ("a6 S next to b5", "unreadable"),
    # German
    ("setze eine kleine Pyramide auf a6", "a6 S"),
    ("Ich spiele a6 gro\N{LATIN SMALL LETTER SHARP S}", "a6 L"),
    ("klein unten links", "a6 S"),
    ("b6 L ersetze durch S M", "b6 L x b4=S b5=M"),
    ("b6 L, ersetze b4 durch L", "b6 L x b4=L b5=M"),
    ("b6 L erobert b4", "b6 L x b4=S b5=M"),
]
KNIGHTS = "chess-1 4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1"
PROMOTING = "chess-1 6r1/4k2P/8/8/8/8/8/4K3 w - - 0 1"
CHESS_ROWS = [
    (CHESS_START, "\N{BLACK CHESS KNIGHT}f3", "Nf3"),
    (CHESS_START, "\N{WHITE CHESS KNIGHT}\N{VARIATION SELECTOR-16}f3", "Nf3"),
    (CHESS_START, "Knight on g1 to f3", "Nf3"),
    (CHESS_START, "Springer von g1 nach f3", "Nf3"),
    (CHESS_START, "N\nf3", "ask Nf3"),
    (CHESS_START, "I play e4", "e4"),
    (CHESS_START, "pawn to e4", "e4"),
    (CHESS_START, "e2 to e4", "e4"),
    (CHESS_START, "e4. Draw?", "ask e4"),
    (CHESS_START, "e4 (=)", "e4 + draw"),
    (CHESS_START, "e4 draw", "e4 + draw"),
    (CHESS_START, "e4\ndraw", "e4 + draw"),
    (CHESS_START, "e\N{DEVANAGARI DIGIT FOUR}", "e4"),
    (CHESS_START, "\N{CYRILLIC SMALL LETTER IE}4", "e4"),
    (CHESS_START, "e4!", "e4"),
    (CHESS_START, "bishop x c3", "illegal"),
    (KNIGHTS, "knight takes f3", "illegal"),
    (PROMOTING, "hxg8Q", "hxg8=Q"),
    (PROMOTING, "h takes g8 queen", "hxg8=Q"),
    (PROMOTING, "hxg8 Dame", "hxg8=Q"),
    (PROMOTING, "hxg8", "promotion_missing"),
]
ROWS = [
    *((position, *row) for position, rows in (
        (LOGGER, LOGGER_ROWS), (NEAR_TREE, TREE_ROWS), (LOGGER_START, PLACING_ROWS),
        (STONES, STONES_ROWS), (ISLAND, ISLAND_ROWS), (LAND, LAND_ROWS),
        (LAND_START, [
            ("c4", "c4"), ("I start on c4", "c4"), ("setze c4", "c4"), ("c4 = M", "c4"),
            ("c4 S", "medium_only"),
        ]),
    ) for row in rows),
    *LUDO_ROWS,
    *CHESS_ROWS,
]  # fmt: skip


def find_game(ruleset: str) -> Any:
    return CHESS if ruleset == "chess-1" else GAMES[ruleset]


class Grammar:
    """The grammar of a match in a position."""

    def __init__(self, position: str) -> None:
        ruleset, text = position.split(" ", 1)
        self.game = find_game(ruleset)
        self.position = self.game.load(text)
        self.seat = self.game.turn(self.position).seats[0]

    def read(self, text: str) -> str:
        move = self.game.parse(text, self.position, self.seat)
        self.game.try_move(self.position, move, self.seat)
        return str(self.game.notation(move))

    def has_word(self, text: str) -> bool:
        return self.game.move_words.search(latinise(text)) is not None


def read(position: str, text: str) -> str:
    """Return what comes of an email with this text."""
    email = parse(text, TABLE, Grammar(position))
    if len(email.moves) > 1:
        return "several"
    if email.moves and (email.attempts or email.is_doubtful):
        return f"ask {email.moves[0]}"
    if email.moves:
        assert not email.remarks
        return " + ".join([*email.moves, *(command.name for command in email.commands)])
    if not email.attempts:
        return "nothing"
    rejection = email.attempts[0].rejection
    assert rejection is not None
    return ": ".join([rejection.code, *email.attempts[0].suggestions])


@pytest.mark.parametrize("ruleset", sorted({position.split(" ")[0] for position, *_ in ROWS}))
def test_what_comes_of_typed_moves(ruleset: str) -> None:
    wrong = []
    for position, typed, outcome in ROWS:
        if position.startswith(ruleset):
            found = read(position, typed)
            if (found if ": " in outcome else found.partition(": ")[0]) != outcome:
                wrong.append((position, typed, found, outcome))
    assert wrong == []


@pytest.mark.parametrize("ruleset", sorted({position.split(" ")[0] for position, *_ in ROWS}))
def test_no_answer_to_a_question_is_a_move(ruleset: str) -> None:
    answers = {answer for words in (*YES.values(), *NO.values()) for answer in words}
    for position in {position for position, *_ in ROWS if position.startswith(ruleset)}:
        for answer in answers:
            with pytest.raises(Rejection):
                Grammar(position).read(answer)


@pytest.mark.parametrize("unknown", ["zzq", "never", "behind"])
def test_no_grammar_leaves_out_a_word_that_it_does_not_know(unknown: str) -> None:
    for position, typed, _ in ROWS:
        grammar, words = Grammar(position), typed.split()
        for at in range(len(words) + 1):
            with pytest.raises(Rejection):
                grammar.read(" ".join([*words[:at], unknown, *words[at:]]))
