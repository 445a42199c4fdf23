"""Players lose no time to delays of ours: while the service is down, and while emails wait."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbem.match.events import MovePlayed
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


FAILED = """setting fails_twice_on PINEAPPLE

match logger ann bob
ann replies
    a1
    say PINEAPPLE
"""
ASKED = """match logger ann bob
ann replies
    a1
    wait, or not
expect ann question in M1
"""
WRITTEN = [
    (FAILED, 6),
    (f"{ASKED}wait 50 minutes\nann replies\n    yes\n", 52),  # a prompt answer
    (f"{ASKED}wait 2 hours\nann replies\n    yes\n", 0),
]


@pytest.mark.parametrize(("script", "minutes"), WRITTEN, ids=["failed", "prompt", "late"])
async def test_a_clock_runs_until_the_move_arrived(
    script: str, minutes: int, tmp_path: Path
) -> None:
    conversation = begin(f"{script}wait 10 minutes\n", tmp_path)
    await conversation.play()
    await conversation.service.start()
    assert isinstance(conversation.service, DrivenService)
    app, match_id = conversation.service.server.app, MatchId(conversation.labels["M1"])
    match, _ = app.database.run(lambda conn: event_log.load_match(conn, match_id))
    [event] = [ply.event for ply in match.plies]
    assert isinstance(event, MovePlayed)
    assert (event.at - event.received) // timedelta(minutes=1) == minutes
    await conversation.service.stop()
