"""TR-5: points, and what decides among equal ones, in numbers."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from pbem.names import PlayerId
from pbem.tournaments.standings import NOT_COMPARED, Standing, of_tables
from pbem.tournaments.tournament import Table
from tests.tournaments.story import players


def stands(results: str, count: int = 4, late: str = "", gone: str = "") -> Standing:
    """How a group of two-seat tables stands: `ab` a beats b, `a=b` a draw; `late` lost on time."""
    tables = []
    for number, result in enumerate(results.split(), 1):
        one, other = PlayerId(result[0]), PlayerId(result[-1])
        tables.append(
            Table(
                number=number,
                group=1,
                round=1,
                players=(one, other),
                time="",
                until=None,
                ended=True,
                placings=(1, 1) if "=" in result else (1, 2),
                timed_out=(2,) if result in late.split() else (),
            )
        )
    played = {frozenset(table.players) for table in tables}
    for pair in combinations(players(count), 2):
        if frozenset(pair) not in played:
            tables.append(
                Table(number=len(tables) + 1, group=1, round=1, players=pair, time="", until=None)
            )
    return of_tables(players(count), tables, frozenset(map(PlayerId, gone)))


def told(standing: Standing) -> list[tuple[str, int, str]]:
    return [(row.player, row.place, row.by) for row in standing.rows]


def test_points_decide() -> None:
    """TR-5.1, TR-5.2."""
    found = stands("ab ac ad bc bd c=d")
    assert told(found) == [
        ("a", 1, "points"),
        ("b", 2, "points"),
        ("c", 3, "points"),
        ("d", 3, "shared"),
    ]
    assert [row.points for row in found.rows] == [6, 4, 1, 1]
    assert [row.direct for row in found.rows] == [NOT_COMPARED, NOT_COMPARED, 1, 1]


def test_direct_result_decides_before_sonneborn_berger() -> None:
    """TR-5.2, TR-5.3: c beat d, who drew with the two above."""
    found = stands("ab ac a=d bc b=d cd")
    assert told(found)[2:] == [("c", 3, "points"), ("d", 4, "direct")]
    assert [(row.points, row.direct, row.berger) for row in found.rows[2:]] == [
        (2, 2, 4),
        (2, 0, 8),
    ]


def test_direct_result_counts_only_those_who_are_equal() -> None:
    """TR-5.3: a and b have three halves each; what they got of c and d is not in it."""
    found = stands("ab a=c da b=c bd cd")
    assert {row.player: (row.points, row.direct) for row in found.rows} == {
        "a": (3, 2),
        "b": (3, 0),
        "c": (4, NOT_COMPARED),
        "d": (2, NOT_COMPARED),
    }
    assert told(found)[1:3] == [("a", 2, "points"), ("b", 3, "direct")]


def test_sonneborn_berger_is_the_points_of_others_by_what_was_got_of_them() -> None:
    """TR-5.4: in quarters, since both are halves."""
    found = stands("ab bc ca a=d bd ce ae b=e dc de", 5)
    points = {row.player: row.points for row in found.rows}
    assert points == {"a": 5, "b": 5, "c": 4, "d": 5, "e": 1}
    for row in found.rows:
        got = ((other, half) for other in players(5) for half in found.met(row.player, other))
        assert row.berger == sum(half * points[other] for other, half in got)


def test_sonneborn_berger_decides_where_direct_results_are_equal() -> None:
    """TR-5.4: a and b drew; a beat the stronger c, b the weaker d."""
    found = stands("a=b ac da cb bd cd")
    rows = {str(row.player): row for row in found.rows}
    assert rows["a"].points == rows["b"].points == 3
    assert rows["a"].direct == rows["b"].direct == 1
    # In quarters: a has 1 of b's 3 and 2 of c's 4; b has 1 of a's 3 and 2 of d's 2.
    assert (rows["a"].berger, rows["b"].berger) == (1 * 3 + 2 * 4, 1 * 3 + 2 * 2)
    assert told(found) == [
        ("c", 1, "points"),
        ("a", 2, "points"),
        ("b", 3, "berger"),
        ("d", 4, "points"),
    ]


def test_fewer_time_outs_decide_last() -> None:
    """TR-5.5: a circle of three over the fourth, in which b lost on time."""
    found = stands("ab bc ca ad bd cd", late="ab")
    assert told(found) == [
        ("a", 1, "points"),
        ("c", 1, "shared"),
        ("b", 3, "time_outs"),
        ("d", 4, "points"),
    ]
    assert [row.time_outs for row in found.rows] == [0, 0, 1, 0]


def test_a_place_is_shared_and_those_behind_it_stay_free() -> None:
    """TR-5.2."""
    assert told(stands("ab bc ca ad bd cd")) == [
        ("a", 1, "points"),
        ("b", 1, "shared"),
        ("c", 1, "shared"),
        ("d", 4, "points"),
    ]
    assert {place for _, place, _ in told(stands("a=b a=c a=d b=c b=d c=d"))} == {1}


def test_before_anything_is_played_all_are_first() -> None:
    assert {place for _, place, _ in told(stands(""))} == {1}


def test_who_counts_for_nobody_is_last_and_changes_nothing() -> None:
    """TR-6.3."""
    found = stands("ab bc ca da", gone="d", late="da")
    assert found.annulled == {"d"}
    assert told(found) == [
        ("a", 1, "points"),
        ("b", 1, "shared"),
        ("c", 1, "shared"),
        ("d", 4, "points"),
    ]
    assert [row.played for row in found.rows] == [2, 2, 2, 0]
    assert {row.time_outs for row in found.rows} == {0}


def test_who_counts_for_nobody_at_a_table_of_three_neither_does_their_time() -> None:
    """TR-5.5, TR-6.3: the other two got something of each other there."""
    a, b, c, d, e = group = players(5)
    played = Table(
        number=1, group=1, round=1, players=(a, b, d), time="", until=None,
        ended=True, placings=(1, 2, 3), timed_out=(3,),
    )  # fmt: skip
    others = [
        replace(played, number=number, players=seats, placings=(), timed_out=(), ended=False)
        for number, seats in enumerate([(a, c, d), (b, c, d), (a, b, e), (c, d, e)], 2)
    ]
    found = of_tables(group, [played, *others], frozenset({d, e}))
    assert {row.player: (row.place, row.played, row.time_outs) for row in found.rows} == {
        a: (1, 1, 0), b: (2, 1, 0), c: (2, 0, 0), d: (4, 0, 0), e: (4, 0, 0),
    }  # fmt: skip


def test_who_played_half_counts() -> None:
    """TR-6.3: two of four tables are half."""
    assert stands("da db", 5, gone="d").annulled == frozenset()
    assert stands("da", 5, gone="d").annulled == {"d"}
    assert stands("da", 4, gone="d").annulled == {"d"}
