"""After a restore each match replaces its chains of draws once, whenever the process ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.match.events import ChanceRenewed
from pbem.names import MatchId
from pbem.server import loops
from pbem.service.draw_renewal import renew_draws_after_restore
from pbem.store import event_log
from pbem.store.heartbeats import RESTORED, find_heartbeat
from tests.conversations.runner import Conversation
from tests.conversations.service import DrivenService, begin
from tests.packages import reload_packages

SCRIPT = """# Two matches and a challenge

match looney ludo ann bob
match logan stones ann bob
ann writes
    new logan stones with cleo@example.com
operator backup
"""


async def play(folder: Path) -> tuple[Conversation, DrivenService]:
    conversation = begin(SCRIPT, folder)
    await conversation.play()
    assert isinstance(conversation.service, DrivenService)
    await conversation.service.start()
    return conversation, conversation.service


def list_renewals(conversation: Conversation, service: DrivenService) -> list[list[ChanceRenewed]]:
    database = service.server.app.database
    found = []
    for label in ("M1", "M2", "M3"):
        match = MatchId(conversation.labels[label])
        events = database.run(lambda conn, match=match: event_log.load_events(conn, match))  # type: ignore[misc]
        found.append([e.event for e in events if isinstance(e.event, ChanceRenewed)])
    return found


async def test_a_start_that_was_interrupted_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation, service = await play(tmp_path)
    last = max(conversation.labels.values())

    def fail(conn: Any, app: Any, match: MatchId, *rest: Any) -> None:
        if match == last:
            raise RuntimeError("the disk is full")
        renew_draws_after_restore(conn, app, match, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(loops, "renew_draws_after_restore", fail)
        await service.operate(["restore"])
    database = service.server.app.database
    assert sorted(map(len, list_renewals(conversation, service))) == [0, 1, 1]
    assert database.run(lambda conn: find_heartbeat(conn, RESTORED)) is not None
    await service.stop()
    await service.start()
    assert list(map(len, list_renewals(conversation, service))) == [1, 1, 1]
    database = service.server.app.database
    assert database.run(lambda conn: find_heartbeat(conn, RESTORED)) is None
    await service.stop()
    await service.start()
    assert list(map(len, list_renewals(conversation, service))) == [1, 1, 1]
    await service.stop()


async def test_a_match_whose_rules_are_missing_is_restored(tmp_path: Path) -> None:
    script = "setting package pbem-chess\nmatch chess ann bob\noperator backup\n"
    conversation = begin(script, tmp_path)
    async with conversation.playing():
        service = conversation.service
        assert isinstance(service, DrivenService)
        service.package = ""
        reload_packages()
        await service.operate(["restore"])
        await conversation._run()
        assert "from a backup" in conversation.find_last("ann").text
        database, code = service.server.app.database, MatchId(conversation.labels["M1"])
        events = database.run(lambda conn: event_log.load_events(conn, code))
        assert sum(isinstance(caused.event, ChanceRenewed) for caused in events) == 1


async def test_two_restores_of_one_backup_have_different_chains(tmp_path: Path) -> None:
    conversation, service = await play(tmp_path)
    seen: list[list[ChanceRenewed]] = []
    for _ in range(2):
        await service.operate(["restore"])
        seen.append([renewal for [renewal] in list_renewals(conversation, service)])
    first, second = seen
    for earlier, later in zip(first, second, strict=True):
        assert earlier.commitment != later.commitment
        assert bool(later.sealed_commitment) is bool(earlier.sealed_commitment)
    assert [bool(renewal.sealed_commitment) for renewal in first] == [False, True, True]
    await service.stop()
