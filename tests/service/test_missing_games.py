"""A match whose rules are not installed waits, and goes on with the time that it had."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from pbem.names import MatchId
from pbem.store import event_log
from tests.conversations.service import DrivenService, begin
from tests.packages import reload_packages

DAYS = timedelta(days=12)  # more than Ann has


async def test_clocks_stand_while_rules_are_missing(tmp_path: Path) -> None:
    conversation = begin("setting package pbem-chess\nmatch chess ann bob\n", tmp_path)
    async with conversation.playing():
        service = conversation.service
        assert isinstance(service, DrivenService)
        code = MatchId(conversation.labels["M1"])

        async def restart(package: str) -> None:
            await service.stop()
            service.package = package
            reload_packages()
            await service.start()
            await conversation._run()

        async def find_time_left() -> timedelta:
            database = service.server.app.database
            match, _ = await database.read(lambda conn: event_log.load_match(conn, code))
            assert match.clocks is not None
            deadline = match.clocks.deadline(match.to_move[0])
            assert deadline is not None
            return deadline - conversation.now

        before = await find_time_left()
        await restart("")
        await conversation._reply("ann", "e4", kind="turn")
        refusal = conversation.find_last("ann", "refusal")
        assert "can't run" in refusal.text
        await conversation._wait(DAYS, is_down=False)
        await restart("pbem-chess")
        assert before - await find_time_left() < timedelta(hours=1)
        await conversation._reply("ann", "e4", kind="turn")
        assert "e4" in conversation.find_last("bob", "turn").text
        assert await service.verify(code) == []
