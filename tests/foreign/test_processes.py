"""Games of others where letters are read in processes, and where pbem's own process ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.config import AddressKeys, write_keys
from pbem.runners.readers import ProcessReader
from pbem.runners.receive import store_letter, take_waiting
from pbem.transport import Fetched
from pbem.wiring import reader_process
from tests.clubs.club import ANN, Club
from tests.foreign.conftest import PACKAGE
from tests.foreign.test_club import begin, the_match


@pytest.mark.parametrize("hangs", [False, True], ids=["well", "hangs"])
async def test_a_letter_is_read_by_rules_beside_the_process_that_reads_it(
    club: Club, fails: Callable[[str], None], *, hangs: bool
) -> None:
    name = await begin(club)
    keys = club.house.keys
    write_keys(club.house.settings.keys.file, AddressKeys(keys.current, keys.secrets))
    if hangs:
        fails("parse hang")
    reader = ProcessReader(
        1,
        start=reader_process.start,
        arguments=(club.house.settings,),
        work=reader_process.work,
        now=club.house.now,
        seconds=60,
    )
    with closing(reader):
        mail = club.last(ANN)
        letter = club.letter(ANN, mail.reply_to.partition("<")[2].rstrip(">"), "add 5\n")
        letter["In-Reply-To"] = mail.message_id
        await store_letter(Fetched("test", "INBOX", 1, 900, letter.as_bytes()), club.house)
        await take_waiting(club.house, reader)
        await club.work()
    match = await the_match(club, name)
    assert bool(match.course.ply or match.pending.held) != hangs
    told = " ".join(club.last(ANN).text.split())
    assert ("The rules of Tens cannot be used" in told) == hangs


SCRIPT = """
import os, sys, time
from pbem.foreign.record import child_of, open_apart
from pbem.games import GAMES
GAMES.open_with(open_apart)
game = GAMES["tens-1"]
print(child_of("tens-1")._process.pid, flush=True)
game.legal(game.initial(2, {}))
time.sleep(60)
"""


@pytest.mark.parametrize("fault", ["", "legal hang"])
def test_no_process_of_rules_outlives_a_kill(tmp_path: Path, fault: str) -> None:
    (tmp_path / "faults").write_text(fault)
    env = {**os.environ, "PYTHONPATH": f"{PACKAGE}", "TENS_FAULTS": str(tmp_path / "faults")}
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True, env=env
    ) as ours:
        assert ours.stdout is not None
        theirs = int(ours.stdout.readline())
        time.sleep(0.2)
        ours.send_signal(signal.SIGKILL)
    until = time.monotonic() + 120
    while _runs(theirs):
        assert time.monotonic() < until
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return False


@pytest.mark.usefixtures("tens")
def test_what_is_installed_is_listed(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["--config", str(tmp_path / "none.toml"), "games", "--json"])
    assert result.exit_code == 0
    listed = {one["ruleset"]: one for one in json.loads(result.stdout)["games"]}
    assert listed["tens-1"] == {
        "ruleset": "tens-1",
        "title": "Tens",
        "from": "pbem-tens 1.0",
        "fault": "",
    }
    assert listed["logger-1"]["from"] == "pbem"
