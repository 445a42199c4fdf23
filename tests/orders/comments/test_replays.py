"""Comments in records, replays and exports; and how they are forgotten."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pbem.games.record_text import read_record
from pbem.notices.rendering.environment import environment
from pbem.notices.views.comments import CommentLine
from pbem.notices.views.told import record_lines
from pbem.replays.frames import Replay, Window, replay_of_match, screen, telling
from pbem.replays.page import replay_page
from pbem.transaction.installation import verified
from tests.clubs.club import ANN, BOB, CLEO, Club, open_club
from tests.clubs.hostile import registered
from tests.orders.comments.test_by_mail import match_of, over


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    one = open_club(tmp_path)
    await registered(one)
    yield one
    one.house.db.close()


def files(club: Club, reader: str) -> dict[str, str]:
    """What the newest mail brings, by how its name ends."""
    found = club.last(reader).files
    return {name.rpartition(".")[2]: str(data) for name, data in found.items()}


async def commented(club: Club) -> Replay:
    """A match with comments, and its replay with them."""
    name = await over(club)
    match = await match_of(club, name)
    told = telling(match.game, ("Ann", "Bob"), environment())
    replay = replay_of_match(match, "Logger", ("Ann", "Bob"), told)
    said = (
        CommentLine(0, "Ann", "A beginning."),
        CommentLine(1, "Bob", "A <move>."),
        CommentLine(None, "Cleo", "All of it."),
        CommentLine(2, "?", ""),
    )
    return Replay(
        game=replay.game,
        title=replay.title,
        names=replay.names,
        frames=replay.frames,
        comments=said,
    )


async def test_the_record_has_them_beside_their_moves_and_can_be_read_back(club: Club) -> None:
    name = await over(club)
    await club.answer(ANN, "comment 1: So {it}\nbegan.")
    await club.answer(CLEO, "comment: What a match!")
    for reader in (BOB, CLEO):
        await club.answer(reader, "record")
        lines = club.last(reader).text.replace("\r", "").splitlines()
        at = lines.index("{comment by Ann: So it began.}")
        assert lines[at - 1] == "1. place e1"
        assert lines.index("{comment by Cleo: What a match!}") > lines.index("2. place a5")
    match = await match_of(club, name)
    said = CommentLine(1, "drawn: Red", "a {b}"), CommentLine(0, "Ann", "x" * 1_000)
    record = read_record(record_lines(match, {}, comments=said))
    assert [order for _, order in record.orders][:2] == ["place e1", "place a5"]


async def test_the_file_of_a_replay_has_each_beside_its_board(club: Club) -> None:
    replay = await commented(club)
    page = replay_page(replay, environment(), lang="en")
    items = page[page.index('<ol id="moves">') :].split("<li ")
    assert "<strong>Ann (after the end):</strong> A beginning." in items[1]
    assert "<strong>Bob (after the end):</strong> A &lt;move&gt;." in items[2]
    assert "It is no longer kept." in items[3]
    assert "Cleo (after the end, of the whole match):" in items[-1]


async def test_a_terminal_shows_them_below_the_board(club: Club) -> None:
    replay = await commented(club)
    window = Window(columns=80, lines=60, coloured=False)
    assert "Ann (after the end): A beginning." in screen(replay, 0, window)
    assert "Bob (after the end): A <move>." in screen(replay, 1, window)
    assert "Cleo (after the end): All of it." in screen(replay, len(replay.frames) - 1, window)
    assert not [line for line in screen(replay, 2, window) if "Ann (after" in line]


async def test_a_replay_by_mail_has_them(club: Club) -> None:
    await over(club)
    await club.answer(CLEO, "comment 2: From the stand.")
    await club.answer(ANN, "replay")
    assert "<strong>Cleo (after the end):</strong> From the stand." in files(club, ANN)["html"]


async def test_my_data_has_ones_own_and_nobody_elses(club: Club) -> None:
    await over(club)
    await club.answer(CLEO, "comment 2: From the stand.")
    await club.answer(ANN, "comment 1: From the table.")
    await club.answer(CLEO, "my data")
    text = " ".join(club.last(CLEO).text.replace("\n| ", " ").split())
    assert "From the stand." in text
    assert "From the table." not in text


@pytest.mark.parametrize("who", [ANN, CLEO])
async def test_they_are_forgotten_and_the_match_stays_sound(club: Club, who: str) -> None:
    name = await over(club)
    await club.answer(who, "comment 2: My secret.")
    await club.answer(BOB, "comment 2: No secret.")
    await club.insist(who, "delete me")
    await club.answer(BOB, "record")
    mail = club.last(BOB)
    whole = mail.text + "".join(files(club, BOB).values())
    assert "My secret" not in whole
    assert "No secret" in whole
    found: Any = await club.read(partial(verified, match=name))
    assert found[0].findings == ()


async def test_a_report_has_what_somebody_said_of_moves(club: Club) -> None:
    await over(club)
    await club.answer(CLEO, "comment 2: Rude words.")
    await club.answer(BOB, "report Cleo")
    text = " ".join(club.last(BOB).text.split())
    assert "The operator hears of it, with what Cleo has said in this match" in text
    rows: Any = await club.read(_reported)
    assert [row["said"] for row in rows] == [["Rude words."]]
    await club.answer(CLEO, "comment 1: More.")
    rows = await club.read(_reported)
    assert [row["said"] for row in rows] == [["Rude words."]]


def _reported(conn: Any) -> list[dict[str, Any]]:
    from pbem.cli.people import _reports

    return _reports(conn, limit=5)


async def test_a_dataset_has_none(club: Club) -> None:
    from pbem.transaction.dataset import Masks, given

    name = await over(club)
    await club.answer(ANN, "comment 2: Not for studies.")
    found: Any = await club.read(lambda conn: given(conn, [(1, name)], Masks(bytes(32))))
    (made,) = found
    assert len(made.plies) >= 2
    assert "studies" not in json.dumps(made, default=str)
    assert {"move", "left"} >= {one.kind for one in made.plies}
