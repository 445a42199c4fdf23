"""The boundary of each limit, and what none of them may stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs

from pbem.errors import Rejection
from pbem.names import PlayerId
from pbem.service.limits import Count, RateLimiter
from pbem.settings import LimitSettings
from pbem.store import players
from pbem.store.database import Database
from tests.conversations.service import begin

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
ANN, BOB, CLEO = map(PlayerId, ("ann", "bob", "cleo"))

Use = Callable[[RateLimiter, int], Count | None]


@dataclass(frozen=True, slots=True)
class Case:
    """A limit: how often it allows something, in which window, and the same for a different one."""

    most: int
    span: timedelta
    use: Use
    other: Use


def strangers(address: str, causer: PlayerId | None = None, quota: str = "emails") -> Use:
    """Return a use that writes to a stranger; `{n}` is a new number each time."""
    return lambda limits, number: limits.reserve_stranger_emails(
        [address.format(n=number)], causer=causer, quota=quota
    )


CASES = {
    "verified emails": Case(
        120,
        HOUR,
        lambda limits, _: limits.count_verified_email(ANN),
        lambda limits, _: limits.count_verified_email(BOB),
    ),
    "other emails in a player's name": Case(
        20,
        HOUR,
        lambda limits, _: limits.count_other_email(ANN),
        lambda limits, _: limits.count_verified_email(ANN),
    ),
    "refusals": Case(
        20,
        DAY,
        lambda limits, _: limits.count_refusal(ANN),
        lambda limits, _: limits.count_refusal(BOB),
    ),
    "boards": Case(
        3,
        HOUR,
        lambda limits, _: limits.count_board_answer(ANN),
        lambda limits, _: limits.count_refusal(ANN),
    ),
    "emails of one player to another": Case(
        20,
        HOUR,
        lambda limits, _: limits.reserve_player_emails(ANN, [BOB]),
        lambda limits, _: limits.reserve_player_emails(ANN, [CLEO]),
    ),
    "news of one player to another": Case(
        20,
        HOUR,
        lambda limits, _: limits.count_player_email(ANN, BOB),
        lambda limits, _: limits.count_player_email(BOB, ANN),
    ),
    "strangers": Case(
        60, DAY, strangers("x@d{n}.example"), strangers("x@y.example", quota="pages")
    ),
    "strangers in a domain": Case(20, DAY, strangers("x{n}@a.example"), strangers("x@b.example")),
    "strangers because of a player": Case(
        10, DAY, strangers("x@d{n}.example", ANN), strangers("x@y.example", BOB)
    ),
    "a mailbox": Case(1, DAY, strangers("dora+{n}@a.example"), strangers("dora.x@a.example")),
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path_factory.mktemp('limits') / 'pbem.db'}")
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def conn(database: Database) -> Iterator[Connection]:
    """A transaction with three players, which is rolled back."""
    with database.engine.connect() as opened:
        for player in (ANN, BOB, CLEO):
            address = f"{player}@example.org"
            players.add_player(opened, player, name=player.title(), address=address, now=NOON)
        yield opened
        opened.rollback()


def allows(conn: Connection, use: Use, now: datetime, number: int) -> bool:
    try:
        count = use(RateLimiter(conn, LimitSettings(), now), number)
    except Rejection:
        return False
    return count is None or not count.is_over


@pytest.mark.parametrize("name", CASES)
def test_a_limit_holds_until_its_window_is_over(name: str, conn: Connection) -> None:
    case = CASES[name]
    for number in range(case.most):
        assert allows(conn, case.use, NOON + timedelta(seconds=number), number)
    later = NOON + case.span - timedelta(seconds=1)
    with capture_logs() as logs:
        assert not allows(conn, case.use, NOON + timedelta(seconds=case.most), case.most)
    assert [entry["event"] for entry in logs] == ["limit_reached"]
    assert not allows(conn, case.use, later, case.most + 1)
    assert allows(conn, case.other, later, case.most)
    assert allows(conn, case.use, NOON + case.span, case.most + 2)


def test_a_command_counts_all_of_its_emails_or_none(conn: Connection) -> None:
    limits = RateLimiter(conn, LimitSettings(), NOON)
    limits.reserve_stranger_emails([f"x@d{n}.example" for n in range(9)], causer=ANN)
    with pytest.raises(Rejection) as refused:
        limits.reserve_stranger_emails(["a@y.example", "b@y.example"], causer=ANN)
    assert refused.value.facts["until"] == (NOON + DAY).isoformat()
    with pytest.raises(Rejection):
        limits.reserve_stranger_emails(["a@z.example", "a+b@z.example"], causer=None)
    limits.reserve_stranger_emails(["a@y.example"], causer=ANN)
    limits.reserve_stranger_emails(["a@z.example"], causer=None)


def test_a_board_counts_as_a_refusal(conn: Connection) -> None:
    limits = RateLimiter(conn, LimitSettings(refusals=2), NOON)
    assert not limits.count_refusal(ANN).is_last
    count = limits.count_board_answer(ANN)
    assert (count.is_last, count.until) == (True, NOON + DAY)
    assert limits.count_board_answer(ANN).is_over


# --- what players get ----------------------------------------------------------------------------

SCRIPTS = {
    "forged emails use up none of their player's": """
