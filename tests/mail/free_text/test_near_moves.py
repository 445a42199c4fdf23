"""Mistyped words of moves: what was meant is found, and no sentence is taken for a move."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import pytest

from pbem.errors import Rejection
from pbem.games import AnyGame, newest
from pbem.games.game import Seat
from pbem.games.usual import UNREAD
from pbem.mail.free_text import is_order, read_orders
from pbem.mail.free_text.near_moves import is_slip, mended, unknown_word
from pbem.mail.free_text.one_move import move_said
from pbem.mail.free_text.readings import Readings
from pbem.mail.verbs.playing import Move
from pbem.skeleton.nine import GAME as NINE
from pbem.wiring.words import words_of
from tests.effort import clock, in_reference_seconds

WORDS = words_of()


def game_of(key: str) -> AnyGame:
    found = newest(key)
    assert found is not None
    return found


def said(key: str, text: str) -> str | None:
    """A text without its slips, in the words of the game's own grammar."""
    one = next(mended(text, game_of(key), WORDS), None)
    return WORDS.game_text(game_of(key), one.text) if one is not None else None


@pytest.mark.parametrize(
    ("game", "typed", "meant"),
    [
        ("logger", "palce a3", "place a3"),
        ("logger", "plnat c1 c2", "plant c1 c2"),
        ("logger", "e3 pflnaze d3", "e3 plant d3"),
        ("logger", "stya, chpo d3", "stay, chop d3"),
        ("logger", "e 3 plant d 3", "e3 plant d3"),
        ("logger", "e3/plant d3", "e3; plant d3"),
        ("landrush", "lareg on b6", "large on b6"),
        ("landrush", "kelin auf b6", "small on b6"),
        ("logan_stones", "add 2 L21 tunred", "add 2 L21 turned"),
        ("logan_stones", "flpi M22", "flip M22"),
        ("logan_stones", "leeg 2 L21", "add 2 L21"),
        ("looney_ludo", "swpa red blue", "swap red blue"),
        ("looney_ludo", "tpi", "tip"),
        ("looney_ludo", "mitel nws", "medium nws"),
        ("looney_ludo", "tausceh rot blau", "swap red blue"),
    ],
)
def test_a_slip_is_mended_in_every_language(game: str, typed: str, meant: str) -> None:
    assert said(game, typed) == meant


@pytest.mark.parametrize("typed", ["e3 plant d3", "Hi Bob", "a b c", ""])
def test_where_nothing_is_mistyped_nothing_is_mended(typed: str) -> None:
    assert said("logger", typed) is None


@pytest.mark.parametrize("line", ["swpa red blue", "klein nrod", "medim nws", "psas", "smal n"])
def test_a_line_that_is_but_for_a_slip_an_order_is_offered_to_the_game(line: str) -> None:
    ludo = game_of("looney_ludo")
    assert is_slip(line, ludo, WORDS)
    [typed] = read_orders([line], ludo, words=WORDS).orders
    assert typed.order == Move(WORDS.game_text(ludo, line))
    assert not is_order(line, ludo, WORDS)


@pytest.mark.parametrize("game", ["logger", "looney_ludo", "logan_stones", "landrush"])
@pytest.mark.parametrize(
    "line",
    ["Hope you are well", "Keep it up, my friend", "Stan", "Chip", "Read your mail",
     "Have a nice day", "I had a plan", "Das war knapp", "Viele Grüße", "Gruß, Tim"],
)  # fmt: skip
def test_a_sentence_is_no_slip(game: str, line: str) -> None:
    assert not is_slip(line, game_of(game), WORDS)


def test_a_letter_of_endless_slips_is_read_in_no_time() -> None:
    began = clock()
    read_orders(["swpa rde bleu"] * 20_000, game_of("looney_ludo"), words=WORDS)
    assert in_reference_seconds(clock() - began) < 5


@pytest.mark.parametrize(
    ("game", "typed", "named", "word"),
    [
        ("logger", "go to c1 and plnat with c2", "and", "plnat"),
        ("logger", "please hug the xylophone and plnat c2", "xylophone", "plnat"),
        ("logger", "c1 and then the xylophone", "and", "xylophone"),
        ("logger", "c1 or maybe c2 today", "or", "or"),
        ("logan_stones", "turn the stoen on L21 over", "the", "stoen"),
        ("landrush", "put a lareg on b6 with pleasure", "put", "lareg"),
        ("logger", "c1 and then", "and", "and"),
    ],
)
def test_the_word_that_keeps_a_text_from_being_an_order(
    game: str, typed: str, named: str, word: str
) -> None:
    assert unknown_word(typed, named, game_of(game), WORDS) == word


# --- moves that are only not legal ---------------------------------------------------------------

_BID: Final = re.compile(r"(?:([1-9]) (ones|six|sixes)|(six) (1))")


def bid_in(text: str) -> str:
    found = _BID.fullmatch(text)
    if found is None:
        raise Rejection("not_a_move", typed=text)
    return "6 ones" if found[3] else " ".join(found[0].split())


def read(text: str, _: object) -> str:
    if (bid := bid_in(text)) != text or text.endswith("sixes"):
        raise Rejection("not_a_move", typed=text)
    return bid


def parse(text: str, _: object, __: object) -> str:
    if (bid := bid_in(text)) < "4":
        raise Rejection("too_low", bid=bid)
    return bid


def refuse(text: str, *_: object) -> str:
    if text == "six 1":
        return "6 ones"
    raise Rejection("not_a_move", typed=text)


NINES: Final[AnyGame] = NINE
BIDS: Final = replace(
    NINES,
    keywords=("ones", "six", "sixes"),
    words=re.compile(r"[0-9]|six|ones"),
    notation=str,
    read=read,
    parse=parse,
    legal=lambda _: ["6 ones"],
)
STRICT: Final = replace(BIDS, read=lambda text, at: parse(read(text, at), at, at))
SPELLED: Final = replace(BIDS, spelled=lambda text: bid_in(text) if _BID.fullmatch(text) else None)
VAGUE: Final = replace(BIDS, parse=refuse, read=refuse)


@pytest.mark.parametrize(
    ("game", "typed", "asked", "code"),
    [
        (BIDS, "1 six", None, "too_low"),
        (STRICT, "1 six", None, "too_low"),
        (SPELLED, "2 sixes", None, "too_low"),
        (BIDS, "7 six", None, None),
        (VAGUE, "1 six", "6 ones", None),  # its own rules do not know it: it may be a slip
    ],
)
def test_a_move_that_is_only_not_legal_is_taken_for_no_other(
    game: AnyGame, typed: str, asked: str | None, code: str | None
) -> None:
    reading = read_orders([typed], game, words=WORDS)
    tried = Readings(game, NINE.initial(2, {}), Seat(1))
    said = move_said(reading.orders, reading.pieces, tried, WORDS)
    assert (said.asked.notation if said.asked else None) == asked
    refused = tried.rejection(typed)
    assert (refused.code if refused and not asked else None) == code


@pytest.mark.parametrize("code", UNREAD)
def test_a_text_that_no_game_can_read_is_no_move(code: str) -> None:
    def no(*_: object) -> str:
        raise Rejection(code, word="x", typed="x")

    tried = Readings(replace(BIDS, parse=no), None, Seat(1))
    assert not tried.is_begun("x")
    assert not tried.is_whole("x")
