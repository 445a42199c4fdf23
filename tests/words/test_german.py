"""German is checked as text: the tables of docs/german.md, and the words of the games in mails.

What cannot be checked here is read: `golden/` has a whole correspondence of each game.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import pytest

from pbem.errors import Rejection
from pbem.games import AnyGame
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over, Seat, Style
from pbem.mail.free_text import read_orders
from pbem.mail.verbs.playing import Move
from pbem.notices.rendering.environment import environment, template_folder
from pbem.notices.rendering.languages import catalogue, move_in
from pbem.wiring.words import words_of
from tests.notices.test_golden import MAILS
from tests.words.test_games import GAME, pages
from tests.words.test_mails import written

accept: Any = pytest.importorskip("tests.words.accept", reason="Babel is not installed")

PAGE: Final = Path(__file__).parents[2] / "docs" / "german.md"
ROW: Final = re.compile(r"^\| (?!not \||English \||---)(.+?) \| (.+?) \|(?: (.*?) ?\|)?$")
BODY: Final = re.compile(r"body=([^\"]+)\"")
VALUE: Final = re.compile(r"%\(\w+\)s")
FOREIGN_QUOTES: Final = "„“”»«‚‘’"
PLIES: Final = 60
TRIED: Final = 9
RECORDS: Final = ("record_shown", "data_shown")
"""Mails with the log's own notation."""

WORDS: Final = words_of()
GERMAN: Final = catalogue([template_folder()], "de")


def table(title: str) -> list[tuple[str, str]]:
    """The rows of a table of the page, by the title of its section."""
    section = PAGE.read_text(encoding="utf-8").partition(f". {title}\n")[2].partition("\n## ")[0]
    return [(row[1], row[2]) for line in section.splitlines() if (row := ROW.match(line))]


GLOSSARY: Final = table("The glossary")
CALQUES: Final = table("Not in German")


def texts() -> list[tuple[str, str]]:
    """Every sentence with its translation; what is typed has contexts, and rules of its own."""
    pairs = []
    for message in accept.read("de"):
        if message.id and message.context is None:
            # Values have names, but no words.
            ours = VALUE.sub("", message.id if isinstance(message.id, str) else message.id[1])
            forms = [message.string] if isinstance(message.string, str) else message.string
            pairs += [(ours, form) for form in forms]
    return pairs


TEXTS: Final = texts()


def test_the_page_has_its_tables() -> None:
    assert len(GLOSSARY) > 50
    assert len(CALQUES) > 20
    assert len(TEXTS) > 1000


@pytest.mark.parametrize(("english", "german"), GLOSSARY)
def test_one_thing_has_one_word(english: str, german: str) -> None:
    case = re.IGNORECASE if english.islower() else 0
    term = re.compile(rf"(?<![\w-]){re.escape(english)}s?(?![\w-])", case)
    known = german.casefold().split(" / ")
    found = [(ours, theirs) for ours, theirs in TEXTS if term.search(ours)]
    assert found, "no text has this term any more"
    wrong = [theirs for _, theirs in found if not any(word in theirs.casefold() for word in known)]
    assert wrong == [], f"{english} is {german}"


@pytest.mark.parametrize(("calque", "instead"), CALQUES)
def test_no_text_has_what_is_no_german(calque: str, instead: str) -> None:
    case, ending = (re.IGNORECASE, "") if calque.islower() else (0, "(?:e[nrs]?|n|s)?")
    word = re.compile(rf"(?<!\w){re.escape(calque)}{ending}(?!\w)", case)
    assert [theirs for _, theirs in TEXTS if word.search(theirs)] == [], instead


def test_nobody_is_called_sie() -> None:
    inside = re.compile(r"(?<!^)(?<![.:!?] )(?<![.:!?]\n)\b(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)\b")
    assert [theirs for _, theirs in TEXTS if inside.search(theirs)] == []
    # Where a sentence begins so, the English speaks of some thing or of others.
    begins, others = (
        re.compile(r"\b(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)\b"),
        re.compile(r"\b(?:they|them|their|it|its)\b", re.IGNORECASE),
    )
    wrong = [theirs for ours, theirs in TEXTS if begins.search(theirs) and not others.search(ours)]
    assert wrong == []


def test_quotes_are_straight_and_blanks_single() -> None:
    assert [theirs for _, theirs in TEXTS if set(theirs) & set(FOREIGN_QUOTES)] == []
    double = re.compile(r"\S {2,}\S")
    sentences = [(ours, theirs) for ours, theirs in TEXTS if "\n" not in ours]
    wrong = [
        theirs for ours, theirs in sentences if double.search(theirs) and not double.search(ours)
    ]
    assert wrong == []


# --- the words of the games -----------------------------------------------------------------------