setting verified_emails 2
setting other_emails 2

match logger ann bob
ann writes verdict none
    name Mallory
expect ann question exactly 1
ann writes verdict none
    board
expect ann question exactly 1
ann writes verdict none
    games
expect ann nothing
ann writes verdict none
    resign
expect ann nothing
ann replies to turn verdict fail
    place a5
expect ann question exactly 1
ann replies to turn
    place a1
expect bob turn in M1 exactly 1
wait 1 day 1 hour
ann writes verdict none
    name Mallory
expect ann question exactly 1
ann writes verdict none
    games
expect ann question exactly 1
ann writes verdict none
    rules
expect ann nothing
""",
    "an email too many is answered once, and can be sent again": """
setting verified_emails 3

match logger ann bob
ann writes
    set timezone europe/berlin
expect ann answer
ann writes
    games
expect ann answer
ann writes
    games
expect ann answer
ann replies to turn
    place a1
expect ann refusal in M1 exactly 1
    CET
expect bob nothing
ann replies to turn
    place a1
expect ann nothing
expect bob nothing
bob writes
    games
expect bob answer
wait 1 hour
ann replies to turn
    place a1
expect bob turn in M1 exactly 1
""",
    "strangers too many get no answer, and cost no player a turn": """
setting stranger_emails 2

register ann bob
cleo writes
    hello
expect cleo nothing
ann writes
    new logger with dora@example.edu
    new logger with emil@example.info
expect dora invitation exactly 1
expect emil invitation exactly 1
ann writes
    new logger with finn@example.biz
expect ann refusal exactly 1
    new logger link
expect finn nothing
ann writes
    new logger with bob@example.net starter=given
expect bob invitation in M3
bob replies
    yes
expect ann turn in M3
wait 1 day
cleo writes
    hello
expect cleo question exactly 1
cleo replies
    What is this?
expect cleo question exactly 1
cleo replies
    yes
expect cleo welcome exactly 1
""",
    "an address that is to be added is a stranger's": """
setting stranger_emails_player 1

register ann
ann writes
    new logger with dora@example.edu
expect dora invitation in M1 exactly 1
ann writes
    address add ann@work.example
ann replies to question
    yes
expect ann refusal exactly 1
ann writes
    address add dora@example.edu
expect dora nothing
""",
    "one player causes another a number of emails an hour, besides turns": """
setting player_emails 2

match logger ann bob
ann replies
    say one
expect bob message in M1 exactly 1
ann replies
    say two
expect bob message in M1 exactly 1
ann replies
    say three
expect ann refusal in M1 exactly 1
    Bob
expect bob nothing
ann writes
    new landrush with bob@example.net
expect ann refusal exactly 1
expect bob nothing
ann replies to turn
    place a1

    say four
expect bob turn in M1 exactly 1
    four
bob replies to turn
    say five
expect ann message in M1 exactly 1
bob replies to turn
    place e5
expect ann turn in M1 exactly 1
wait 1 hour
ann replies to turn
    say six
expect bob message in M1 exactly 1
    not: three
""",
    "draws are offered within the limit, and agreed to beyond it": """
setting player_emails 1

match logan stones ann bob
ann replies
    say one
