"""The matches in memory: those used last, as many as have so many events together."""

from __future__ import annotations

from pbem.matches.match import initial
from pbem.names import MatchId
from pbem.runners.house import Loaded, MatchCache
from pbem.store.event_log import Head


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