def moves(game: AnyGame) -> Iterator[tuple[Any, Seat, list[str]]]:
    """Positions of a match with somebody to move, the notation of each of some moves."""
    seats = game.seats[-1]
    position, chance = game.initial(seats, game.normal_options({})), random.Random(game.key)
    for _ in range(PLIES):
        turn = game.turn(position)
        if isinstance(turn, Over):
            return
        if isinstance(turn, Chance):
            position = game.play(
                position, Drawn(answer(turn.draw, iter(lambda: chance.randrange(256), None)))
            )
            continue
        legal = game.legal(position)
        some = [game.notation(chance.choice(legal)) for _ in range(TRIED)]
        can: Any = game.board(position, turn.seats[0], Style.ASCII).facts["can"]
        yield position, turn.seats[0], [*some, *(can["samples"] if can else ())]
        position = game.play(position, chance.choice(legal))


@pytest.mark.parametrize("game", GAME, ids=lambda game: game.key)
def test_every_move_is_accepted_as_german_mails_write_it(game: AnyGame) -> None:
    changed = 0
    for position, seat, notations in moves(game):
        for notation in notations:
            said = move_in(GERMAN, notation, game.key)
            orders = read_orders([said], game, words=WORDS).orders
            texts = [typed.order.text for typed in orders if isinstance(typed.order, Move)]
            assert len(texts) == len(orders) == 1, said
            meant = game.parse(texts[0], position, seat)
            assert meant == game.parse(notation, position, seat), said
            changed += said != notation
    assert changed or game.key == "landrush"


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("S e", "S o"),
        ("GM top ne; OS se", "GM oben no; OS so"),
        ("hop Yellow to E5 ccw", "versetze Gelb nach E5 linksherum"),
        ("e", "o"),
        # A word of the same letters is no way.
        ("wenn e4", "wenn e4"),
        ("A wenn B", "A wenn B"),
    ],
)
def test_only_ways_are_said_letter_by_letter(english: str, german: str) -> None:
    assert move_in(GERMAN, english, "looney_ludo") == german


def english_words(game: AnyGame) -> re.Pattern[str]:
    """The words of a game's grammar that are others in German."""
    foreign = [
        word
        for word in game.keywords
        if word.casefold() not in GERMAN.pgettext(game.key, word).casefold().split("|")
    ]
    assert foreign
    return re.compile(rf"(?<![\w-])(?:{'|'.join(foreign)})(?!\w)", re.IGNORECASE)


def refusals(game: AnyGame) -> Iterator[str]:
    """What is answered in German to words of a game's grammar that make no move."""
    env, chance = environment(lang="de"), random.Random(game.key)
    words = [*game.keywords, *game.letters, "a1", "b2", "c3", "S", "M", "L", "3", "m22", "n21", ";"]
    for position, seat, _ in moves(game):
        for _ in range(TRIED):
            text = " ".join(chance.choices(words, k=chance.randrange(1, 6)))
            try:
                game.parse(text, position, seat)
            except Rejection as refused:
                facts, names = dict(refused.facts), dict.fromkeys(game.seats, "")
                family = f"games/{game.key}/rejections"
                yield env.member(family, refused.code, facts=facts, names=names)


@pytest.mark.parametrize("game", GAME, ids=lambda game: game.key)
def test_no_english_word_of_a_game_stands_in_its_german_refusals(game: AnyGame) -> None:
    word, told = english_words(game), set()
    for text in refusals(game):
        told.add(text)
        assert not (found := word.search(text)), f"{found}: {text}"
    assert len(told) > TRIED


def no_quotes_of_letters(text: str) -> str:
    """A mail without what somebody wrote, and without its line for those who read no German."""
    lines = (line for line in text.split("\n") if not line.startswith(("|", "To read these")))
    return re.sub(r'Du hast "[^"]*" geschrieben|- "[^"]*":', "", " ".join(lines))


@pytest.mark.parametrize("game", GAME, ids=lambda game: game.key)
def test_no_english_word_of_a_game_stands_in_its_german_texts(game: AnyGame) -> None:
    word = english_words(game)
    for page in pages(game, game.seats[-1], "de"):
        assert not (found := word.search(page)), f"{found}: {page}"


@pytest.mark.parametrize("name", [name for name in MAILS if not name.startswith(RECORDS)])
def test_no_english_word_of_a_game_stands_in_german_mails(name: str) -> None:
    _, about, _ = MAILS[name]
    text = no_quotes_of_letters(written(name, "de", 72).text)
    for game in {match.game.key: match.game for match in about.matches.values()}.values():
        assert not (found := english_words(game).search(text)), f"{found}: {text}"


@pytest.mark.parametrize("name", ["turn_prompt", "invitation", "takeback_wanted"])
def test_a_tap_writes_what_the_mail_says(name: str) -> None:
    mail, english = written(name, "de", 72), written(name, "en", 72)
    taps, theirs = (
        [unquote(body) for body in BODY.findall(one.html or "")] for one in (mail, english)
    )
    assert len(taps) == len(theirs) > 1
    assert taps != theirs
    listed = " ".join(mail.text.rpartition("Jederzeit:")[2].split())
    for tap in taps:
        said = tap.partition(" ")[2] if tap.startswith("#") else tap
        assert f'"{said}"' in mail.text or f"/ {said} " in f"/ {listed} "
