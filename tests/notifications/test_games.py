"""Emails about every game with every number of seats, from random matches."""

from __future__ import annotations

import gettext
import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, timedelta
from itertools import product
from typing import Any, Final

import pytest

from pbem.errors import Facts, Rejection
from pbem.games import GAMES
from pbem.games.game import Outcome
from pbem.games.options import ColourChoice
from pbem.match.events import MatchEvent
from pbem.match.play import play_move, read_move
from pbem.match.state import Match, Status
from pbem.notifications.email_views import EmailView
from pbem.notifications.move_views import list_moves
from pbem.notifications.pictures import hash_picture
from pbem.notifications.renderer import Renderer
from pbem.notifications.rendering import RenderedEmail
from pbem.notifications.views import MatchView
from pbem.testing.matches import (
    NAMES,
    NOON,
    PLAYERS,
    make_submission,
    play_random_match,
    start_match,
    view_match,
)
from pbem.testing.pictures import find_picture_fault
from tests.conversations.programs import read_tap
from tests.games.landrush import test_rejections as landrush
from tests.games.logan_stones import test_rejections as logan_stones
from tests.games.logger import test_rejections as logger
from tests.games.looney_ludo import test_rejections as looney_ludo
from tests.games.playing import OUR_GAMES
from tests.notifications.english import find_english
from tests.packages import CHESS, installed_package

LANGUAGES: Final = ("en", "de")
EVERY: Final = 10  # moves between two moments at which a match is looked at
LAST: Final = 40  # the last such move
OPTIONS: Final[dict[str, Any]] = {
    "landrush": {"sizes": "same"},
    "logan_stones": {"draw_cap": "40"},
    "looney_ludo": {"turn_cap": "50"},
}
DRAWS: Final = ("material", "fivefold", "seventy_five", "threefold", "fifty", "agreement")
TERMINATIONS: Final = {
    "landrush-1": ("stash", "blocked", "last_seat"),
    "logan_stones-1": ("line", "repetition", "cap", "agreement", "last_seat"),
    "looney_ludo-1": ("nest", "cap", "agreement", "last_seat"),
    "chess-1": ("checkmate", "stalemate", *DRAWS, "last_seat"),
}
SEATS: Final = [
    *((game.ruleset, seats) for game in OUR_GAMES for seats in game.seats),
    ("chess-1", 2),
]
SENDS_AT: Final = NOON + timedelta(minutes=5)
UNKNOWN: Final = {"en": "That is not possible now.", "de": "Das geht jetzt nicht."}


class Recorder(gettext.NullTranslations):
    """Is asked for a text if no catalogue has it, and notes that."""

    asked: Final[set[str]] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        return super().gettext(message)

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        self.asked.add(singular)
        return super().ngettext(singular, plural, n)

    def pgettext(self, context: str, message: str) -> str:
        titles = {game.title for game in OUR_GAMES}
        if not message.isdecimal() and message not in titles:  # a tile of Landrush is a number
            self.asked.add(message)
        return super().pgettext(context, message)


@pytest.fixture(scope="module")
def renderer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renderer]:
    """A renderer beside an installed package of chess; `Recorder` has what German lacks."""
    with installed_package(CHESS, tmp_path_factory.mktemp("site")):
        made = Renderer()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(gettext, "NullTranslations", Recorder)
            made.environment("de")
        yield made


def render(
    renderer: Renderer,
    kind: str,
    view: MatchView,
    language: str,
    *,
    is_spoken: bool = False,
    **facts: Any,
) -> RenderedEmail:
    email_view = EmailView(
        reader_name="Ann",
        reply_address="games+k7qx2.1.abc@pbem.example",
        match=view,
        facts=facts,
        site_title="pbem club",
        timezone=UTC,
        has_pictures=True,
        is_spoken=is_spoken,
    )
    email = renderer.render(kind, email_view, language)
    for picture in email.pictures:
        assert find_picture_fault(picture.svg) == ""
        assert "None" not in picture.words
    assert [line for line in email.text.splitlines() if len(line) > 72] == []
    assert "None" not in email.text
    if language == "de":
        assert find_english(f"{email.subject}\n{email.text}") == []
    assert "\n\n\n" not in email.text
    return email


def render_refusal(
    renderer: Renderer, view: MatchView, language: str, code: str, facts: Facts
) -> str:
    refused: dict[str, Any] = {"typed": "?!", "is_move": True, "code": code, "facts": facts}
    text = render(renderer, "refusal", view, language, **refused).text
    assert UNKNOWN[language] not in text
    return text