expect bob message in M1 exactly 1
bob replies
    say two
expect ann message in M1 exactly 1
ann replies to turn
    draw
expect ann refusal in M1 exactly 1
    13:04
expect bob nothing
ann replies to turn
    add 1 L21
expect bob turn in M1 exactly 1
bob replies
    add 1 N21

    draw
expect ann turn|offer in M1 exactly 1
ann replies
    draw
expect ann end in M1 exactly 1
expect bob end in M1 exactly 1
""",
    "takebacks are asked for within the limit": """
setting player_emails 1

match logger ann bob
play
    ann: a1
    bob: e5
ann replies
    say one
expect bob message in M1 exactly 1
ann replies
    undo
expect ann refusal in M1 exactly 1
    13:06
expect bob nothing
wait 1 hour
ann replies
    undo
expect bob offer in M1 exactly 1
""",
    "a message goes to all players or to none": """
setting player_emails 2

match logger ann bob cleo
bob replies
    say one
expect ann message in M1 exactly 1
expect cleo message in M1 exactly 1
bob replies
    say two
expect bob refusal in M1 exactly 1
    Ann
expect cleo nothing
ann replies
    mute bob
bob replies
    say three
expect ann nothing
expect cleo message in M1 exactly 1
cleo replies
    say four
expect ann message in M1 exactly 1
expect bob message in M1 exactly 1
""",
    "news too many wait for the next email": """
setting player_emails 1

match logger ann bob
    starter=given time=slow
ann replies
    say Bye!
expect bob message in M1 exactly 1
ann writes
    away 3 days
expect ann answer
expect bob nothing
ann writes
    back
expect ann answer
expect bob nothing
ann replies to turn
    place a1
expect bob turn in M1 exactly 1
    away
""",
    "turns, reminders and ends are never too many": """
setting player_emails 1
setting refusals 1
setting board_answers 1
setting stranger_emails 3

match logger ann bob
    starter=given time=fast
ann replies
    say one
expect bob message in M1
ann replies to turn
    c3
expect ann refusal in M1 exactly 1
ann replies to turn
    c3
expect ann nothing
ann replies to turn
    place a1
expect bob turn in M1 exactly 1
bob replies to turn
    place e5
expect ann turn in M1 exactly 1
ann replies to turn
    b1; plant a1
expect bob turn in M1 exactly 1
bob replies to turn
    d5; plant e5
expect ann turn in M1 exactly 1
wait 20 hours
expect ann reminder in M1 exactly 1
wait 30 days
expect ann end in M1 exactly 1
expect bob end in M1 exactly 1
""",
    "a resignation is never too much": """
setting player_emails 1
setting refusals 1

match logger ann bob
ann replies
    say one
ann replies to turn
    c3
ann replies to turn
    resign
expect ann question exactly 1
ann replies to question
    yes
expect ann end in M1 exactly 1
expect bob end in M1 exactly 1
""",
    "the last answer of its kind says until when": """
setting refusals 2

match logger ann bob
ann replies to turn
    c3
expect ann refusal in M1 exactly 1
    not: Sunday
ann replies to turn
    The weather is fine.
expect ann answer in M1 exactly 1
    Sunday 22 November
ann replies to turn
    c3
expect ann nothing
bob replies
    c3
expect bob refusal in M1 exactly 1
""",
}


@pytest.mark.parametrize("name", SCRIPTS)
async def test_what_players_get(name: str, tmp_path: Path) -> None:
    await begin(SCRIPTS[name], tmp_path).play()


INVITATIONS = """
setting stranger_emails_player 1

register ann
ann writes
    new looney ludo with dora@example.edu, emil@example.info
expect ann refusal exactly 1
ann writes
    new logger with dora@example.edu
expect dora invitation exactly 1
"""


async def test_an_invitation_that_is_refused_adds_no_player(tmp_path: Path) -> None:
    await begin(INVITATIONS, tmp_path).play()
    database = Database(f"sqlite:///{tmp_path / 'pbem.db'}")
    emil, dora = "emil@example.info", "dora@example.edu"
    assert database.run(lambda conn: players.find_by_address(conn, emil)) is None
    assert database.run(lambda conn: players.find_by_address(conn, dora)) is not None
    database.close()
