"""The matches in memory: those used last, as many as have so many events together."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sqlalchemy import Connection

from pbem.matches.match import initial
from pbem.names import MatchId
from pbem.store.log.event_log import Head
from pbem.transaction.installation import Loaded, MatchCache, find_match
from tests.clubs.club import ANN, BOB, open_club
from tests.clubs.hostile import at_play


def loaded(name: str, version: int) -> Loaded:
    return Loaded(initial(MatchId(name)), Head(version, ""))


def kept(cache: MatchCache, **versions: int) -> set[str]:
    return {name for name, version in versions.items() if cache.find(MatchId(name), version)}


def test_only_the_version_asked_for_is_found() -> None:
    cache = MatchCache(10)
    cache.keep(loaded("A", 3))
    assert cache.find(MatchId("A"), 3) == loaded("A", 3)
    assert cache.find(MatchId("A"), 4) is None


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
