"""What is typed in German is read as the English is, and never as anything else."""

from __future__ import annotations

from itertools import cycle
from zoneinfo import available_timezones

import pytest

from pbem.games import GAMES, AnyGame, newest
from pbem.games.chance import answer
from pbem.games.game import Chance, Drawn, Over
from pbem.mail.free_text import Reading, is_order, read_orders
from pbem.mail.lines import MARKER
from pbem.mail.verbs.own import ChooseWish, QuietHours
from pbem.mail.verbs.playing import Move
from pbem.mail.verbs.verb import Order
from pbem.mail.verbs.verb_table import BY_WORD, VERBS
from pbem.mail.verbs.vocabulary import ENGLISH, Tongue, vocabulary
from pbem.notices.rendering.environment import template_folder
from pbem.notices.rendering.languages import catalogue, languages, plan_in
from pbem.players.typed_times import read_quiet_hours
from pbem.players.wishes import BY_NAME
from pbem.wiring.words import words_of

WORDS = words_of()


def game_of(key: str) -> AnyGame:
    found = newest(key)
    assert found is not None
    return found


LOGGER = game_of("logger")


def reading(line: str, game: str | None = "logger") -> Reading:
    return read_orders(line.split("\n"), game_of(game) if game is not None else None, words=WORDS)


def orders(line: str, game: str | None = "logger") -> list[Order]:
    return [typed.order for typed in reading(line, game).orders]


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("Brett", "board"),
        ("brett 12", "board 12"),
        ("Verlauf.", "history"),
        ("sage Viel Glück!", "say Viel Glück!"),
        ("Aufgeben ja", "resign yes"),
        ("Ich gebe auf.", "resign"),
        ("Ja, bitte!", "yes"),
        ("ja", "yes"),
        ("Nein danke", "no thanks"),
        ("Remis", "draw"),
        ("remis anbieten", "offer draw"),
        ("annehmen", "accept"),
        ("annehmen remis", "accept draw"),
        ('annehmen "hohe Bäume"', 'accept "hohe Bäume"'),
        ("annehmen mit Worten hohe Bäume", "accept with words hohe Bäume"),
        ("ablehnen", "decline"),
        ("neu logger mit bob@example.org und Cleo", "new logger with bob@example.org and Cleo"),
        ("Neue Partie Logger gegen Bob, tree_limit=20", "new Logger against Bob, tree_limit=20"),
        ("partien nächste", "games next"),
        ("Regeln", "rules"),
        ("adresse hinzufügen ann@work.example", "address add ann@work.example"),
        ("adresse entfernen ann@work.example ja", "address remove ann@work.example yes"),
        ("einladungen an", "invitations on"),
        ("nie wieder", "never again"),
        ("Nie wieder!", "never again"),
        ("name Jörg", "name Jörg"),
        ("nenne mich Jörg", "name Jörg"),
        ("prüfen", "verify"),
        ("K7QX2 brett 3", "K7QX2 board 3"),
        ("Wenn e4 pflanze d4 dann e5 pflanze d5", "if e4 pflanze d4 then e5 pflanze d5"),
        ("falls irgendwas dann aufgeben ja", "if any then resign yes"),
        ("vormerken leeren", "queue clear"),
        ("urlaub vom 24.12. bis 2. Januar", "away from 24.12. until 2. january"),
        ("ruhetage Sa und So", "rest saturday and sunday"),
        ("ruhestunden aus", "quiet off"),
        ("wähle faden aus", "set thread off"),
        ("breite 60", "width 60"),
        ("Jetzt!", "now"),
        ("rückgängig", "undo"),
        ("mitspielen K7QX2", "join K7QX2"),
        ("zuschauen K7QX2", "watch K7QX2"),
        ("meine Daten", "my data"),
        ("rücknahme haus", "window house"),
        ("rücknahme 10 Minuten", "window 10 minutes"),
        ("Übersicht um 18 Uhr", "digest at 18 o'clock"),
        ("tagesübersicht nie", "digest off"),
        ("erinnere nie", "remind off"),
        ("erinnere 12 Stunden", "remind 12 hours"),
        ("erinnere 2 Tage", "remind 2 days"),
        ("wähle erinnern 2 Tage", "set remind 2 days"),
        ("wähle rücknahme haus", "set window house"),
        ("stop Erinnerungen", "stop reminders"),
        ("stopp neuigkeiten", "stop news"),
        ("starten erinnerungen", "start reminders"),
        ("Sprache Englisch", "lang english"),
        ("Deutsch!", "lang Deutsch"),
        ("german", "lang german"),
        ("ruhestunden von 22 Uhr bis 7 Uhr", "quiet from 22 o'clock until 7 o'clock"),
        ("neu logger mit Bob zeit=schnell privat=ja", "new logger with Bob time=fast private=yes"),
        ("neu logger mit Bob Zeit = keine", "new logger with Bob time = none"),
        ("neu logger mit Bob, Cleo verwaist=ausscheiden", "new logger with Bob, Cleo vacant=leave"),
        ("neu logger mit einem Bot", "new logger with a Bot"),
        ("neu logger offen 3 privat", "new logger open 3 private"),
    ],
)
def test_german_is_read_as_english_is(german: str, english: str) -> None:
    assert orders(german, None) == orders(english, None) != []
    assert orders(english, None) == [o.order for o in read_orders([english], None).orders]


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("wenn e4 dann e5,\nwenn d4 dann d5", "if e4 then e5,\nif d4 then d5"),
        ("Wenn e4\ndann e5, wenn d4\ndann d5", "If e4\nthen e5, if d4\nthen d5"),
        ("wenn e4 dann\ne5\nund wenn d4 dann d5", "if e4 then\ne5\nand if d4 then d5"),
        ("falls e4 dann e5 und falls d4 dann d5", "if e4 then e5 and if d4 then d5"),
        ("vormerken e4\ndann e5", "queue e4\nthen e5"),
        ("wenn e4 dann e5\nwenn d4 dann d5", "if e4 then e5\nif d4 then d5"),
    ],
)
def test_conditions_run_over_lines_in_every_language(german: str, english: str) -> None:
    assert orders(german, "landrush") == orders(english, "landrush") != []