def list_taps(email: RenderedEmail) -> list[str]:
    """Return what the links of an email send, without the commands that can always be sent."""
    links = re.findall(r'class="(?:button-)?link" href="([^"]*)"', email.html)
    return [read_tap(html.unescape(href))[2] for href in links]


CHOSEN = [
    (game, option.name, value)
    for game in OUR_GAMES
    for option in game.options
    for value in (option.values[-1], option.values[0], *map(str, (option.numbers or ())[:1]))
    if value != option.default and not option.is_starter and not isinstance(option, ColourChoice)
]


def test_options_are_in_words(renderer: Renderer) -> None:
    for language, (game, option, value) in product(LANGUAGES, CHOSEN):
        texts = [
            render(renderer, "start", view_match(match, PLAYERS[1]), language).text
            for match, _ in (start_match(game, 2, 1, **{option: value}), start_match(game, 2, 1))
        ]
        assert f"Option {option}" not in texts[0], (language, option)
        assert texts[0].count("\n") > texts[1].count("\n"), (language, option, value)


def check_player_to_move(renderer: Renderer, match: Match) -> None:
    player = match.player_at(match.to_move[0])
    view = view_match(match, player)
    moves = [choice.notation for choice in view.choices]
    assert 1 <= len(moves) <= 4
    for move in moves:
        play_move(match, player, make_submission(move), NOON)
    scheduled = view_match(match, player, scheduled=moves[0])
    with pytest.raises(Rejection) as refused:
        play_move(match, player, make_submission("?! x9"), NOON)
    for language in LANGUAGES:
        taps = list_taps(render(renderer, "turn", view, language))
        assert [read_move(match, player, tap) for tap in taps] == moves
        spoken = render(renderer, "turn", view, language, is_spoken=True)
        assert list_taps(spoken) == list_taps(render(renderer, "turn", view, language))
        assert not spoken.pictures
        assert "<pre" not in spoken.html
        render(
            renderer, "receipt", scheduled, language, sends_at=SENDS_AT, window=timedelta(minutes=5)
        )
        render_refusal(renderer, view, language, refused.value.code, refused.value.facts)


def check_others(renderer: Renderer, match: Match, kind: str) -> None:
    for reader in (*match.players, None):
        view = view_match(match, reader)
        if not view.is_reader_to_move:
            for language in LANGUAGES:
                assert list_taps(render(renderer, kind, view, language)) == []


def check_end(renderer: Renderer, match: Match, events: Sequence[MatchEvent]) -> None:
    assert match.outcome is not None
    for reader in (*match.players, None):
        view = view_match(match, reader, events=events)
        for language in LANGUAGES:
            render(renderer, "end", view, language)
    view = view_match(match, match.players[0])
    moves = list_moves(match, match.players[0], NAMES)
    render(renderer, "answer", view, "de", topic="history", moves=moves)
    render(renderer, "answer", view, "de", topic="help", groups=[])


@pytest.mark.parametrize(("ruleset", "seats"), SEATS)
def test_emails_of_a_random_match(renderer: Renderer, ruleset: str, seats: int) -> None:
    game = GAMES[ruleset]
    Recorder.asked.clear()
    for number, (match, events) in enumerate(
        play_random_match(game, seats, **OPTIONS.get(game.key, {}))
    ):
        if match.status is Status.ENDED:
            check_end(renderer, match, events)
        elif number % EVERY == 0 and number <= LAST:
            check_player_to_move(renderer, match)
            check_others(renderer, match, "receipt" if number else "start")
    assert match.status is Status.ENDED
    assert Recorder.asked == set()


REFUSED: Final[dict[str, list[Rejection]]] = {
    "landrush-1": [landrush.refusal(case.position, case.typed) for case in landrush.CASES],
    "logan_stones-1": [logan_stones.refused(case) for case in logan_stones.CASES],
    "logger-1": [logger.refusal(case.position, case.typed) for case in logger.CASES],
    "looney_ludo-1": [looney_ludo.refused(case.dice, case.typed) for case in looney_ludo.CASES],
}


