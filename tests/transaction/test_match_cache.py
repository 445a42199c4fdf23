"""The matches in memory: those used last, as many as have so many events together."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import Connection

from pbem.matches.replay import initial
from pbem.names import MatchId
from pbem.runners.deliver import deliver_due
from pbem.runners.receive import store_letter, take_waiting
from pbem.store.log import event_log
from pbem.store.log.event_log import Head, RecordedEvent
from pbem.transaction.installation import Loaded, MatchCache, find_match, match_at, match_stream
from pbem.transport import Fetched
from tests.clubs.club import ANN, BOB, open_club
from tests.clubs.hostile import at_play, raw, to_of


def loaded(name: str, version: int) -> Loaded:
    return Loaded(initial(MatchId(name)), Head(version, ""))


def kept(cache: MatchCache, **versions: int) -> set[str]:
    found = {name: cache.newest(MatchId(name)) for name in versions}
    return {name for name, one in found.items() if one == loaded(name, versions[name])}


def test_matches_used_longest_ago_make_room_by_their_events() -> None:
    cache = MatchCache(10)
    for name, version in (("A", 3), ("B", 3), ("C", 3), ("A", 4)):
        cache.keep(loaded(name, version))
    assert kept(cache, A=4, B=3, C=3) == {"A", "B", "C"}
    cache.keep(loaded("D", 2))
    assert kept(cache, A=4, B=3, C=3, D=2) == {"A", "C", "D"}
    cache.keep(loaded("D", 7))
    assert kept(cache, A=4, C=3, D=7) == {"D"}


def test_a_match_longer_than_all_the_room_is_not_kept() -> None:
    cache = MatchCache(10)
    cache.keep(loaded("A", 11))
    cache.keep(loaded("B", 10))
    assert kept(cache, A=11, B=10) == {"B"}


def test_what_is_older_than_what_is_known_is_not_kept() -> None:
    cache = MatchCache(10)
    cache.keep(loaded("A", 4))
    cache.keep(loaded("A", 3))
    assert kept(cache, A=4) == {"A"}
    assert cache.before(MatchId("A"), 3) is None
    assert cache.before(MatchId("A"), 5) == loaded("A", 4)


async def test_a_match_goes_on_from_where_it_was_kept_as_if_it_were_replayed_whole(
    tmp_path: Path,
) -> None:
    club, cache = open_club(tmp_path, window=5), MatchCache()
    match = await at_play(club)

    def both(conn: Connection) -> tuple[Loaded | None, Loaded | None]:
        return find_match(conn, match, cache), find_match(conn, match)

    for reader, words in (
        (ANN, "e1"), (ANN, "undo"), (ANN, "e2\nnow"), (BOB, "say Hello\na5"), (BOB, "now"),
        (ANN, "if any then stay"), (BOB, "undo"), (ANN, "yes"), (ANN, "resign yes"),
    ):  # fmt: skip
        await club.answer(reader, words)
        continued, whole = await asyncio.wrap_future(club.house.db.read(both))
        assert continued == whole
        assert continued is not None
        cache.keep(continued)
    club.house.db.close()


async def test_a_match_as_of_a_version_goes_on_from_an_earlier_one_or_is_replayed(
    tmp_path: Path,
) -> None:
    club = open_club(tmp_path, window=5)
    match = await at_play(club)
    for reader, words in ((ANN, "e1"), (ANN, "undo"), (ANN, "e2\nnow"), (BOB, "say Hello\na5")):
        await club.answer(reader, words)

    def as_of_each(conn: Connection) -> None:
        head = event_log.head(conn, match_stream(match))
        assert head is not None
        whole = [match_at(conn, match, version, None) for version in range(1, head.version + 1)]
        for earlier, later in pairwise(whole):
            cache = MatchCache()
            cache.keep(earlier)
            assert match_at(conn, match, later.head.version, cache) == later
            cache.keep(later)  # too new for this one
            assert match_at(conn, match, earlier.head.version, cache) == earlier

    await asyncio.wrap_future(club.house.db.read(as_of_each))
    club.house.db.close()


async def test_a_match_that_is_not_in_memory_is_replayed_for_the_first_mail_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = open_club(tmp_path)
    match = await at_play(club)
    await club.answer(ANN, "receipts on")
    letter = raw(ANN, to_of(club.last(ANN)), "e1")
    await store_letter(Fetched("test", "INBOX", 1, 99, letter), club.house)
    await take_waiting(club.house)
    club.house = replace(club.house, cache=MatchCache())
    before = len(club.postbox.sent)
    found: list[int] = []
    load = event_log.load

    def counted(conn: Connection, stream: str, *, after: int = 0) -> list[RecordedEvent]:
        if stream == match_stream(match):
            found.append(after)
        return load(conn, stream, after=after)

    monkeypatch.setattr(event_log, "load", counted)
    await deliver_due(club.house, club.postbox)
    assert len(club.postbox.sent) - before == 2
    assert found == [0]
    club.house.db.close()
