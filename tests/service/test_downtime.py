"""Players lose no time to delays of ours: while the service is down, and while emails wait."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from pbem.names import MatchId
from pbem.service.downtime import credit_downtime
from pbem.store import event_log
from tests.conversations.service import DrivenService, begin

HOUR = timedelta(hours=1)


async def test_downtime_is_given_back_once(tmp_path: Path) -> None:
    conversation = begin("match logger ann bob\n", tmp_path)
    await conversation.play()
    await conversation.service.start()
    assert isinstance(conversation.service, DrivenService)
    app = conversation.service.server.app
    match_id, alive = MatchId(conversation.labels["M1"]), conversation.now

    def credit(end: datetime) -> datetime | None:
        conversation.now = end
        app.database.run(lambda conn: credit_downtime(conn, app, match_id, begin=alive, end=end))
        match, _ = app.database.run(lambda conn: event_log.load_match(conn, match_id))
        assert match.clocks is not None
        return match.clocks.deadline(match.to_move[0])

    first = credit(alive + 3 * HOUR)
    assert first is not None
    # The process ended before the next heartbeat, and was down for two hours more.
    assert credit(alive + 5 * HOUR) == first + 2 * HOUR
    await conversation.service.stop()


async def test_a_clock_counts_until_the_email_arrived(tmp_path: Path) -> None:
    script = """setting fails_twice_on PINEAPPLE

match logger ann bob
ann replies
    a1
    say PINEAPPLE
wait 10 minutes
expect bob turn in M1
"""
    conversation = begin(script, tmp_path)
    await conversation.play()
    await conversation.service.start()
    assert isinstance(conversation.service, DrivenService)
    app, match_id = conversation.service.server.app, MatchId(conversation.labels["M1"])
    match, _ = app.database.run(lambda conn: event_log.load_match(conn, match_id))
    [ply] = match.plies
    assert (ply.event.at - ply.event.received) // timedelta(minutes=1) == 6
    await conversation.service.stop()
