"""A season of a league by mail: entries, tables as matches, results, standings, the end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from pbem.matches.match import Status
from pbem.matches.resigning import resign
from pbem.names import MatchId
from pbem.orders.handlers.people import ban
from pbem.store import tournaments as lists
from pbem.store.people import roster
from pbem.tournaments import decide
from pbem.transaction.installation import verified as verified_match
from pbem.transaction.tournament_checks import verified
from tests.clubs.club import Club, open_club
from tests.tournaments.service.club import (
    NAME,
    PEOPLE,
    acts,
    bots_enter,
    decided,
    decides,
    join,
    match_of,
    opens,
    player,
    running,
    state,
    voided,
)

ANN, BOB, CLEO, DAN, EVE, FAY = PEOPLE


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    yield one
    one.house.db.close()


async def season(club: Club, *people: str, **terms: object) -> None:
    """A season has begun with these people, and all of its tables."""
    await join(club, *(one for one in people if not club.mails(one)))
    opens(club, **terms)
    for one in people:
        await club.answer(one, f"enter {NAME}")
    decides(club, decide.begin)
    await club.work()


def right(club: Club) -> None:
    """The tournament and all of its matches can be checked."""
    found = club.house.db.read(lambda conn: verified(conn, NAME)).result()
    assert found is not None
    assert found[0].findings == ()
    for table in state(club).seasons[-1].tables.values():
        if table.match is not None:
            checked = club.house.db.read(partial(verified_match, match=table.match)).result()
            assert checked[0].findings == ()


async def test_entering_begins_all_tables_without_another_word(club: Club) -> None:
    """TR-2.2, TR-3.7."""
    await season(club, ANN, BOB, CLEO, DAN)
    assert len(running(club)) == 6
    tables = state(club).seasons[0].tables
    for table in tables.values():
        assert table.match is not None
        match = match_of(club, table.match)
        assert match.terms.tournament == NAME
        assert match.terms.time == "240/36/240"
        assert match.table.players == table.players
    right(club)
    # One mail that the season begins, one for each match, and no invitation.
    subjects = [mail.subject for mail in club.mails(ANN)]
    assert sum("season 1 begins" in subject for subject in subjects) == 1
    assert not any("invitation" in subject for subject in subjects)


async def test_a_newcomer_is_told_that_they_have_entered(club: Club) -> None:
    opens(club)
    await club.write(ANN, "enter spring")
    await club.answer(ANN, "yes")
    assert club.last(ANN).subject.startswith("Welcome")
    assert "You are in spring" in club.last(ANN).text
    assert state(club).entered == (player(club, ANN),)


async def test_standings_have_all_groups(club: Club) -> None:
    await join(club, ANN)
    opens(club, group=4)
    await club.answer(ANN, "enter spring")
    bots_enter(club, 7)
    decides(club, decide.begin)
    await club.work()
    await club.answer(ANN, "standings spring")
    shown = club.last(ANN).text
    assert shown.index("Group 1") < shown.index("Group 2")
    assert sum(" x " in f"{line} " for line in shown.splitlines()) == 8


async def test_what_is_played_is_counted_and_the_end_is_told(club: Club) -> None:
    await season(club, ANN, BOB, CLEO, DAN)
    for match in running(club):
        # Ann before Bob before Cleo before Dan.
        ranked = sorted(match.table.players, key=[player(club, one) for one in PEOPLE[:4]].index)
        decided(club, match.id, *(ranked.index(one) + 1 for one in match.table.players))
    await club.work()
    ended = state(club)
    assert ended.season is None
    assert ended.seasons[0].results[1].points == (6, 4, 2, 0)
    mail = club.last(ANN)
    assert "Season over: you have won spring, season 1!" in mail.text
    assert "Ann" in mail.text
    assert "you are on place 4 of 4 in spring" in club.last(DAN).text
    right(club)
    assert ended.planned is not None


async def test_a_resignation_and_a_void_are_told_to_the_tournament(club: Club) -> None:
    """TR-6.10."""
    await season(club, ANN, BOB, CLEO, DAN)
    first, second, third, *_ = running(club)
    voided(club, first.id)
    acts(club, lambda txn: txn.decide(second.id, resign, player=second.table.players[0]))
    await club.work()
    tables = {table.match: table for table in state(club).seasons[0].tables.values()}
    assert tables[first.id].why == "voided"
    assert (tables[second.id].why, tables[second.id].placings) == ("played", (2, 1))
    assert not tables[third.id].ended
    right(club)


async def test_two_entries_and_four_bots_play_a_season_to_its_end(club: Club) -> None:
    await join(club, ANN)
    opens(club, group=4)
    await club.answer(ANN, "enter spring")
    bots_enter(club, 3)
    decides(club, decide.begin)
    await club.work()
    while state(club).season is not None:
        for match in running(club):
            if match.seat_of(player(club, ANN)) is not None:
                placings = [2 if one == player(club, ANN) else 1 for one in match.table.players]
                decided(club, match.id, *placings)
        await club.work()
    assert state(club).seasons[0].results[1].players[-1] == player(club, ANN)
    right(club)


async def test_withdrawing_asks_which_and_resigns_nothing(club: Club) -> None:
    """TR-6.1."""
    await season(club, ANN, BOB, CLEO, DAN)
    await club.answer(ANN, "withdraw")
    assert 'Say from which tournament, by its name: "spring"' in " ".join(
        club.last(ANN).text.split()
    )
    await club.answer(ANN, "withdraw spring")
    assert player(club, ANN) not in state(club).entered
    assert len(running(club)) == 6
    assert "3 matches of it go on" in " ".join(club.last(ANN).text.split())
    right(club)


async def test_standings_and_the_list(club: Club) -> None:
    await season(club, ANN, BOB, CLEO, DAN)
    await club.answer(ANN, "standings")
    text = club.last(ANN).text
    assert "spring (Logger), season 1, as it stands now." in text
    assert max(map(len, text.splitlines())) <= 72
    await club.answer(BOB, "tournaments")
    assert "spring: a league of Logger, 4 entries, season 1 is played. You are in it." in " ".join(
        club.last(BOB).text.split()
    )
    await club.answer(BOB, "standings nowhere")
    assert 'no tournament called "nowhere"' in club.last(BOB).text


async def test_who_stops_them_gets_no_mail_of_tournaments(club: Club) -> None:
    await join(club, ANN)
    await club.answer(ANN, "stop tournaments")
    await season(club, ANN, BOB, CLEO, DAN)
    decides(club, decide.stop, author="otto", reason="0" * 64)
    await club.work()
    assert any("season 1" in mail.subject for mail in club.mails(BOB))
    assert not any("season 1" in mail.subject for mail in club.mails(ANN))
    assert len(running(club)) == 6


async def test_a_forgotten_player_keeps_places_without_a_name(club: Club) -> None:
    """TR-6.9."""
    await season(club, ANN, BOB, CLEO, DAN)
    gone = player(club, DAN)
    await club.insist(DAN, "delete me")
    assert gone not in state(club).entered
    assert gone in state(club).seasons[0].players
    await club.wait(days=1)
    await club.answer(ANN, "standings")
    assert "\r\n4      ? *  " in club.last(ANN).text
    assert "Dan" not in club.last(ANN).text
    right(club)


async def test_a_banned_player_is_out(club: Club) -> None:
    """TR-6.9."""
    await season(club, ANN, BOB, CLEO, DAN)
    gone = player(club, DAN)
    row = club.house.db.read(lambda conn: roster.player(conn, gone)).result()
    assert row is not None
    acts(club, lambda txn: ban(txn, row, "otto", "for good", leaves=True))
    await club.work()
    assert gone not in state(club).entered
    assert gone in state(club).seasons[0].withdrawn
    right(club)


async def test_what_is_not_over_in_time_is_not_waited_for(club: Club) -> None:
    """TR-6.7: and the match goes on."""
    await season(club, ANN, BOB, CLEO, DAN, days=2)
    await club.wait(days=3)
    assert state(club).season is None
    assert len(running(club)) == 6
    right(club)


async def test_a_planned_season_begins_by_itself(club: Club) -> None:
    """TR-2.4, TR-2.5."""
    people = (ANN, BOB, CLEO)
    await join(club, *people, DAN)
    opens(club)
    for one in people:
        await club.answer(one, "enter spring")
    begins = club.house.now().replace(microsecond=0)
    decides(club, decide.plan, begins=begins)
    await club.work()
    assert state(club).season is None
    planned = state(club).planned
    assert planned is not None
    assert (planned.entered, planned.needed) == (3, 4)
    await club.answer(DAN, "enter spring")
    await club.wait(days=8)
    assert state(club).seasons[0].players
    assert len(running(club)) == 6


async def test_lists_are_as_the_log(club: Club) -> None:
    await season(club, ANN, BOB, CLEO, DAN)
    row = club.house.db.read(lambda conn: lists.row(conn, NAME)).result()
    assert row is not None
    assert (row.status, row.season, row.entered) == ("running", 1, 4)
    ann = player(club, ANN)
    mine = club.house.db.read(lambda conn: lists.entries_of(conn, ann)).result()
    assert [(one.tournament, one.entered, one.playing) for one in mine] == [(NAME, True, True)]
    assert match_of(club, MatchId(str(running(club)[0].id))).status is Status.RUNNING


async def test_who_wants_no_more_matches_begins_none(club: Club) -> None:
    """TR-3.7: and does when one of theirs is over."""
    await join(club, ANN)
    await club.answer(ANN, "limit 2")
    await season(club, ANN, BOB, CLEO, DAN)
    ann = player(club, ANN)
    own = [match for match in running(club) if ann in match.table.players]
    assert len(own) == 2
    assert len(running(club)) == 5
    decided(club, own[0].id, 1, 2)
    await club.wait(hours=2)
    assert sum(ann in match.table.players for match in running(club)) == 2
    assert len(running(club)) == 5
    right(club)
