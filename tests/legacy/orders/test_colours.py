"""Colours chosen by mail: with the answer, with the invitation, in every language."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from pbem.legacy.matches.match import Match, Status
from pbem.names import MatchId
from pbem.legacy.transaction.installation import find_match, verified
from tests.legacy.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.legacy.clubs.hostile import registered
from tests.legacy.clubs.kept import kept


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await registered(one)
    yield one
    one.house.db.close()


@kept
async def invited(club: Club, order: str) -> MatchId:
    await club.answer(ANN, order)
    found = re.search(r"\b(?=[A-Z]*\d)[A-Z0-9]{5}\b", club.last(ANN).text)
    assert found is not None, club.last(ANN).text
    return MatchId(found[0])


async def match_of(club: Club, name: MatchId) -> Match:
    found: Any = await club.read(lambda conn: find_match(conn, name))
    match: Match = found.match
    return match


def said(club: Club, reader: str) -> str:
    return " ".join(club.last(reader).text.split())


@pytest.mark.parametrize(
    "answer",
    [
        "accept blue",
        "accept as blue",
        "Accept: Blue.",
        "accept colour=blue",
        "accept color blue",
        "accept, blue please",
        "accept blue with words tall trees",
        "annehmen blau",
        "annehmen als blau",
        "annehmen blau mit worten hohe Bäume",
        "join blue",
        "{match} accept blue",
        "{match} annehmen blau",
        "join {match} blue",
        "mitspielen {match} blau",
        "Yes, blue please",
        "Accept! Blue, please.",
    ][::3],
)
async def test_a_colour_comes_with_the_answer(club: Club, answer: str) -> None:
    name = await invited(club, f"new looney ludo with {BOB} starter=given")
    assert "Red, Yellow, Green, Blue, Purple, Orange" in said(club, BOB)
    await club.answer(BOB, answer.format(match=name))
    match = await match_of(club, name)
    assert match.status is Status.RUNNING, club.last(BOB).text
    assert match.terms.options["colours"] == "rbygpo"
    words = [one[1] for one in match.table.accepted][-1]
    assert words in ("", "tall trees", "hohe Bäume")
    assert bool(words) == ("wor" in answer)
    found: Any = await club.read(lambda conn: verified(conn, name)[0])
    assert found.findings == ()


async def test_a_taken_colour_is_refused_with_those_that_are_free(club: Club) -> None:
    name = await invited(club, f"new landrush with {BOB}, {CLEO} colour=black starter=given")
    assert "Ann has Black." in said(club, BOB)
    await club.answer(BOB, "accept black")
    assert (await match_of(club, name)).waiting_for
    assert "Red, Yellow, Green, Blue" in said(club, BOB)
    await club.answer(BOB, "accept as pink")
    assert "Red, Yellow, Green, Blue" in said(club, BOB)
    await club.answer(BOB, "accept green")
    await club.answer(BOB, "accept red")  # before the start it may be changed
    assert "Bob has Red." in said(club, BOB) or "You will have Red." in said(club, BOB)
    await club.answer(CLEO, "annehmen")
    match = await match_of(club, name)
    seats = dict(zip(match.table.players, match.terms.options["colours"], strict=False))
    assert {match.table.colours.get(player): letter for player, letter in seats.items()} == {
        "Black": "k",
        "Red": "r",
        None: "y",
    }


@pytest.mark.parametrize(
    "order",
    [
        "new looney ludo open colour=green",
        "new looney-ludo open color=g",
        "neu looney_ludo offen farbe=grün",
    ],
)
async def test_who_joins_is_told_what_is_free(club: Club, order: str) -> None:
    name = await invited(club, order)
    await club.answer(BOB, "open")
    assert "Ann has Green." in said(club, BOB)
    await club.answer(BOB, f"join {name} green")
    assert (await match_of(club, name)).status is Status.CHALLENGE
    await club.answer(BOB, f"join {name} orange")
    match = await match_of(club, name)
    assert {match.table.colours[player] for player in match.table.players} == {"Green", "Orange"}


async def test_a_bot_gets_what_is_left_and_a_rematch_keeps_the_choice(club: Club) -> None:
    name = await invited(club, "new looney ludo with bot random colour=yellow starter=given")
    match = await match_of(club, name)
    assert match.terms.options["colours"] == "yrgbpo"
    await club.answer(ANN, "resign")
    await club.answer(ANN, "yes")
    await club.answer(ANN, f"{name} rematch")
    (again,) = re.findall(r"\b(?=[A-Z]*\d)[A-Z0-9]{5}\b", club.last(ANN).subject)
    later = await match_of(club, MatchId(again))
    assert later.terms.rematch_of == name
    assert later.terms.options["colours"][later.table.players.index(match.table.players[0])] == "y"


@pytest.mark.parametrize("game", ["logger", "logan stones"])
async def test_a_game_without_colours_says_so(club: Club, game: str) -> None:
    name = await invited(club, f"new {game} with {BOB}")
    await club.answer(BOB, "accept red")
    assert (await match_of(club, name)).status is Status.CHALLENGE
    assert "Nobody chooses a colour in" in said(club, BOB)
    await club.answer(BOB, "accept")
    assert (await match_of(club, name)).status is Status.RUNNING


async def test_a_choice_waits_for_the_yes_that_it_needs(club: Club) -> None:
    name = await invited(club, "new looney ludo open starter=given")
    await club.write(BOB, f"join {name} purple")  # nothing proves that it is Bob
    assert (await match_of(club, name)).status is Status.CHALLENGE
    await club.answer(BOB, "yes")
    match = await match_of(club, name)
    assert match.terms.options["colours"].startswith("rp")


async def test_the_rules_name_the_option(club: Club) -> None:
    for game in ("landrush", "looney ludo"):
        await club.answer(ANN, f"rules {game}")
        assert "colour=red" in said(club, ANN)
        assert '"accept blue"' in said(club, ANN)
