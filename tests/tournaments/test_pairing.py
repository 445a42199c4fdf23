"""TR-3, TR-4.2: who meets whom, and on which seats."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from pbem.tournaments.pairing import bracket, fewest, group_sizes, sizes_for, tables_of

GROUPS = [(size, seats) for seats in (2, 3, 4) for size in sizes_for(seats)]


@pytest.mark.parametrize(("size", "seats"), GROUPS)
def test_each_pair_meets_equally_often(size: int, seats: int) -> None:
    """TR-3.4, TR-3.5."""
    met = Counter(
        pair for table in tables_of(size, seats) for pair in combinations(sorted(table.players), 2)
    )
    assert set(met) == set(combinations(range(size), 2))
    assert len(set(met.values())) == 1


@pytest.mark.parametrize(("size", "seats"), GROUPS)
def test_each_player_has_each_seat_equally_often(size: int, seats: int) -> None:
    """TR-3.4, TR-3.5: as far as the number of tables lets them."""
    sat = Counter(
        (player, seat)
        for table in tables_of(size, seats)
        for seat, player in enumerate(table.players)
    )
    for player in range(size):
        often = [sat[player, seat] for seat in range(seats)]
        assert max(often) - min(often) <= 1


@pytest.mark.parametrize("size", range(4, 8))
def test_nobody_plays_twice_in_a_round_of_the_circle(size: int) -> None:
    rounds = Counter(
        (table.round, player) for table in tables_of(size, 2) for player in table.players
    )
    assert set(rounds.values()) == {1}
    assert len({table.round for table in tables_of(size, 2)}) == size - 1 + size % 2


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("wanted", range(4, 8))
def test_groups_hold_all_and_are_nearly_equal(seats: int, wanted: int) -> None:
    """TR-3.2."""
    for players in range(201):
        sizes = group_sizes(players, seats, wanted)
        if not sizes:
            assert players < 4 or (seats == 4 and players == 6)
            continue
        assert sum(sizes) == players
        assert set(sizes) <= set(sizes_for(seats))
        assert list(sizes) == sorted(sizes)  # the larger ones are lower
        if seats != 4:
            assert sizes[-1] - sizes[0] <= 1


def test_the_size_of_groups_is_near_the_wanted_one() -> None:
    assert group_sizes(12, 2, 6) == (6, 6)
    assert group_sizes(12, 2, 4) == (4, 4, 4)
    assert group_sizes(13, 2, 6) == (6, 7)
    assert group_sizes(15, 2, 6) == (5, 5, 5)
    assert group_sizes(7, 2, 4) == (7,)
    assert group_sizes(3, 2, 4) == ()


def test_how_many_more_are_needed() -> None:
    """TR-2.5."""
    assert fewest(2, 6, 3) == 4
    assert fewest(2, 6, 0) == 4
    assert fewest(4, 6, 6) == 7


@pytest.mark.parametrize("seeds", range(2, 65))
def test_high_seeds_meet_late_and_have_the_byes(seeds: int) -> None:
    """TR-4.2."""
    slots = bracket(seeds)
    assert sorted(slots) == list(range(len(slots)))
    assert len(slots) < 2 * seeds
    byes = len(slots) - seeds
    free = {
        min(pair) for pair in zip(slots[::2], slots[1::2], strict=True) if max(pair) >= seeds
    }  # fmt: skip
    assert free == set(range(byes))
    while len(slots) > 1:
        pairs = list(zip(slots[::2], slots[1::2], strict=True))
        assert all(sum(pair) == len(slots) - 1 for pair in pairs)
        slots = tuple(min(pair) for pair in pairs)
