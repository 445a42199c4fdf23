"""A move inside other words: exactly one reading, clearly meant, or a question."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games import GAMES
from pbem.mail.free_text import read_orders
from pbem.mail.free_text.move_spans import Found, find_move
from pbem.mail.lines import plain
from tests.effort import clock, in_reference_seconds
from tests.mail.corpus.samples import read_sent
from tests.mail.corpus.understood import Sent, made_of

MAILS = read_sent()
LOGGER = MAILS["logger"]
MOVE, OTHER = LOGGER.moves[:2]


def found_in(text: str, sent: Sent = LOGGER) -> Found:
    return find_move(plain(text) if "\n" not in text else text, sent.plays, sent.game.words)


def played(text: str, sent: Sent = LOGGER) -> str | None:
    """The move that a letter is, beyond doubt."""
    return made_of(read_orders([plain(line) for line in text.split("\n")], sent.game), sent)[0]


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "{}.",
        "{} 🙂",
        "🎲 {}",
        "“{}”",
        "({})",
        "*{}*",
        "**{}**",
        "- {}",
        "{}!",
        "{}\n\nMit freundlichen Grüßen\nHans Brandt",
        "{}\nMit freundlichen Grüßen\nHans Brandt",
        "I'll play {}",
        "I’ll play {}",
        "I play {}.",
        "I think I'll go with {} this time.",
        "I'd like to play {}, please",
        "My move is {}",
        "My move: {}, good luck!",
        "Ok, then I'll take {}, thanks.",
        "Hi Bob, {}",
        "Hi Bob, {}, good luck!",
        "Hello, I play {}. Best wishes, Ann",
        "Thanks for waiting! My next move is {}. See you",
        "{}, Ann",
        "{} - Ann Müller",
        "Here is my move: {} (have fun)",
        "Ich ziehe {}, viel Glück!",
        "Mein Zug: {}. Bin gespannt, was du machst. Viel Spaß!",
        "Mein Zug: {}. Viele Grüße",
        "Je joue {}, bonne chance",
        "Juego {}. ¡Suerte!",
        "Gioco {}, ciao",
        "Ik speel {}. Groetjes",
        "Jogo {}, boa sorte",
        "Мой ход: {}",
        "Hej Bob, jag spelar {}",
    ],
)
@pytest.mark.parametrize("mail", ["logger", "ludo", "stones", "landrush"])
def test_a_move_that_is_clearly_meant_is_certain(around: str, mail: str) -> None:
    sent = MAILS[mail]
    assert played(around.format(sent.moves[0]), sent) == sent.moves[0]


@pytest.mark.parametrize(
    "around",
    [
        "{}?",
        "Can I play {}?",
        "Don't play {}",
        "I will not play {}",
        "I would never play {}",
        "If you play {} I am lost",
        "You should have played {}",
        "I was going to play {}",
        "I nearly played {} yesterday",
        "{} would be nice",
        "{} - just kidding",
        "{}, or is that a mistake?",
        "{}. No, wait.",
        "{}. Or maybe something else.",
        "{}... hmm, let me think",
        "Bob, {} was great",
        "Nice {}!",
        "Your {} was a surprise",
        "Ich ziehe nicht {}",
        "Wenn ich {} spiele",
        "Je ne joue pas {}",
        "No juego {}",
        "не {}",
        "Is {} my best move",
        "The example {} looks bad",
    ],
)
@pytest.mark.parametrize("mail", ["logger", "ludo", "stones", "landrush"])
def test_a_move_in_other_words_is_asked_about(around: str, mail: str) -> None:
    sent = MAILS[mail]
    assert played(around.format(sent.moves[0]), sent) is None


@pytest.mark.parametrize(
    "text",
    [
        f"{MOVE} or {OTHER}",
        f"I'll play {MOVE}, no, {OTHER}",
        f"{MOVE}\n{OTHER}",
        f"{MOVE}. Or {OTHER}.",
    ],
)
def test_two_moves_are_never_chosen_between(text: str) -> None:
    found = found_in(text)
    assert {span.reads_as for span in found.spans} == {MOVE, OTHER}
    assert played(text) is None


@pytest.mark.parametrize(
    ("text", "reads_as"),
    [
        ("I'll go to e2 and plant e3.", "e2; plant e3"),
        ("e2 then plant e3", "e2; plant e3"),
        ("e2 – plant e3", "e2; plant e3"),
        ("Ich gehe auf e2 und plant e3", "e2; plant e3"),
    ],
)
def test_small_words_inside_a_move_are_left_out(text: str, reads_as: str) -> None:
    assert LOGGER.plays("e2 plant e3") == "e2; plant e3"
    assert played(text) == reads_as


@pytest.mark.parametrize("mail", ["logger", "logger-late", "logger-spoken"])
def test_a_part_of_a_move_is_never_played_for_the_whole(mail: str) -> None:
    # An action alone would be a turn without a step.
    sent = MAILS[mail]
    moves = map(sent.game.notation, sent.game.legal(sent.game.load(sent.position)))
    alone = [move.removeprefix("stay; ") for move in moves if move.startswith("stay; ")]
    actions = [action for action in alone if ";" not in action and sent.plays(action)]
    for action in actions:
        for before in ("e2 plnt e3", "e9;", "I'll go to f7 and", "e2 e4", "I want the e3 tree,"):
            assert played(f"{before} {action}", sent) is None
    assert actions or mail != "logger-late"


@pytest.mark.parametrize("width", [66, 72, 76, 78])
def test_a_long_turn_that_a_mailer_broke_is_whole_again(width: int) -> None:
    sent = MAILS["ludo-late"]
    long = "Hi Bob, I think I'll go with " + sent.moves[0].replace("; ", " ;  ")
    broken = "\n".join(textwrap.wrap(long, width, break_on_hyphens=False))
    assert broken.count("\n") >= 1
    assert played(broken, sent) == sent.moves[0]


@pytest.mark.parametrize("text", ["M n\nS w", "M n,\nS w", f"{'tip; ' * 12}M n\nS w"])
def test_other_line_ends_keep_their_meaning(text: str) -> None:
    asked = []

    def plays(text: str) -> str | None:
        asked.append(text)
        return None

    find_move(text, plays, MAILS["ludo"].game.words)
    # One line of these would be a step to the south.
    assert [one for one in asked if "n S w" in one or "n, S w" in one] == []


def test_a_span_says_where_it_stands() -> None:
    [span] = found_in("I'll play e2 plant e3!").spans
    assert (span.text, span.start, span.end) == ("e2 plant e3", 10, 21)


@pytest.mark.parametrize("mail", ["logger", "ludo-late", "stones-late", "landrush-late"])
@pytest.mark.parametrize("times", [3, 200])
def test_the_search_is_bounded(mail: str, times: int) -> None:
    sent, asked = MAILS[mail], 0

    def plays(text: str) -> str | None:
        nonlocal asked
        asked += 1
        return sent.plays(text)

    begun = clock()
    for word in (sent.moves[0], "I'll play e2, good luck", "stay", "e2 - M n a7 S add 2 O22;"):
        asked = 0
        find_move(f"hm {word} " * times, plays, sent.game.words)
        assert asked <= 320
    assert in_reference_seconds(clock() - begun) < 10


WORDS = st.sampled_from(
    [*LOGGER.moves, "e2", "plant", "e3", "I'll", "play", "not", "or", ",", ".", "?", "*", "-", "\n",
     "Hi Bob,", "thanks", "🙂", "stay", "#"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=14).map(" ".join))
def test_what_is_whole_is_one_move_that_stands_there(text: str) -> None:
    found = find_move(text, LOGGER.plays, LOGGER.game.words)
    assert len({span.reads_as for span in found.spans}) == len(found.spans)
    if found.whole:
        [span] = found.spans
        assert text[span.start : span.end].strip() == span.text
        outside = text[: span.start] + " " + text[span.end :]
        assert LOGGER.game.words.search(outside.casefold()) is None


@given(st.text(max_size=200))
def test_any_text_can_be_searched(text: str) -> None:
    for game in GAMES.values():
        assert find_move(text, lambda _text: None, game.words) == Found(())


def test_a_letter_that_has_two_in_another_case_hides_no_move() -> None:
    assert played(f"Viel Spaß! {MOVE} a5") is None
    assert played(f"Viel Spaß mit a5! {MOVE}") is None