def test_a_wish_in_other_words_is_a_value_of_it() -> None:
    for german in ("rücknahme haus", "übersicht 18 Uhr", "erinnere nie", "erinnere 2 Tage"):
        [order] = orders(german, None)
        assert isinstance(order, ChooseWish)
        BY_NAME[order.name].read(order.value)
    for german in ("ruhestunden 22 Uhr bis 7 Uhr", "ruhestunden 22-7 Uhr"):
        [order] = orders(german, None)
        assert isinstance(order, QuietHours)
        assert read_quiet_hours(order.text) == (22, 7)


def test_no_time_zone_is_read_in_other_words() -> None:
    for zone in available_timezones():
        assert WORDS.calendar.english(zone) == zone


@pytest.mark.parametrize(
    "line",
    [
        "if e4 then e5, if d4 then d5",
        "if e4 if d4 then e5",
        "if any then resign yes",
        "if e4 if any then e5",
        "if e4 if drawn Suns 3 then e5",
    ],
)
def test_conditions_are_told_in_words_that_are_read(line: str) -> None:
    german = plan_in(catalogue([template_folder()], "de"), line, "landrush")
    assert german.startswith("wenn ")
    assert orders(german, "landrush") == orders(line, "landrush") != []


@pytest.mark.parametrize(
    ("game", "german", "english"),
    [
        ("logger", "e3 pflanze d3", "e3 plant d3"),
        ("logger", "Bleibe, fälle d3", "stay, chop d3"),
        ("logger", "gehe nach c2, schütze a1 und e4", "move to c2, protest a1 and e4"),
        ("logger", "bleibe passe", "stay pass"),
        ("landrush", "groß auf b6", "large on b6"),
        ("landrush", "b6 L mit groß mittel", "b6 L with large medium"),
        ("logan_stones", "3 Stein N21", "3 rock N21"),
        ("logan_stones", "M20 nach O22 gewendet", "M20 to O22 turned"),
        ("logan_stones", "wende M22", "flip M22"),
        ("logan_stones", "lege 2 an L21", "add 2 to L21"),
        ("looney_ludo", "tausche Grün Gelb", "swap green yellow"),
        ("looney_ludo", "springe gelb nördlich von rot links", "hop yellow north of red left"),
        ("looney_ludo", "drehe Blau links, Rot 180", "aim blue left, red 180"),
        ("looney_ludo", "passe", "pass"),
        ("looney_ludo", "neu würfeln", "reroll"),
    ],
)
def test_moves_may_be_written_in_german(game: str, german: str, english: str) -> None:
    [typed] = reading(german, game).orders
    [plain] = reading(english, game).orders
    assert isinstance(typed.order, Move)
    assert isinstance(plain.order, Move)
    assert typed.order.text.casefold() == plain.order.text.casefold()
    assert typed.typed == german


