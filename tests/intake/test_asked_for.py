"""What people ask for in words, and how they answer: what only shows something is done at once."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbem.mail.phrases.lists import spoken
from tests.clubs.club import open_club
from tests.correspondence.outcome import Outcome, outcome
from tests.correspondence.places import PLACES


async def answered(place: str, *texts: str) -> Outcome:
    """What becomes of the last of several answers, the first of them at a place."""
    with TemporaryDirectory() as folder:
        club = open_club(Path(folder), window=5)
        await PLACES[place].prepare(club)
        try:
            return [await outcome(club, place, text) for text in texts][-1]
        finally:
            club.house.db.close()


def kinds(found: Outcome) -> set[str]:
    """What its writer was told, but for the list of what became of each order."""
    return {type(one).__name__ for one in found.notices} - {"Account"}


# --- asked for in words --------------------------------------------------------------------------

SHOWN = (
    ("logger", "kann ich die Regeln haben?", {"RulesShown"}),
    ("logger", "Wie geht das denn? regeln bitte", {"RulesShown"}),
    ("logger", "rules please", {"RulesShown"}),
    ("invited", "Could I see the rules first?", {"RulesShown"}),
    ("invited-again", "Hallo, wie geht das Spiel, kann ich die Regeln haben?", {"RulesShown"}),
    ("ludo", "Ich hätte gern die Regeln.", {"RulesShown"}),
    ("logger", "Could you show me the board?", {"BoardShown"}),
    ("logger", "wer ist eigentlich dran?", {"BoardShown"}),
    ("ludo", "Wessen Zug ist es gerade?", {"BoardShown"}),
    ("gone", "whose turn is it?", {"BoardShown"}),
    ("held", "Whose turn is it?\n\nThanks\nAnn", {"BoardShown"}),
    ("over", "Wer ist dran?", {"BoardShown"}),
    ("logger", "den ganzen Verlauf der Partie bitte", {"HistoryShown"}),
    ("over", "Schickst du mir bitte den ganzen Verlauf der Partie?", {"HistoryShown"}),
    ("over", "Kann ich das Protokoll als Text haben?", {"RecordShown"}),
    ("over", "Can I watch the match again?", {"ReplayShown"}),
    ("two", "what matches do I have?", {"GamesListed"}),
    ("two", "Welche Partien laufen denn gerade?", {"GamesListed"}),
    ("logger", "meine Einstellungen bitte", {"SettingsShown"}),
    ("logger", "Kannst du mir helfen?", {"HelpShown"}),
    ("landrush", "Was bedeutet Rl?", {"HelpShown"}),
    ("logger", "Who is to move, and could I have the rules?", {"BoardShown", "RulesShown"}),
)


@pytest.mark.parametrize(("place", "text", "shown"), SHOWN)
async def test_what_only_shows_something_is_done_when_it_is_asked_for(
    place: str, text: str, shown: set[str]
) -> None:
    found = await answered(place, text)
    assert (found.disposition, kinds(found), found.moves) == ("done", shown, {})


async def test_after_the_end_the_board_says_that_nobody_is_to_move() -> None:
    found = await answered("over", "Whose turn is it?")
    assert "as it ended" in found.told


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("logger", "I never play without the rules."),
        ("logger", "Don't show me the board."),
        ("logger", "Wait, show me the board first, I may want to take that back."),
        ("logger", "Can I see the board, or shall I resign?"),
        ("invited", "Yes! Can I have the rules?"),
        ("invited-again", "Gern! Kann ich die Regeln haben?"),
        ("takeback-asked", "Wer ist dran?"),
        ("invited-again", "Can I see the board?"),
    ],
)
async def test_what_says_more_or_may_answer_something_is_not(place: str, text: str) -> None:
    assert kinds(await answered(place, text)) <= {"NoOrderFound", "QuestionAsked"}


@pytest.mark.parametrize(
    "text",
    [
        "please give up my match",
        "Kann ich meinen Zug zurücknehmen?",
        "no more mails please",
        "could I have a draw?",
        "ich bin im Urlaub",
    ],
)
async def test_what_changes_anything_is_a_tap_or_a_question(text: str) -> None:
    found = await answered("gone", text)
    assert (found.disposition, found.events) == ("refused", ())


@pytest.mark.parametrize(
    "text", ["jetzt abschicken bitte", "now please", "now, thank you very much", "send it now"]
)
async def test_an_order_with_courtesy_behind_it_is_that_order(text: str) -> None:
    assert "MovePlayed" in (await answered("held", text)).events


@pytest.mark.parametrize("text", ["now Bob", "not now please", "Send it again", "abschicken? nein"])
async def test_what_only_begins_so_sends_nothing(text: str) -> None:
    assert "MovePlayed" not in (await answered("held", text)).events


# --- words that belong to the turn ---------------------------------------------------------------

AT_ONCE = timedelta(minutes=5)


@pytest.mark.parametrize(
    ("place", "text", "move"),
    [
        ("logger", "Super, dann gehe ich nach d4 und pflanze e4!", "d4; plant e4"),
        ("logger", "gehe zu d4 und pflanze e4", "d4; plant e4"),
        ("logger", "Ok, dann ziehe ich mal zu d4 und pflanze auf e4.", "d4; plant e4"),
        ("logger", "Nun gut, ich bewege mich nach d4 und pflanze e4", "d4; plant e4"),
        ("logger", "Great, so I'll move over to d4 and plant e4", "d4; plant e4"),
        ("logger", "Oops, I meant d4, plant e4", "d4; plant e4"),
        ("landrush", "Hoppla, ich meinte c6 klein", "c6 S"),
        ("landrush", "Super, dann setze ich c6 klein", "c6 S"),
    ],
)
async def test_words_that_lead_to_the_turn_are_a_part_of_it(
    place: str, text: str, move: str
) -> None:
    found = await answered(place, text)
    assert (*found.moves.values(), *found.waits.values()) == (move, AT_ONCE)
    assert "understood" not in found.told


@pytest.mark.parametrize(
    "text",
    [
        "Vielleicht gehe ich nach d4 und pflanze e4",
        "Ich gehe nicht nach d4 und pflanze e4",
        "Na dann gehe ich doch nach d4 und pflanze e4",
        "Perhaps I'll go to d4 and plant e4",
        "Then I would go to d4 and plant e4",
        "Soll ich nach d4 gehen und e4 pflanzen?",
        "I meant d4, plant e4, or d3, plant e3",
    ],
)
async def test_words_that_doubt_deny_or_choose_are_none(text: str) -> None:
    assert (await answered("logger", text)).moves == {}


async def test_praise_right_before_a_turn_may_be_for_another() -> None:
    found = await answered("logger", "Great d4; plant e4")
    assert (*found.moves.values(), *found.waits.values()) == ("d4; plant e4", timedelta(hours=1))


def test_no_word_that_leads_to_a_turn_denies_it_chooses_or_makes_a_condition() -> None:
    said = spoken()
    assert said.leading.isdisjoint(said.unsure | said.denying | said.alternatives)
    assert said.leading.isdisjoint(said.conditional | said.no_at_start | said.wait)


# --- a yes to our question -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "yes",
    ["genau, stimmt", "exactly", "That's right, thanks Bob", "ja genau", "Jawohl!\n\nGrüße\nAnn"],
)
async def test_a_move_that_is_asked_about_is_played_for_words_that_confirm_it(yes: str) -> None:
    found = await answered("logger", "Vielleicht d4 pflanze e4", yes)
    assert (*found.moves.values(),) == ("d4; plant e4",)


@pytest.mark.parametrize(
    "text",
    ["stimmt nicht", "genau?", "right, but wait", "genau, aber erst morgen", "exactly so, or e4"],
)
async def test_words_that_say_more_confirm_nothing(text: str) -> None:
    assert (await answered("logger", "Vielleicht d4 pflanze e4", text)).moves == {}


@pytest.mark.parametrize(
    ("place", "first"),
    [
        ("held", ["Moment, ich möchte den Zug doch zurücknehmen"]),
        ("draw-offered", []),
        ("takeback-asked", []),
        ("gone", ["please undo"]),
        ("gone", ["resign"]),
    ],
)
async def test_what_is_asked_otherwise_needs_a_yes(place: str, first: list[str]) -> None:
    found = await answered(place, *first, "genau, stimmt")
    assert found.events == ()


async def test_a_move_that_is_only_asked_about_is_not_said_to_go_out() -> None:
    asked = "Vielleicht d4 pflanze e4"
    told = " ".join((await answered("logger", asked, "board")).told.split())
    assert 'is not played yet: reply "now" to play it' in told
    assert "MovePlayed" in (await answered("logger", asked, "board", "now")).events


# --- what is quoted is what was typed ------------------------------------------------------------


async def test_words_of_a_game_are_quoted_as_they_were_typed() -> None:
    found = await answered("logger", "Gut, dann also zu d4 und e4 pflanzen")
    assert 'not understood: "Gut, dann also zu d4 und e4 pflanzen"' in " ".join(found.told.split())


async def test_days_that_cannot_be_read_are_quoted_so_and_answered_with_days_of_the_language() -> (
    None
):
    found = await answered("logger", "sprache de", "urlaub vom 5 bis zum neunten Tag")
    told = " ".join(found.told.split())
    assert '"vom 5 bis zum neunten Tag" ist nicht als kommende Tage zu lesen' in told
    assert '"urlaub 24.12. bis 2.1."' in told


@pytest.mark.parametrize(
    "text",
    [
        "urlaub ab nächsten Montag 3 Tage",
        "away from next Monday for 3 days",
        "urlaub 24.12. bis 2.1.",
        "away 24 Dec to 2 Jan",
    ],
)
async def test_days_are_read_as_people_say_them(text: str) -> None:
    assert "LeavePlanned" in (await answered("logger", text)).events


# --- a part of a turn ----------------------------------------------------------------------------


def choices(found: Outcome) -> list[str]:
    """The moves that a refusal offers, as they may be sent."""
    offered = found.told.partition("You can play, for example:")[2].partition("\n\n")[0]
    return re.findall(r': "(.*)"$', offered, re.MULTILINE)


@pytest.mark.parametrize(
    ("place", "text", "offered"),
    [
        ("landrush", "c6", ["c6 S", "c6 M", "c6 L"]),
        ("landrush", "klein", ["c5 S", "d5 S", "c6 S"]),
        ("logger", "e3", ["e3; plant d3", "e3; plant e2", "e3; plant e4"]),
        ("logger", "gehe nach d4 und pflanze e9", ["d4; plant c4", "d4; plant d3", "d4; plant e4"]),
        ("stones", "M18", ["add 2 M18", "add 3 M18", "add 4 M18"]),
        ("stones", "stone 4", ["add 4 J17", "add 4 J21", "add 4 K16"]),
    ],
)
async def test_a_part_of_legal_moves_is_refused_with_such_moves(
    place: str, text: str, offered: list[str]
) -> None:
    found = await answered(place, text)
    assert (found.moves, choices(found)) == ({}, offered)


async def test_a_move_that_shares_little_with_legal_ones_is_refused_with_the_usual_ones() -> None:
    usual = choices(await answered("landrush", "a1 S"))
    assert choices(await answered("landrush", "h9 L")) == usual
    assert usual != ["c6 S", "c6 M", "c6 L"]


@pytest.mark.parametrize(
    ("place", "first", "text", "move"),
    [
        ("landrush", "c6", "Klein", "c6 S"),
        ("landrush", "c6", "Klein bitte!\n\nLG\nAnn", "c6 S"),
        ("landrush", "c6", "medium please", "c6 M"),
        ("landrush", "klein", "c6", "c6 S"),
        ("landrush", "c6", "d6 klein", "d6 S"),
        ("logger", "e3", "pflanze d3", "e3; plant d3"),
        ("logger", "e3", "stay; plant e4", "stay; plant e4"),
        ("stones", "stone 4", "M18", "add 4 M18"),
        ("stones", "M18", "4", "add 4 M18"),
    ],
)
async def test_what_was_missing_completes_what_was_refused(
    place: str, first: str, text: str, move: str
) -> None:
    assert (*(await answered(place, first, text)).moves.values(),) == (move,)


@pytest.mark.parametrize(
    ("place", "first", "text"),
    [
        ("landrush", "c6", "groß oder klein"),
        ("landrush", "c6", "nicht klein"),
        ("landrush", "c6", "klein? oder lieber nicht"),
        ("landrush", "c6", "klein, but let me think first"),
        ("logger", "e3", "plant e4"),  # which is a turn as well
        ("logger", "e3", "e4"),
    ],
)
async def test_what_says_more_or_is_a_turn_itself_does_not(
    place: str, first: str, text: str
) -> None:
    assert (await answered(place, first, text)).moves == {}


# --- another language ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "text", "first"),
    [
        ("invited", "sprache de", "Ann Miller lädt dich zu Logger"),
        ("invited-again", "language de", "Ann Miller lädt dich zu Landrush"),
        ("invited", "Deutsch bitte!", "Ann Miller lädt dich zu Logger"),
    ],
)
async def test_an_invitation_comes_again_in_the_language_that_is_asked_for(
    place: str, text: str, first: str
) -> None:
    found = await answered(place, text)
    assert kinds(found) == {"Invitation"}
    assert found.told.startswith(first)
    assert "SeatTaken" in (await answered(place, text, "ja")).events


async def test_who_plays_already_hears_of_no_invitation() -> None:
    assert kinds(await answered("logger", "sprache de")) == set()