@pytest.mark.parametrize("ruleset", REFUSED)
def test_every_refused_move_has_words(renderer: Renderer, ruleset: str) -> None:
    Recorder.asked.clear()
    match, _ = start_match(GAMES[ruleset], 2, 1)
    view = view_match(match, match.players[0])
    for language, rejection in product(LANGUAGES, REFUSED[ruleset]):
        text = render_refusal(renderer, view, language, rejection.code, rejection.facts)
        for key in ("square", "space", "word", "slot", "cell", "tree"):
            fact = rejection.facts.get(key)
            if isinstance(fact, str):
                said = match.game.vocabulary.say(fact, language) if key == "word" else fact
                assert said in text.replace("\n", " "), (language, rejection.code, key)
    assert Recorder.asked == set()


@pytest.mark.parametrize("ruleset", TERMINATIONS)
def test_every_ending_has_words(renderer: Renderer, ruleset: str) -> None:
    Recorder.asked.clear()
    *_, (match, _) = play_random_match(GAMES[ruleset], 2)
    view = view_match(match, match.players[0])
    assert view.result is not None
    for language in LANGUAGES:
        texts = set()
        for termination in TERMINATIONS[ruleset]:
            ended = replace(view, result=replace(view.result, termination=termination))
            texts.add(render(renderer, "end", ended, language).text)
        assert len(texts) == len(TERMINATIONS[ruleset]), language
    assert Recorder.asked == set()


@pytest.mark.parametrize(
    ("placings", "english", "german"),
    [
        ((1, 1), "The game is a draw", "Die Partie endet remis"),
        ((1, 2), "You won", "Du hast gewonnen"),
        ((2, 1), "You lost to Bob", "Du hast gegen Bob verloren"),
        ((1, 1, 3), "Shared first place: Ann and Bob", "Geteilter erster Platz: Ann und Bob"),
        ((1, 1, 1), "The game is a draw", "Die Partie endet remis"),
    ],
)
def test_the_headline_says_how_it_ended(
    renderer: Renderer, placings: tuple[int, ...], english: str, german: str
) -> None:
    match, _ = start_match(GAMES["landrush-1"], len(placings), 1)
    over = match.game.load("Red a1 M; Yellow c4 M; left Yellow; over last_seat")
    match = replace(
        match, status=Status.ENDED, position=over, outcome=Outcome(placings, "last_seat")
    )
    view = view_match(match, match.players[0])
    for language, headline in (("en", english), ("de", german)):
        assert render(renderer, "end", view, language).text.splitlines()[0] == headline


def test_a_picture_has_the_position_in_words(renderer: Renderer) -> None:
    match, _ = start_match(GAMES["logan_stones-1"], 2, 1)
    view = view_match(replace(match, position=match.game.load("M20=RP M22=SS")), match.players[0])
    email = render(renderer, "turn", view, "en")
    [picture] = email.pictures
    spoken = render(renderer, "turn", view, "en", is_spoken=True)
    words = "Row M: M20 rock over unknown, M22 scissors over unknown."
    assert words in picture.words
    assert words in " ".join(spoken.text.split())
    assert f'data-picture="{hash_picture(picture.svg)}"' in email.html
    assert "\n".join(view.board) in html.unescape(email.html)


def test_an_island_that_is_too_wide_is_told_in_words(renderer: Renderer) -> None:
    kinds = ("RP", "SS", "PS") * 3 + ("RR", "SR", "PP") * 3
    row = " ".join(f"M{20 + 2 * number}={kind}" for number, kind in enumerate(kinds))
    match, _ = start_match(GAMES["logan_stones-1"], 2, 1)
    wide = replace(match, position=match.game.load(row))
    view = view_match(wide, wide.players[0])
    assert view.board == ()
    for language in LANGUAGES:
        assert "M20 R/?, M22 S/?" in render(renderer, "turn", view, language).text


def test_a_sealed_draw_is_told_when_the_match_has_ended() -> None:
    matches = [match for match, _ in play_random_match(GAMES["logan_stones-1"], 2)]
    assert view_match(matches[1], None).history[0].notation == ""
    assert "M20=" in view_match(matches[-1], None).history[0].notation


def test_a_game_without_words_has_neutral_ones(renderer: Renderer) -> None:
    match = next(iter(play_random_match(GAMES["chess-1"], 2)))[0]
    view = replace(view_match(match, match.players[0]), game="unheard_of")
    for language in LANGUAGES:
        email = render(renderer, "turn", view, language)
        for choice in view.choices:
            assert f'{choice.notation}: "{choice.notation}"' in email.text
        for code in ("illegal", "not_a_move", "order_empty", "game_over", "unreadable"):
            render_refusal(renderer, view, language, code, {"word": "x", "typed": "x"})