@pytest.mark.parametrize(
    "line",
    [
        "Nein, das glaube ich nicht",
        "Zeige mir das mal",
        "Ja, gern, aber erst morgen",
        "Danke und bis bald",
        "Am Montag schrieb Ann:",
        "Viele Grüße",
        "Spielst du auch Schach?",
        "Start der Partie war gut",
        "mit freundlichen Grüßen",
        "Die Regeln kenne ich",
        "Wenn du willst, spielen wir danach noch eine",
        "Jetzt wird es spannend",
        "Zurück zum Spiel: das war gut",
        "Laut Wetterbericht regnet es",
    ],
)
def test_a_german_sentence_is_no_order(line: str) -> None:
    assert not is_order(line, LOGGER, WORDS)


def test_english_is_read_as_before_in_every_game() -> None:
    for verb in VERBS:
        for example in verb.examples:
            line = example.format(move="e3 plant d3", answer="e2 plant d2")
            plain = read_orders([line], LOGGER)
            assert read_orders([line], LOGGER, words=WORDS) == plain


@pytest.mark.parametrize("game", sorted({game.key for game in GAMES.values()}))
def test_no_foreign_word_means_anything_else_to_a_game(game: str) -> None:
    """A game's word of another language is none in its own, nor an English verb."""
    glossary = WORDS.games[game]
    for theirs, ours in glossary.meanings.items():
        assert theirs not in game_of(game).keywords, (theirs, ours)
        assert BY_WORD.get(theirs) is None, (theirs, ours)
        assert game_of(game).words.search(theirs) is None, (theirs, ours)


def test_no_foreign_verb_is_a_verb_or_a_games_word_in_another_sense() -> None:
    for word, verb in WORDS.verbs.items():
        if word in BY_WORD:
            assert verb is BY_WORD[word]
            continue
        for game in GAMES.values():
            assert not game.words.search(word), (word, game.key)


def test_no_two_languages_differ_about_a_word() -> None:
    one = Tongue(verbs={"board": ("tavolo",), "say": ("di",)})
    other = Tongue(verbs={"help": ("tavolo", "board")})
    words = vocabulary([one, other])
    assert words.verbs["tavolo"].name == "board"
    assert words.verbs["board"].name == "board"
    assert vocabulary([other, one]).verbs["tavolo"].name == "help"


@pytest.mark.parametrize("game", sorted({game.key for game in GAMES.values()}))
def test_a_move_in_the_games_own_words_is_never_touched(game: str) -> None:
    known = game_of(game)
    position = known.initial(known.seats[0], known.normal_options({}))
    seen = 0
    while seen < 30 and not isinstance(turn := known.turn(position), Over):
        if isinstance(turn, Chance):
            drawn = answer(turn.draw, cycle(range(256)))
            position = known.play(position, Drawn(drawn))
            continue
        moves = known.legal(position)
        for move in moves[:40]:
            text = known.notation(move)
            assert WORDS.game_text(known, text) == text
        position = known.play(position, moves[seen % len(moves)])
        seen += 1
    assert seen
    assert [word for word in known.keywords if WORDS.game_text(known, word) != word] == []


def test_the_lines_that_replies_stand_above_are_known_in_every_language() -> None:
    assert ENGLISH.markers == WORDS.markers[:1] == (MARKER,)
    assert len(WORDS.markers) == len(languages([template_folder()]))


def test_english_alone_knows_no_other_words() -> None:
    assert ENGLISH.game_text(LOGGER, "e3 pflanze d3") == "e3 pflanze d3"
    assert not read_orders(["brett"], None).orders


@pytest.mark.parametrize(
    ("typed", "part", "before", "after"),
    [
        ("e3 pflanze d3, viel Spaß und bis bald", "e3 plant d3", "", ", viel Spaß und bis bald"),
        ("Und nun: bleibe fälle d3!", "stay chop d3", "Und nun: ", "!"),
        ("e3 plant d3, bis bald", "e3 plant d3", "", ", bis bald"),
        ("gehe nach e3, pflanze d3 und tschüss", "e3, plant d3", "gehe nach ", " und tschüss"),
    ],
)
def test_what_stands_around_a_move_stays_as_it_was_typed(
    typed: str, part: str, before: str, after: str
) -> None:
    said = WORDS.game_text(LOGGER, typed)
    start = said.index(part)
    assert WORDS.around(LOGGER, typed, start, start + len(part)) == (before, after)
